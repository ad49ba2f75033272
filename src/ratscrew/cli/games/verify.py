"""`ratscrew verify GAME`: checks a game's deal against its shuffle commitment, step by step."""

from __future__ import annotations

import json as text_of
from typing import Literal, TypeAlias

from ratscrew.cli.storage.location import Location
from ratscrew.cli.storage.log_lookup import find_game, open_log
from ratscrew.cli.terminal import echo
from ratscrew.errors import RatscrewError
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.history.history import history
from ratscrew.table.history.shuffle_audit import AuditStep, audit
from ratscrew.table.record.entries import LaidOut

FAIR, UNFAIR, UNSEALED = 0, 1, 2

Verdict: TypeAlias = Literal["fair", "unfair", "laid_out", "unsealed"]

SAYS: dict[Verdict, str] = {
    "fair": "fair: the cards were dealt as committed",
    "unfair": "NOT FAIR: see the marked steps",
    "laid_out": "these cards were laid out by hand, so there is no shuffle to check",
    "unsealed": "this game has no commitment to a shuffle, like imported ones, so none can be checked",
}


def verify(what: str, where: Location, json: bool = False) -> int:
    """Check a game's shuffle and print the result; returns the exit code: 0 fair, 1 not, 2 if it has no commitment.

    Raises: RatscrewError if there is no such game, or it is not over; LogError if the log cannot be read.
    """
    with open_log(where) as log:
        game = find_game(log, what)
        room, _, number = game.rpartition("-")
        told = history(log.read(game))
        before = [entry.event for entry in log.read(f"{room}-{int(number) - 1}")]
        public = GameNames.read(log).public(game)
    if told.game is None or not told.game.over:
        raise RatscrewError(f"{game}: this game is not over; its shuffle can be checked afterwards")
    events = [entry.event for entry in told.entries]
    found = audit(public, events, before)
    laid = any(isinstance(event, LaidOut) for event in events)
    verdict: Verdict = _verdict(found) if found else "laid_out" if laid else "unsealed"
    if json:
        echo(text_of.dumps({"game": game, "verdict": verdict, "steps": [step._asdict() for step in found or ()]}))
    else:
        echo(game, *map(_line, found or ()), SAYS[verdict])
    return UNSEALED if not found else FAIR if verdict == "fair" else UNFAIR


def _verdict(found: list[AuditStep]) -> Verdict:
    return "fair" if all(step.holds for step in found) else "unfair"


def _line(step: AuditStep) -> str:
    return f"  {'ok' if step.holds else 'WRONG':7}{step.what:12}{step.says}"
