"""Words about a choice: read from plain text, and said with a value. Nothing in this file knows a rule.

A text gives a choice a title and a hint, and words to its values:

    len: Cards. How many must lie in a row.
    len = {}: {} cards
    ace = low: (an ace counts under the two only)

`{}` stands for every value that has no words of its own, and in the words for the value itself (`{s}` for
milliseconds). Words in brackets are for whoever chooses, and are not read aloud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ratscrew.cards import RANKS

_RANKS = "a two,a three,a four,a five,a six,a seven,an eight,a nine,a ten,a jack,a queen,a king,an ace,a joker"
_CALLED = dict(zip(RANKS, _RANKS.split(","), strict=True)) | {"JKR": "the red joker", "JKB": "the black joker"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Words(NamedTuple):
    """What there is to say of a choice; `values` has the words of each value by its text."""

    title: str
    hint: str
    values: Mapping[str, str]

    def of(self, value: Any) -> str:
        """What a value means, for whoever chooses it."""
        return self._find(value).removeprefix("(").removesuffix(")")

    def aloud(self, value: Any) -> str:
        """What is read aloud of a value; nothing if it goes without saying."""
        found = self._find(value)
        return "" if found.startswith("(") else found

    def _find(self, value: Any) -> str:
        found = self.values.get(written(value), self.values.get("{}", f"{self.title.lower()}: {{}}"))
        return found.replace("{}", spoken(value)).replace("{s}", lasting(value))


def read_words(text: str) -> dict[str, Words]:
    """The words of every choice of which a text speaks."""
    found: dict[str, Words] = {}
    for line in text.splitlines():
        what, colon, said = line.strip().partition(": ")
        name, equals, value = what.partition(" = ")
        if colon and equals and name in found:
            found[name] = found[name]._replace(values={**found[name].values, value: said})
        elif colon and not equals and " " not in name:
            title, _, hint = said.partition(". ")
            found[name] = Words(title.removesuffix("."), hint, {})
    return found


def written(value: Any) -> str:
    """A value as a text has it: `true`, `off`, `3`, `JK+TD`, `-` for an empty list."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | dict):
        return "+".join(value) or "-"
    return str(value)


def spoken(value: Any) -> str:
    """A value in words: cards by their names, chances as what a card asks for."""
    if isinstance(value, Mapping):
        chances = sorted(value.items(), key=lambda item: item[1])
        return listed([f"{called(name)} within {counted(count, 'card')}" for name, count in chances], "and")
    if isinstance(value, list | tuple):
        return listed([called(name) for name in value], "or")
    return written(value).replace("_", " ")


def called(name: str) -> str:
    """What people call a rank or a card: `a ten`, `the queen of spades`."""
    return _CALLED.get(name) or f"the {_CALLED[name[0]].split()[1]} of {_SUITS[name[1]]}"


def counted(count: int, what: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def listed(words: Sequence[str], last: str) -> str:
    """`a jack, a queen or a king`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def lasting(value: Any) -> str:
    """Milliseconds in words."""
    if not isinstance(value, int):
        return ""
    return counted(value, "millisecond") if value < 100 else f"{value / 1000:g} second{'' if value == 1000 else 's'}"
