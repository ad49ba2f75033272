"""What makes this process the owner of a room that others can take over: a higher epoch, and a fenced log.

Without a cluster no room has one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Literal, NamedTuple, cast

from ratscrew.errors import Conflict, LogError
from ratscrew.log.protocol import EventLog, SharedLog
from ratscrew.table.record.effects import Store
from ratscrew.table.record.entries import Entry

_logger = logging.getLogger(__name__)


class Ownership(NamedTuple):
    """A process's claim on a room. `epoch` rises with each claim; `lost` is called if another owner has written."""

    epoch: int
    node: str
    log: SharedLog[Entry]
    lost: Callable[[], None]


def append(
    log: EventLog[Entry],
    ownership: Ownership | None,
    store: Store,
    behind: Future[int] | None,
) -> Future[int]:
    """Append the entries of a `Store` effect, `behind` the room's last append; an error of the call is the future's.

    With an owner, the first entries of a game end the game before: a stale owner cannot begin the next one. And nothing
    is stored behind an append of the room that failed.
    """
    try:
        if ownership is None:
            return log.append_soon(store.game, store.after, store.entries)
        if store.ends:
            return ownership.log.begin_soon(store.game, store.entries, store.ends, behind)
        return cast(SharedLog[Entry], log).append_soon(store.game, store.after, store.entries, behind)
    except Exception as error:
        failed: Future[int] = Future()
        failed.set_exception(error)
        return failed


def why_closed(room: str, error: Exception, ownership: Ownership | None) -> Literal["moved", "unkept"]:
    """The reason that clients get for the end of a room that failed; the failure is logged.

    A conflict means that another process owns the room now: the append is never tried again.
    """
    if ownership and isinstance(error, Conflict):
        _logger.warning("room %s goes on at another node: %s", room, error)
        return "moved"
    if isinstance(error, LogError):
        _logger.error("room %s is closed: its log failed: %s", room, error)
    else:
        _logger.error("room %s is closed: its table failed", room, exc_info=error)
    return "unkept"
