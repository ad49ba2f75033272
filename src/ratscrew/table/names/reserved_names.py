"""Names that no player may have: those of the bots and of the program, and the public names of accounts."""

from __future__ import annotations

from typing import get_args

import regex

from ratscrew.bots.ladder import Opponent
from ratscrew.bots.names import NAMES
from ratscrew.table.names.names import alike

PEOPLES_TOO = frozenset({"Cleo", "Isis", "Min"})
"""Bots' names that many people have. A bot never takes a name that somebody at its table has."""

SYSTEM = (
    *("Host", "You", "System", "Server", "Admin", "Administrator", "Moderator", "Operator", "Bot", "Teacher"),
    *("Ratscrew", "Gastgeber", "Gastgeberin", "Du", "Moderatorin", "Administratorin", "Lehrer", "Lehrerin"),
)
"""What pages call players and the program, in English and German."""

RESERVED = (*(name for name in (*NAMES, *map(str.title, get_args(Opponent))) if name not in PEOPLES_TOO), *SYSTEM)

_PUBLIC_NAME = regex.compile(r"\S\s*[#♯⌗⋕]\s*\p{N}{3}")
"""What reads like the public name of an account, such as Ana#0042."""

_LEET = str.maketrans("013457", "oieast")
_DIGIT_FOR_LETTER = regex.compile(r"(?<=\p{L})[013457]+|[013457]+(?=\p{L})")
"""Digits beside a letter can stand for letters, as in H0st and R4; those that stand alone count, as in Bo 7."""


def is_reserved(name: str) -> bool:
    """Whether a tidy name is that of a bot or of the program, or looks like one, or like an account's public name."""
    if _PUBLIC_NAME.search(name):
        return True
    spelled = _DIGIT_FOR_LETTER.sub(lambda digits: digits[0].translate(_LEET), name)
    return any(alike(each, taken) for each in {name, spelled} for taken in RESERVED)
