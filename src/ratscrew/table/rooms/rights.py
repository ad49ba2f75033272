"""Who may make which request, at which kind of table. One table of all requests; no decisions elsewhere.

Among strangers nobody has a right over the others: the server opens, begins and locks tables of quick play and of
arenas, and a player is removed by a vote of the others. In a game that may be rated the host has none that could
decide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.table.messages import RequestName
from ratscrew.table.records.room_kind import RoomKind
from ratscrew.table.table import Table

TableKind: TypeAlias = RoomKind | Literal["rated"]
"""The kind of a room, or `rated`: a running game of a room with a host that may be rated."""

KINDS: tuple[TableKind, ...] = ("friends", "listed", "rated", "quick", "arena")

Who: TypeAlias = Literal["player", "host", "host_between", "device", "host_or_device", "nobody"]
"""Any player of the table; its host; the host while no game is running; players at the only device; nobody."""

_ANYBODY: tuple[Who, ...] = ("player",) * 5
_THE_HOST: tuple[Who, ...] = ("host", "host", "host", "nobody", "nobody")

_RIGHTS: Mapping[RequestName, tuple[Who, ...]] = {
    # friends, listed, rated, quick play, arena
    "play": _ANYBODY,
    "slap": _ANYBODY,
    "beat": _ANYBODY,
    "act": _ANYBODY,
    "react": _ANYBODY,
    "nonce": _ANYBODY,
    "leave": _ANYBODY,
    "come_back": _ANYBODY,
    "ready": ("player", "player", "player", "player", "nobody"),
    "again": ("player", "player", "player", "nobody", "nobody"),
    "vote": ("nobody", "player", "player", "player", "player"),
    "remove": ("host", "host_between", "host_between", "nobody", "nobody"),
    "pause": ("host_or_device", "host_or_device", "nobody", "device", "nobody"),
    "start": _THE_HOST,
    "house": _THE_HOST,
    "bot": _THE_HOST,
    "list": _THE_HOST,
    "lock": _THE_HOST,
    "readmit": _THE_HOST,
    "reopen": _THE_HOST,
    "mute": _THE_HOST,
    "pass_host": _THE_HOST,
}

RIGHTS: Mapping[RequestName, Mapping[TableKind, Who]] = {
    what: dict(zip(KINDS, who, strict=True)) for what, who in _RIGHTS.items()
}
"""Who may make each request, by the kind of table."""


def kind_of(table: Table) -> TableKind:
    """The kind of a table now."""
    return "rated" if table.rated and table.state.playing and table.state.has_host else table.state.kind


def require_right(table: Table, seat: int, what: RequestName) -> None:
    """Check whether a seat may make a request at this table.

    Raises: Refusal (not_host; no_host: nobody may; by_vote: only a vote removes a player; not_over: not while a game is
    running). Whether all players are at one device is checked where a pause is.
    """
    match RIGHTS[what][kind_of(table)]:
        case "nobody":
            raise Refusal(RefusalReason.BY_VOTE if what == "remove" else RefusalReason.NO_HOST)
        case "host" | "host_between" if seat != table.state.host:
            raise Refusal(RefusalReason.NOT_HOST)
        case "host_between" if table.state.playing:
            raise Refusal(RefusalReason.BY_VOTE)
