"""Deletes an account from the games that it played: its names, and its id, which becomes a random pseudonym.

The pseudonym stays, because the ratings of the others follow from these games; nothing leads from it to the player.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from ratscrew.accounts.past_seasons import forget_in_archives
from ratscrew.accounts.played import read_played, rename_in_played
from ratscrew.accounts.results import rename_in_result
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.log.protocol import EventLog
from ratscrew.table.history.settling import store_game
from ratscrew.table.names.names import NO_NAME
from ratscrew.table.record.entries import AccountLinked, Entry, Recorded, Sat
from ratscrew.table.registry.restoring import Breaks
from ratscrew.table.state.log_snapshot import change_events

DELETED_KEPT_US = 24 * 3600 * 1_000_000
"""How long the store has the note of a deletion, for other nodes of a cluster: longer than an arena lasts."""

_DELETED = f"{PREFIX}deleted/"


def rooms_of(values: Values, account_id: str) -> list[str]:
    """The rooms in which an account had a seat, by their full names."""
    prefix = f"{PREFIX}room/{account_id}/"
    return [name[len(prefix) : -1] for name in values.get(prefix)]


def delete_games_of(log: EventLog[Entry], account_id: str, pseudonym: str) -> int:
    """Delete an account from all games in which it had a seat. Returns: from how many. It waits for the log.

    Raises: LogError; the call can be repeated.
    """
    found = delete_from_rooms(log, rooms_of(log, account_id), account_id, pseudonym)
    forget_in_archives(log, account_id)
    log.delete_prefix(f"{PREFIX}room/{account_id}/")
    return found


def delete_from_rooms(log: EventLog[Entry], rooms: Iterable[str], account_id: str, pseudonym: str) -> int:
    """Delete an account from all games of these rooms. Returns: from how many. It waits for the log.

    Raises: LogError; the call can be repeated.
    """
    games = [game for room in rooms for game in log.games(f"{room}-")]
    breaks = Breaks()
    found = [game for game in games if breaks.run(partial(_redact, log, game, account_id, pseudonym))]
    for kind in ("flag", "allowed"):  # whether its games are rated does not change
        for value in log.get(f"{PREFIX}{kind}/{account_id}/").values():
            log.put(f"{PREFIX}{kind}/{pseudonym}/", value)
    known = {played.game: played for played in read_played(log, account_id)}
    for game in found:
        if played := known.get(game):  # its result, and what the other players have of it, in place
            rename_in_result(log, game, played.end_us, account_id, pseudonym)
            rename_in_played(log, account_id, played, pseudonym)
        else:
            breaks.run(partial(store_game, log, game))
    log.delete_prefix(f"{PREFIX}played/{pseudonym}/")
    return len(found)


def mark_deleted(values: Values, account_id: str, pseudonym: str, now_us: int) -> None:
    """Note for the other nodes of a cluster that an account is deleted: their rooms may have it.

    Raises: LogError.
    """
    values.put(f"{_DELETED}{hash_id(account_id)}/", f"{pseudonym} {now_us}".encode())


def hash_id(account_id: str) -> str:
    """A hash of an account's id: it leads from the id to the note of the deletion, and not back."""
    return hashlib.blake2b(account_id.encode(), digest_size=16).hexdigest()


def read_deleted(values: Values, now_us: int) -> dict[str, str]:
    """The pseudonyms of the accounts that were deleted in the last day, by their `hash_id`; older notes are deleted.

    Raises: LogError.
    """
    found: dict[str, str] = {}
    for name, value in values.get(_DELETED).items():
        pseudonym, at_us = value.decode().split()
        if int(at_us) + DELETED_KEPT_US <= now_us:
            values.delete_prefix(name)
        else:
            found[name[len(_DELETED) : -1]] = pseudonym
    return found


def _redact(log: EventLog[Entry], game: str, account_id: str, pseudonym: str) -> bool:
    """Delete an account from a game; whether it had a seat there."""
    linked = [entry.event for entry in log.read(game) if isinstance(entry.event, AccountLinked)]
    seats = {event.seat for event in linked if event.account == account_id}
    if not seats:
        return False

    def change(event: Recorded) -> Recorded:
        match event:
            case AccountLinked(_, account) if account == account_id:
                return replace(event, account=pseudonym)
            case Sat(seat, bot=None) if seat in seats:
                return replace(event, name=NO_NAME)
        return event

    log.redact(game, lambda entry: change_events(entry, change))
    return True
