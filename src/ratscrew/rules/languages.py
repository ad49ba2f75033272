"""The languages of rule texts. English is collected from the declaration of each rule; any other language is one file
with words for the same names.

The names are the paths of the choices (`tie`, `slaps.run.len`, `wrong_slap.burn.count`), of the slaps (`slaps.run`) and
penalties (`wrong_slap.burn`) themselves, and names that start with `group.`, `manners.`, `preset.` and `sheet.`.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ratscrew.rules import endgames, german
from ratscrew.rules.options import GROUPS, MANNERS, OPTIONS
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, words_of
from ratscrew.rules.presets import SUMMARIES, TITLES
from ratscrew.rules.words import ENGLISH as TONGUE
from ratscrew.rules.words import Sentence, Tongue, Words, read_words

_SHEET = """
sheet.house: {} rules.
sheet.like: Like {}, with changes.
sheet.without: {}: doesn't count.
sheet.but: Like {}, but
sheet.same: Same as {}
"""


class Language(NamedTuple):
    """The words of one language: by name, and translated sentences by the English pattern."""

    tongue: Tongue
    words: Mapping[str, Words]
    sentences: Mapping[str, str]

    def says(self, what: Any) -> Any:
        """Translate a sentence; other values stay as they are."""
        if isinstance(what, tuple):
            return self.tongue.either([self.says(one) for one in what])
        if not isinstance(what, Sentence):
            return what
        given = {name: self.says(value) for name, value in what.given.items()}
        return self.sentences.get(what.pattern, what.pattern).format(**given)


def _english() -> Mapping[str, Words]:
    found = {option.name: option.words for option in OPTIONS}
    for name, pattern in PATTERNS.items():
        found[f"slaps.{name}"] = Words(pattern.label, pattern.says, {})
        found |= {f"slaps.{name}.{parameter}": words for parameter, words in pattern.words.items()}
    for option, table in (("wrong_slap", WRONG_SLAP), ("no_cards", NO_CARDS)):
        for kind, penalty in table.items():
            says, parameters = words_of(penalty)
            found[f"{option}.{kind}"] = _sentence(says)
            found |= {f"{option}.{kind}.{parameter}": words for parameter, words in parameters.items()}
    found |= {f"group.{group.replace(' ', '_')}": Words(group.capitalize(), "", {}) for group in GROUPS}
    found |= {f"manners.{name}": _sentence(says) for name, says in MANNERS.items()}
    found |= {f"preset.{name}": Words(TITLES[name], says, {}) for name, says in SUMMARIES.items()}
    return found | read_words(_SHEET)


def _sentence(says: str) -> Words:
    return Words(says.removesuffix("."), "", {})


class _Words(dict[str, Words]):
    """Words by name; names of patterns that users declare themselves are looked up by a function."""

    def __init__(self, words: Mapping[str, Words], other: Callable[[str], Words]) -> None:
        super().__init__(words)
        self._other = other

    def __missing__(self, name: str) -> Words:
        return self._other(name)


def _german() -> Mapping[str, Words]:
    """Its words; an endgame that a user declared has an English sentence only."""
    found = read_words(german.TEXT, german.TONGUE)
    for pattern in PATTERNS.values():
        if pattern.number > 1:
            found |= {
                path.replace(f"slaps.{pattern.base}", f"slaps.{pattern.name}"): words
                for path, words in found.items()
                if f"{path}.".startswith(f"slaps.{pattern.base}.")
            }
            title = f"{found[f'slaps.{pattern.base}'].title} {pattern.number}"
            found[f"slaps.{pattern.name}"] = found[f"slaps.{pattern.name}"]._replace(title=title)
    found["endgame"] = found["endgame"]._replace(values=ChainMap({**found["endgame"].values}, endgames.SENTENCES))
    return found


ENGLISH = Language(TONGUE, _Words(_english(), lambda name: _english()[name]), {})

LANGUAGES: Mapping[str, Language] = {
    "en": ENGLISH,
    "de": Language(german.TONGUE, _Words(_german(), ENGLISH.words.__getitem__), german.SENTENCES),
}
"""Every language by its code."""
