"""Texts about a choice: parsed from plain text, and formatted with a value.

A text gives a choice a title and a hint, and words to its values:

    len: Cards. How many must lie in a row.
    len = {}: {} cards
    ace = low: (an ace counts under the two only)

`{}` stands for every value that has no words of its own, and in the words for the value itself (`{s}` for
milliseconds, `{every}` for all cards of a list, where `{}` is any of them). Words in brackets are for the person who
chooses, and are not read aloud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ratscrew.cards import RANKS

_RANKS = "a two,a three,a four,a five,a six,a seven,an eight,a nine,a ten,a jack,a queen,a king,an ace,a joker"
_CALLED = dict(zip(RANKS, _RANKS.split(","), strict=True)) | {"JKR": "the red joker", "JKB": "the black joker"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Tongue(Protocol):
    """How a language writes cards, numbers and times."""

    def called(self, name: str) -> str:
        """What people call a rank or a card."""
        ...

    def challenge(self, name: str, chances: int) -> str:
        """A card that must be answered, and within how many cards."""
        ...

    def every(self, words: Sequence[str]) -> str:
        """All of these things."""
        ...

    def either(self, words: Sequence[str]) -> str:
        """One of these things."""
        ...

    def lasting(self, ms: int) -> str:
        """Milliseconds in words."""
        ...

    def after_colon(self, sentence: str) -> str:
        """A sentence, as it goes on after a colon."""
        ...


class English:
    """How English says cards, numbers and times."""

    def called(self, name: str) -> str:
        """`a ten`, `the queen of spades`."""
        return _CALLED.get(name) or f"the {_CALLED[name[0]].split()[1]} of {_SUITS[name[1]]}"

    def challenge(self, name: str, chances: int) -> str:
        """`2 tries for a queen`."""
        return f"{counted(chances, 'try', 'tries')} for {self.called(name)}"

    def every(self, words: Sequence[str]) -> str:
        """`a jack, a queen and a king`."""
        return listed(words, "and")

    def either(self, words: Sequence[str]) -> str:
        """`a jack, a queen or a king`."""
        return listed(words, "or")

    def lasting(self, ms: int) -> str:
        """`30 milliseconds`, `1.5 seconds`."""
        return counted(ms, "millisecond", "milliseconds") if ms < 100 else counted(ms / 1000, "second", "seconds")

    def after_colon(self, sentence: str) -> str:
        """It goes on with a small letter."""
        return sentence[:1].lower() + sentence[1:]


ENGLISH = English()


class Words(NamedTuple):
    """What there is to say of a choice; `values` has the words of each value by its text."""

    title: str
    hint: str
    values: Mapping[str, str]
    tongue: Tongue = ENGLISH

    @property
    def sentence(self) -> str:
        """The words of what has one sentence only."""
        return f"{self.title}."

    def of(self, value: Any) -> str:
        """What a value means, for a player who chooses it."""
        return self._find(value).removeprefix("(").removesuffix(")")

    def aloud(self, value: Any) -> str:
        """The sheet's text for a value; empty if it goes without saying."""
        found = self._find(value)
        return "" if found.startswith("(") else found

    def _find(self, value: Any) -> str:
        plain = f"{self.tongue.after_colon(self.title)}: {{}}"
        found = self.values.get(written(value), self.values.get("{}", plain))
        lasts = self.tongue.lasting(value) if isinstance(value, int) else ""
        if "{every}" in found:
            found = found.replace("{every}", self.tongue.every([self.tongue.called(name) for name in value]))
        return found.replace("{}", spoken(value, self.tongue)).replace("{s}", lasts)


class Sentence(str):
    """An English sentence that keeps its pattern and values, so that it can be translated."""

    pattern: str
    given: Mapping[str, Any]


def say(pattern: str, **given: Any) -> Sentence:
    """Fill in a pattern; a tuple is written as alternatives (`a, b or c`)."""
    listed = {name: ENGLISH.either(what) if isinstance(what, tuple) else what for name, what in given.items()}
    sentence = Sentence(pattern.format(**listed))
    sentence.pattern, sentence.given = pattern, given
    return sentence


def read_words(text: str, tongue: Tongue = ENGLISH) -> dict[str, Words]:
    """The words of every choice in a text."""
    found: dict[str, Words] = {}
    for line in text.splitlines():
        what, colon, said = line.strip().partition(": ")
        name, equals, value = what.partition(" = ")
        if colon and equals and name in found:
            found[name] = found[name]._replace(values={**found[name].values, value: said})
        elif colon and not equals and " " not in name:
            title, _, hint = said.partition(". ")
            found[name] = Words(title.removesuffix("."), hint, {}, tongue)
    return found


def written(value: Any) -> str:
    """A value as a text has it: `true`, `off`, `3`, `JK+TD`, `-` for an empty list."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | dict):
        return "+".join(value) or "-"
    return str(value)


def spoken(value: Any, tongue: Tongue = ENGLISH) -> str:
    """A value in words: cards by their names, chances as what a card asks for."""
    if isinstance(value, Mapping):
        return tongue.every([tongue.challenge(*one) for one in sorted(value.items(), key=lambda item: item[1])])
    if isinstance(value, list | tuple):
        return tongue.either([tongue.called(name) for name in value])
    return written(value).replace("_", " ")


def counted(count: float, one: str, many: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count:g} {one if count == 1 else many}"


def listed(words: Sequence[str], last: str) -> str:
    """`a jack, a queen or a king`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
