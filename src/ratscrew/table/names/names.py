"""Players' names: normalise them, reject those that could deceive, and compare them by how they look.

For every text that one player chooses and others read.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from importlib.resources import files

import regex

from ratscrew.game.bounds import NAME_MOST
from ratscrew.rules.words import say

LONGEST = 20
"""How many characters a name may have, as people count them: a letter with its accents is one, and so is an emoji."""

NO_NAME = "–"
"""Replaces a deleted name. Nobody can choose it: it has no letter, digit or emoji."""

MARKS_MOST, PARTS_MOST = 4, 10
"""How many marks one letter may carry, and how many code points an emoji may have: two people who kiss have ten."""

_PICTURE = r"\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*"
_PICTURES = regex.compile(
    r"\U0001F3F4[\U000E0030-\U000E007A]+\U000E007F"  # the flag of a region, such as Scotland
    rf"|{_PICTURE}(?:\u200D{_PICTURE})*"  # several joined into one
    r"|[0-9#*]\uFE0F?\u20E3"  # a keycap
)
_BIDI = regex.compile(r"[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]")
_CONTROL = regex.compile(r"\p{Cc}")
_NOWHERE = regex.compile(r"[\p{Co}\p{Cn}\p{Cs}\uFFFC\uFFFD]")
_JOINERS = regex.compile(
    r"(?<=\p{ccc=9})[\u200C\u200D]"  # behind a virama
    r"|(?<=[\p{jt=L}\p{jt=D}]\p{jt=T}*)\u200C(?=\p{jt=T}*[\p{jt=R}\p{jt=D}])"  # between letters that would join
)
"""Invisible joiners where scripts need them: Persian and the scripts of India (CONTEXTJ, RFC 5892, appendix A)."""

_HIDDEN = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]")
_SIGNS = regex.compile(r"\X")
_SEEN = regex.compile(r"[\p{L}\p{N}\p{S}]")
_MARKS = regex.compile(r"[\p{M}&&\p{Script=Inherited}]|\p{Me}", regex.V1)
_STRAY = regex.compile(
    r"\p{Me}|[\u20D0-\u20FF]"  # marks that enclose or cross their letter
    r"|[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Georgian}\p{Cherokee}\p{Coptic}\p{Lisu}\p{Common}]\p{M}*"
    r"\K[\p{M}--\p{Script=Inherited}]",  # a mark of another script, such as an Indic one on a Latin letter
    regex.V1,
)
_MIXED = regex.compile(
    r"(?=[\p{L}\p{Nl}\p{M}]*\p{Latin})[\p{L}\p{Nl}\p{M}]*?\K[[\p{L}\p{Nl}]--[\p{Latin}\p{Cyrillic}\p{Greek}"
    r"\p{Armenian}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Common}\p{Inherited}]]",
    regex.V1,
)
"""A letter of another script in a word of Latin ones. Words may mix those of Japanese, Korean and Chinese; Cyrillic,
Greek and Armenian ones are taken for the letters that they look like."""

_BETWEEN = regex.compile(r"[\p{P}\p{Z}\u0640\u200C\u200D]")

_TWINS = (
    ("аеорсухѕіјԁһкԛԝѵгпАВЕКМНОРСТХУЅІЈЗӏ", "aeopcyxsijdhkqwvrnABEKMHOPCTXYSIJ3l"),  # Cyrillic
    ("αονικρυχηγωτςΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aovikpuxnywtcABEZHIKMNOPTYX"),  # Greek
    ("եոսհօ", "enuho"),  # Armenian
    ("ıłøđħØŁɑɡⱭɛƐ", "ilodhOLagAeE"),
    ("ノ丿丨〡ㅣ口〇ㅇ工エ匚ㄷㄥ", "lllllooollccL"),  # strokes of Han and kana, beside Latin letters
    ("".join(map(chr, range(0x1F170, 0x1F18A))), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # letters in squares
    ("".join(map(chr, range(0x1F150, 0x1F16A))), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # in circles
    ("".join(map(chr, range(0x1F1E6, 0x1F200))), "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # of flags
)
"""Characters that look alike in small print, besides those that Unicode lists; these take precedence."""


def _confusables() -> dict[int, str]:
    """What each character of Unicode's list looks like, by its code point."""
    text = files(__package__).joinpath("confusables.txt").read_text(encoding="utf-8")
    rows = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("# "))
    return {ord(sign): like for like, _, signs in rows for sign in signs}


