"""`ratscrew suspicion ROOM`: compares the slaps of a room's players with what people do. It accuses no one."""

from __future__ import annotations

import json as text_of
from collections import defaultdict
from dataclasses import asdict
from typing import Any

from ratscrew.cli.storage.location import Location
from ratscrew.cli.storage.log_lookup import find_game, open_log, room_games
from ratscrew.cli.terminal import echo, one_line
from ratscrew.judge.suspicion import Indicator, SlapTrace, indicators
from ratscrew.table.record.entries import Sat
from ratscrew.table.state.rejudge import traces

NOTE = (
    "A reason to look closer is never proof: an unusual screen, a poor connection or talent may explain it. A player"
    " who reads the network traffic or uses a careful robot may show none. Nothing is done automatically."
)


def suspicion(what: str, where: Location, json: bool = False) -> None:
    """Print the indicators of every player except bots, over all games of a room.

    Raises: RatscrewError if there is no such room; LogError if the log cannot be read.
    """
    people: dict[int, str] = {}
    hands: dict[int, list[SlapTrace]] = defaultdict(list)
    with open_log(where) as log:
        games = room_games(log, find_game(log, what))
        for game in games:
            events = [entry.event for entry in log.read(game)]
            sat = [event for event in events if isinstance(event, Sat) and event.bot is None]
            people |= {event.seat if event.player_id is None else event.player_id: event.name for event in sat}
            for player_id, trace in traces(events):
                hands[player_id].append(trace)
    room = games[0].rpartition("-")[0]
    if json:
        told = [_player(player_id, name, hands[player_id]) for player_id, name in sorted(people.items())]
        echo(text_of.dumps({"room": room, "games": games, "players": told, "note": NOTE}))
        return
    echo(f"{room}, games: {len(games)}")
    for player_id, name in sorted(people.items()):
        echo(f"\n{one_line(name)}, slaps: {len(hands[player_id])}", *map(_line, indicators(hands[player_id])))
    echo(f"\n{NOTE}")


def _line(sign: Indicator) -> str:
    limit = f"odd {'below' if sign.below else 'over'} {_figure(sign.limit, sign.unit)}"
    return f"  {sign.name:29}{_figure(sign.figure, sign.unit):>9}   {limit:20}{_verdict(sign)}"


def _verdict(sign: Indicator) -> str:
    """The verdict on one indicator; with few slaps, its figure may be past the limit by chance."""
    if not sign.enough:
        return f"not enough slaps yet ({sign.slaps} of {sign.min_slaps})"
    if sign.flagged:
        bound = f"{'at most' if sign.below else 'at least'} {_figure(sign.bound, sign.unit)}"
        return f"a reason to look: {sign.meaning} ({bound}, {sign.slaps} slaps)"
    if sign.past:
        return f"past the limit, but perhaps by chance ({sign.slaps} slaps)"
    return f"nothing odd ({sign.slaps} slaps)"


def _figure(figure: float | None, unit: str) -> str:
    if figure is None:
        return "-"
    return f"{figure / 1000:.1f} ms" if unit == "us" else f"{figure:.1f} %"


def _player(player_id: int, name: str, hands: list[SlapTrace]) -> dict[str, Any]:
    told = [{**asdict(sign), "enough": sign.enough, "flagged": sign.flagged} for sign in indicators(hands)]
    return {"player_id": player_id, "name": name, "slaps": len(hands), "signs": told}
