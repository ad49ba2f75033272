"""Names that people choose: tidied, refused where they could deceive, and compared by how they look.

This is for every text that somebody chooses and others read.
"""

from __future__ import annotations

import unicodedata

import regex

from ratscrew.rules.words import say

LONGEST = 20
"""How many signs a name may have, as people count them: a letter with its accents is one, and so is a picture."""

NO_NAME = "–"
"""Stands for a name that was deleted. Nobody can choose it: it has no letter, digit or picture."""

MARKS_MOST, PARTS_MOST = 4, 10
"""How many marks one letter may carry, and of how many parts a picture may be made: two people who kiss have ten."""

_PICTURE = r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*"
_PICTURES = regex.compile(
    r"\U0001F3F4[\U000E0030-\U000E007A]+\U000E007F"  # the flag of a part of a country
    rf"|{_PICTURE}(?:\u200D{_PICTURE})*"  # joined to one
    r"|[0-9#*]\uFE0F?\u20E3"  # a key
)
_BIDI = regex.compile(r"[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]")
_CONTROL = regex.compile(r"\p{Cc}")
_NOWHERE = regex.compile(r"[\p{Co}\p{Cn}\p{Cs}]")
_HIDDEN = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]")
_SIGNS = regex.compile(r"\X")
_SEEN = regex.compile(r"[\p{L}\p{N}\p{S}]")
_ACCENTS = regex.compile(r"[\u0300-\u036F]")
_BETWEEN = regex.compile(r"[\p{P}\p{Z}]")

_TWINS = (
    ("аеорсухѕіјԁһкԛԝѵгпАВЕКМНОРСТХУЅІЈЗ", "aeopcyxsijdhkqwvrnABEKMHOPCTXYSIJ3"),  # Cyrillic
    ("αονικρυχηγωτΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovikpuxnywtABEZHIKMNOPTYX"),  # Greek
    ("ıłøđħØŁ", "ilodhOL"),
)
_ONE_FOR_ALL = str.maketrans("".join(these for these, _ in _TWINS), "".join(those for _, those in _TWINS))
_STROKES = str.maketrans("I1|0", "lllO")
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def tidy(text: str) -> str:
    """A name as it is kept: one way to write each sign, and no space too many."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def faults(name: str) -> list[str]:
    """What is wrong with a tidy name, each fault in a sentence."""
    signs, plain = _SIGNS.findall(name), _PICTURES.sub("", name)
    found: list[str] = []
    if not 0 < len(signs) <= LONGEST:
        found.append(say("name: it needs 1 to {most} letters", most=LONGEST))
    elif not _SEEN.search(name):
        found.append(say("name: it needs a letter, a digit or a picture"))
    if hit := _BIDI.search(plain):
        found.append(say("name: {sign} changes the direction of writing", sign=_called(hit[0])))
    if hit := _CONTROL.search(plain):
        found.append(say("name: {sign} is a control character", sign=_called(hit[0])))
    if hit := _NOWHERE.search(plain):
        found.append(say("name: {sign} is no letter that every device has", sign=_called(hit[0])))
    if hit := _HIDDEN.search(_BIDI.sub("", _NOWHERE.sub("", plain))):
        found.append(say("name: {sign} cannot be seen", sign=_called(hit[0])))
    if any(len(sign) > PARTS_MOST or len(regex.findall(r"\p{M}", sign)) > MARKS_MOST for sign in signs):
        found.append(say("name: there are too many marks on one letter"))
    return found


def alike(one: str, other: str) -> bool:
    """Whether two names can be taken for each other: by their letters, or by how these look."""
    return not _looks(one).isdisjoint(_looks(other))


def _called(sign: str) -> str:
    return f"U+{ord(sign):04X}"


def _looks(name: str) -> set[str]:
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", name))
    bare = _BETWEEN.sub("", bare) or bare
    seen = bare.translate(_ONE_FOR_ALL).translate(_STROKES).casefold()
    for pair, single in _PAIRS:
        seen = seen.replace(pair, single)
    return {bare.casefold(), seen}
