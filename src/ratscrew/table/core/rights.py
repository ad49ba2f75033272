"""Who may make which request, at which kind of table, by the facts of the requests. No decisions elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.table.core.table import Table
from ratscrew.table.record.messages import RequestName
from ratscrew.table.record.requests import FACTS, Who
from ratscrew.table.record.room_kind import RoomKind

TableKind: TypeAlias = RoomKind | Literal["rated"]
"""The kind of a room, or `rated`: a running game of a room with a host that may be rated."""

KINDS: tuple[TableKind, ...] = ("friends", "listed", "rated", "quick", "arena")

RIGHTS: Mapping[RequestName, Mapping[TableKind, Who]] = {
    **{what: dict.fromkeys(KINDS, "player") for what in get_args(RequestName)},
    **{what: dict(zip(KINDS, facts.who, strict=True)) for what, facts in FACTS.items()},
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
