"""A room in a file: a short game with a race and a wrong slap, worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.events import Slapped
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry, Judged, Measured, Proof, Recorded, Sat, SlapRecord

ROOM = "WOLF-1f"
NAMES = (Sat(0, "Ana"), Sat(1, "Bo"))
GAME = """ratscrew 1
house 1;classic
name 1 Ana
name 2 Bo
hand 1 9S 2C 4H
hand 2 9H KC 3D
lead 1
1:9S 2:9H 1!double
1:2C 2:KC 2?3D 1:4H
"""

Run: TypeAlias = Callable[..., tuple[int, str, str]]
"""Run the command with these words: exit code, standard output and standard error."""


def proof(pressed_ms: float, granted_ms: float, purse_ms: float, **more_us: int) -> Proof:
    """A hand that arrived 430 ms after its card from 40 ms away: 410 by the server's clock."""
    pressed_us, purse_us, granted_us = (round(ms * 1000) for ms in (pressed_ms, purse_ms, granted_ms))
    return Proof(430_000, 40_000, pressed_us, 25_000, purse_us, granted_us, **more_us)


FIRST = Judged(2, "double", (SlapRecord(0, 350_000, proof(350, 60, 50)), SlapRecord(1, 380_000, proof(380, 30, 50))))
"""Ana spends 35 of her purse of 50, Bo 5 of the same."""

SECOND = Measured(4, SlapRecord(1, 400_000, proof(400, 10, 45)))
"""Bo's wrong slap is clean, and puts 5 back."""


def write(file: Path, game: str, *events: Recorded) -> None:
    """Keep a game."""
    log = SqliteLog(file, Codec[Entry](Entry))
    log.append(game, 0, [Entry(number, event) for number, event in enumerate(events)])
    log.close()


def with_verdicts(*verdicts: Recorded) -> list[Recorded]:
    """The game with what is noted of its slaps, each before its slap."""
    left, told = list(verdicts), list[Recorded](NAMES)
    for event in notation.read_game(GAME).events:
        told += [left.pop(0), event] if isinstance(event, Slapped) and left else [event]
    return told
