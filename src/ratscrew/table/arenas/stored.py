"""How arenas are stored, and what is deleted of them. Waits for the log.

Each owner of an arena's room writes a value of its own, named by its epoch; that of the latest owner counts.
"""

from __future__ import annotations

from collections.abc import Collection

from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.table.arenas.arena import Arena
from ratscrew.table.record.entries import Entry

OPEN, ARENA = "arenas-open/", "arena/"
"""Under which names the log stores the list of arenas, and each of them."""

OVER_S = 120.0
"""How long an arena stays in memory after its end."""

KEPT_S = 7 * 24 * 3600.0
"""How long it is stored after its end, with the names of its players."""

STATE = Codec[Arena](Arena)


def state_name(room: str, epoch: int) -> str:
    """The name of the value that the owner of an arena's room with this epoch writes."""
    return f"{ARENA}{room}/{epoch:010}/"


def delete_other_epochs(log: EventLog[Entry], room: str, epoch: int) -> None:
    """Delete what other owners of an arena's room have stored.

    Raises: LogError.
    """
    for name in log.get(f"{ARENA}{room}/"):
        if name != state_name(room, epoch):
            log.delete_prefix(name)


def tidy_stored(log: EventLog[Entry], accounts: Collection[str], now_s: float) -> None:
    """Delete the arenas that ended long ago, and in those that are over the players with these hashes of accounts.

    Raises: LogError.
    """
    for name, value in log.get(ARENA).items():
        arena = STATE.decode(value)
        if now_s > arena.ends_s + KEPT_S:
            log.delete_prefix(name)
        elif now_s > arena.ends_s + OVER_S and arena.forget(accounts):
            log.put(name, STATE.encode(arena))
