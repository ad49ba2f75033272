"""`ratscrew suspicion ROOM`: what the hands of a room's people look like beside those of people. It accuses nobody."""

from __future__ import annotations

import json as text_of
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ratscrew.cli.archive import game_of, games_of, opened
from ratscrew.judge.suspicion import Sign, Trace, signs
from ratscrew.table.record import Sat
from ratscrew.table.retrial import traces

NOTE = (
    "These are reasons to look, never proof: a poor line, an odd screen or a gift may explain each of them."
    " Nothing is done automatically."
)


def suspicion(what: str, data: Path, json: bool = False) -> None:
    """Print the figures of everybody but the bots, over all games of a room.

    Raises: RatscrewError if there is no such room; LogError if the log cannot be read.
    """
    people: dict[int, str] = {}
    hands: dict[int, list[Trace]] = defaultdict(list)
    with opened(data) as log:
        games = games_of(log, game_of(log, what))
        for game in games:
            events = [entry.event for entry in log.read(game)]
            sat = [event for event in events if isinstance(event, Sat) and event.bot is None]
            people |= {event.seat if event.who is None else event.who: event.name for event in sat}
            for who, trace in traces(events):
                hands[who].append(trace)
    room = games[0].rpartition("-")[0]
    if json:
        told = [_player(who, name, hands[who]) for who, name in sorted(people.items())]
        print(text_of.dumps({"room": room, "games": games, "players": told, "note": NOTE}))
        return
    print(f"{room}, games: {len(games)}")
    for who, name in sorted(people.items()):
        print(f"\n{name}, slaps: {len(hands[who])}", *map(_line, signs(hands[who])), sep="\n")
    print(f"\n{NOTE}")


def _line(sign: Sign) -> str:
    limit = f"odd {'below' if sign.below else 'over'} {_figure(sign.limit, sign.unit)}"
    return f"  {sign.name:29}{_figure(sign.figure, sign.unit):>9}   {limit:20}{_verdict(sign)}"


def _verdict(sign: Sign) -> str:
    if not sign.enough:
        return f"not enough slaps yet: {sign.hands} of {sign.needs}"
    return f"a reason to look: {sign.means} ({sign.hands} slaps)" if sign.odd else f"nothing odd ({sign.hands} slaps)"


def _figure(figure: float | None, unit: str) -> str:
    if figure is None:
        return "-"
    match unit:
        case "us":
            return f"{figure / 1000:.1f} ms"
        case "percent":
            return f"{figure:.1f} %"
    return f"{figure:g}"


def _player(who: int, name: str, hands: list[Trace]) -> dict[str, Any]:
    told = [{**asdict(sign), "enough": sign.enough, "odd": sign.odd} for sign in signs(hands)]
    return {"who": who, "name": name, "hands": len(hands), "signs": told}
