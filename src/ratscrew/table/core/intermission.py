"""Requests between and besides the moves of a game: to pause it, and to play another one. No I/O."""

from __future__ import annotations

from ratscrew.errors import RefusalReason
from ratscrew.table.core.rematch import AGAIN_US, WITHOUT_HOST_US
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effects, require
from ratscrew.table.record.entries import Paused
from ratscrew.table.session.seat import at_one_device


def pause(table: Table, seat: int, on: bool, now_us: int) -> Effects:
    """Stop the clocks of the running game, or go on with it: players at one device, or the host for everybody.

    The pause begins when the newest card is decided, and ends after a countdown.

    Raises: Refusal (no_game; not_so_here: somebody at another device has a seat, and this is not the host's;
    paused_enough: the host has no time left for pauses of this game).
    """
    require(table.state.playing, RefusalReason.NO_GAME)
    if (on and (table.pause.wanted or table.state.pause.on)) or (
        not on and (table.pause.ending or not table.state.pause.on)
    ):
        return []
    together = at_one_device(table.seats, seat)
    host = table.state.has_host and seat == table.state.host
    require(together or host, RefusalReason.NOT_SO_HERE)
    if not on:
        return table.count_in(now_us)
    require(together or table.state.pause.left_us > 0, RefusalReason.PAUSED_ENOUGH)
    return table.request_pause(Paused(True, None if together else seat), now_us)


def require_over(table: Table, now_us: int) -> None:
    """Check that another game may be dealt.

    Raises: Refusal (not_over; room_closed).
    """
    require(table.game is not None and not table.state.playing, RefusalReason.NOT_OVER)
    require(table.state.closed_us is None or now_us >= table.state.closed_us, RefusalReason.ROOM_CLOSED)


def note_ready(table: Table, seat: int, on: bool, now_us: int) -> Effects:
    """All seats at this seat's page are ready for another game, or the others should wait.

    Where players wait for strangers, they begin as soon as all who are here are ready. Where they wait for their host
    to deal the first game, it is dealt after a longer countdown, which the host can stop like anybody else.

    Raises: Refusal (not_over; room_closed; too_few; room_full).
    """
    first = table.session is None
    if not first:
        require_over(table, now_us)
    here = [number for number, each in enumerate(table.seats) if each.here]
    own = [number for number in here if table.seats[number].page_state is table.seats[seat].page_state]
    table.rematch.note(own, on, now_us, WITHOUT_HOST_US if first else AGAIN_US)
    return table.next_game(now_us) if table.rematch.ready.issuperset(here) else table.ready_messages(now_us)
