"""Screens what players call themselves, their accounts and arenas: by lists of words, and the operator's own.

The lists of glin-profanity have English and German words, `name_words.txt` adds what German law or decency forbids, and
takes out people's names. Words are compared whole, so Scunthorpe passes, and only stems that are in no person's name
are found inside others. A name is compared as it looks: with digits and look-alikes in the place of letters.
"""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ratscrew.errors import ConfigError, RulesError
from ratscrew.rules.words import say
from ratscrew.table.names.names import faults, letters, tidy
from ratscrew.table.names.reserved_names import is_reserved

WORDS_MOST = 5000
"""How many words of their own an operator can add."""

_TEXTS = ("name", "title")
"""The fields of a request by which players call something."""

_BORDERS = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")
"""Where words meet in a name without spaces: FuckYou."""

_WORD = re.compile(r"[^\W_]+")
_RUNS = re.compile(r"(.)\1{2,}")
_DIGITS = re.compile(r"^\d+|\d+$")
_HATE_NUMBER = re.compile(r"(?<!\d)14\D?88(?!\d)")
_HATE_SIGNS = re.compile("[卐卍࿕-࿘🖕]|ᛋ.?ᛋ")

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_LEET = [str.maketrans("013456789@$!|€+", f"o{one}easgtbgas{one}{one}et", "*") for one in ("i", "l")]
"""What digits and signs stand for in the place of letters; 1, ! and | for i or l."""

PHRASE_MOST = 5
"""Words of the longest phrase that is compared."""


class NameScreen:
    """Refuses names. `words` are an operator's own; one that begins with `+` is allowed although a list has it."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        listed = [*_listed(), *_own(), *words]
        allowed = {_folded(word[1:]) for word in listed if word.startswith("+")}
        stems = {_folded(word[1:]) for word in listed if word.startswith("*")}
        whole = {_folded(word) for word in listed if word[:1] not in "+*"}
        self._stems = tuple(stems - allowed)
        self._words = frozenset(whole - allowed - {""})
        self.refuses = lru_cache(1024)(self._refuses)
        """Whether a tidy name is refused."""

    def check(self, body: Any) -> None:
        """Check the names in the body of a request. Those that are none are not read: who takes them refuses them.

        Raises: RulesError.
        """
        for name in _names_in(body):
            if self.refuses(name):
                raise RulesError([say("This name isn't allowed here: choose another one")])

    def _refuses(self, name: str) -> bool:
        if _HATE_SIGNS.search(name) or _HATE_NUMBER.search(name):
            return True
        for text in _readings(name):
            joined = "".join(_WORD.findall(text))
            if any(stem in each for each in {joined, *_unrepeated(joined)} for stem in self._stems):
                return True
            if any(words in self._words for words in _phrases(_WORD.findall(text))):
                return True
        return False


def check_reserved(body: Any) -> None:
    """Check that the names in the body of a request are not those of bots or of the program, and no account's.

    Raises: RulesError.
    """
    for name in _names_in(body):
        if is_reserved(name):
            raise RulesError([say("This name is reserved: choose another one")])


def _names_in(body: Any) -> Iterator[str]:
    for field in _TEXTS:
        text = getattr(body, field, None)
        if isinstance(text, str) and not faults(name := tidy(text)):
            yield name


def _readings(name: str) -> set[str]:
    """How a name can be read, in small letters: as it is, word by word, with look-alikes and with leetspeak."""
    spaced = _BORDERS.sub(" ", name)
    found = set[str]()
    for text in {name, spaced, letters(name), letters(spaced)}:
        for small in {_folded(text), _folded(text.replace("I", "l"))}:
            found |= {small, *(small.translate(table) for table in _LEET)}
    return found


def _phrases(words: list[str]) -> Iterator[str]:
    """The words of a text, and the phrases in it; without digits around them, and without repeated letters."""
    if len(words) > 1 and all(len(word) == 1 for word in words):  # k y s
        yield "".join(words)
    for begin, end in itertools.combinations(range(len(words) + 1), 2):
        if end - begin <= PHRASE_MOST:
            phrase = " ".join(words[begin:end])
            yield phrase
            yield _DIGITS.sub("", phrase)
            yield from _unrepeated(phrase)


def _unrepeated(text: str) -> tuple[str, str]:
    """A text in which three and more equal letters in a row are one, or two."""
    return _RUNS.sub(r"\1", text), _RUNS.sub(r"\1\1", text)


def _folded(text: str) -> str:
    """A text in small letters without accents; umlauts as they are written without them."""
    small = unicodedata.normalize("NFC", text.lower()).translate(_UMLAUTS)
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", small) if not unicodedata.combining(sign))
    return " ".join(bare.casefold().split())


def _listed() -> Iterator[str]:
    """The words of glin-profanity in English and German."""
    folder = files("glin_profanity") / "data" / "dictionaries"
    for language in ("english", "german"):
        yield from json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))["words"]


def _own() -> Iterator[str]:
    lines = files(__package__).joinpath("name_words.txt").read_text(encoding="utf-8").splitlines()
    return (line for line in lines if line and not line.startswith("#"))


def read_words(file: Path) -> list[str]:
    """An operator's words: one a line; empty lines and those that begin with `#` are ignored.

    Raises: ConfigError if the file cannot be read, or has too many words.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError([f"--names {file}: it cannot be read: {error}"]) from error
    words = [word for line in lines if (word := line.strip()) and not word.startswith("#")]
    if len(words) > WORDS_MOST:
        raise ConfigError([f"--names {file}: it has {len(words)} words, and {WORDS_MOST} are the most"])
    return words