_ONE_FOR_ALL = _confusables() | str.maketrans(
    "".join(these for these, _ in _TWINS), "".join(those for _, those in _TWINS)
)
_STROKES = str.maketrans("I1|0", "lllO")
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def tidy(text: str) -> str:
    """A name as it is stored: in one Unicode form (NFKC), with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def faults(name: str) -> list[str]:
    """What is wrong with a tidy name: one sentence for each problem. One that is too long is not looked at further."""
    return list(_faults(name)) if len(name) <= NAME_MOST else [say("A name needs 1 to {most} letters", most=LONGEST)]


@lru_cache(4096)
def _faults(name: str) -> tuple[str, ...]:
    signs = _SIGNS.findall(name)
    if not 0 < len(signs) <= LONGEST:
        return (say("A name needs 1 to {most} letters", most=LONGEST),)
    plain = _JOINERS.sub("", _PICTURES.sub("", name))
    found: list[str] = []
    if not _SEEN.search(name):
        found.append(say("A name needs a letter, a digit or a picture"))
    if hit := _BIDI.search(plain):
        found.append(
            say("In the name, leave out the character that turns the text around ({sign})", sign=_called(hit[0]))
        )
    if hit := _CONTROL.search(plain):
        found.append(say("In the name, leave out the control character ({sign})", sign=_called(hit[0])))
    if hit := _NOWHERE.search(plain):
        found.append(
            say("In the name, leave out the character that some devices cannot show ({sign})", sign=_called(hit[0]))
        )
    if hit := _HIDDEN.search(_BIDI.sub("", _NOWHERE.sub("", plain))):
        found.append(say("In the name, leave out the invisible character ({sign})", sign=_called(hit[0])))
    if any(len(sign) > PARTS_MOST or len(regex.findall(r"\p{M}", sign)) > MARKS_MOST for sign in signs):
        found.append(say("In the name, leave out some of the marks on one letter"))
    elif hit := _STRAY.search(plain):
        found.append(
            say("In the name, leave out the mark that does not belong to its letter ({sign})", sign=_called(hit[0]))
        )
    elif hit := _MIXED.search(plain):
        found.append(say("In the name, leave out the letter of another script ({sign})", sign=_called(hit[0])))
    return tuple(found)


def alike(one: str, other: str) -> bool:
    """Whether two names can be mistaken for each other: by their letters, or by how these look."""
    return not _looks(one).isdisjoint(_looks(other))


def looks(name: str) -> str:
    """One text for all names whose letters look the same as written."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", tidy(name)))
    return _seen(_BETWEEN.sub("", bare) or bare)


def letters(name: str) -> str:
    """A name in the letters that it looks like, in large and small ones."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", name))
    return bare.translate(_ONE_FOR_ALL)


def _called(sign: str) -> str:
    return f"U+{ord(sign):04X}"


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    """The keys by which a name is compared: its letters, and what they look like as written and in lower case."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", name))
    bare = _BETWEEN.sub("", bare) or bare
    return frozenset({bare.casefold(), *(_seen(written) for written in (bare, bare.lower()))})


def _seen(written: str) -> str:
    seen = _BETWEEN.sub("", written.translate(_ONE_FOR_ALL)).translate(_STROKES).casefold() or written
    for pair, single in _PAIRS:
        seen = seen.replace(pair, single)
    return seen
