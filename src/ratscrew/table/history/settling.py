"""Stores what the community needs of a game that has ended, and flags players whose slaps are a reason to look.

Everything here follows from the logs, so `rebuild` stores the same again. Waits for the log.
"""

from __future__ import annotations

import msgspec

from ratscrew.accounts.played import KEPT, flags, forget_played, put_played, read_played
from ratscrew.accounts.results import GameResult, put_result
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.log.protocol import EventLog, LogReader
from ratscrew.table.history.game_result import settle
from ratscrew.table.record.entries import Entry


def store_game(log: EventLog[Entry], game: str) -> GameResult | None:
    """Store the result of a game that has ended; None if it has not, or no player has an account.

    Raises: LogError; the call can be repeated.
    """
    return _store(log, log, game)


def rebuild(log: EventLog[Entry]) -> list[GameResult]:
    """Delete all results and flags, and compute them anew from the logs. Returns them in the order of their ends.

    Raises: LogError; the call can be repeated.
    """
    for kind in ("result", "season", "archive", "archived", "played", "flag"):
        log.delete_prefix(f"{PREFIX}{kind}/")
    settled = [found for game in log.games() if (found := settle(game, log.read(game)))]
    return [
        result
        for each in sorted(settled, key=lambda each: each.result.order)
        if (result := _store(log, log, each.result.game))
    ]


def _store(log: LogReader[Entry], values: Values, game: str) -> GameResult | None:
    if (settled := settle(game, log.read(game))) is None:
        return None
    for account, played in settled.played.items():
        put_played(values, account, played)
        games = read_played(values, account)
        forget_played(values, account, games[:-KEPT])
        if reasons := flags(each for each in games if each.end_us <= played.end_us):
            values.get_or_create(f"{PREFIX}flag/{account}/", lambda reasons=reasons: msgspec.json.encode(reasons))  # type: ignore[misc]
    put_result(values, settled.result)
    return settled.result


def flagged(values: Values) -> dict[str, list[str]]:
    """The flagged accounts with the reasons."""
    prefix = f"{PREFIX}flag/"
    return {name[len(prefix) : -1]: msgspec.json.decode(value) for name, value in values.get(prefix).items()}


def allowed(values: Values) -> set[str]:
    """The accounts that the operator has looked at: their games are rated whatever their slaps look like."""
    prefix = f"{PREFIX}allowed/"
    return {name[len(prefix) : -1] for name in values.get(prefix)}


def allow(values: Values, account: str, on: bool = True) -> None:
    """Rate the games of a flagged account, or (not `on`) no longer.

    Raises: LogError.
    """
    name = f"{PREFIX}allowed/{account}/"
    values.put(name, b"1") if on else values.delete_prefix(name)


def excluded(values: Values) -> set[str]:
    """The accounts whose games are not rated."""
    return set(flagged(values)) - allowed(values)
