"""Evolves the state of a table: one function for live play, for restoring from the log, and for reading logs.

A table changes only by the entries of its log. No decisions, no chance and no clock here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ratscrew.game.events import Dealt, Won
from ratscrew.game.evolve import evolve as evolve_game
from ratscrew.game.state import Game
from ratscrew.rules.link import base_of, shared
from ratscrew.table.names.names import NO_NAME
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.entries import (
    AccountLinked,
    Closed,
    Committed,
    DoneRequest,
    Entry,
    FillScheduled,
    HostPassed,
    Idle,
    Judged,
    LaidOut,
    Left,
    Listed,
    Measured,
    Muted,
    NameDeleted,
    NonceGiven,
    Paused,
    Promised,
    Readmitted,
    Recorded,
    Reopened,
    RoomLocked,
    RulesChanged,
    Sat,
    SlapRecord,
    TableEvent,
    TookPart,
)
from ratscrew.table.record.log_budget import COSTS
from ratscrew.table.record.room_kind import KindSet, RatingTerms
from ratscrew.table.state.rejudge import credit_after
from ratscrew.table.state.seat_assignment import appearance_at
from ratscrew.table.state.table_state import RECENT_US, Occupant, PauseState, TableState

REMOVED_MOST = 200
"""How many removed players a room remembers; the first one removed is forgotten first."""

SEAT_REQUESTS_MOST, DONE_REQUESTS_MOST = 64, 32
"""How many requests are remembered that took a seat, and others. A table has 30 seats at most, and a page no more than
a few requests without an answer."""


def evolve(state: TableState, entry: Entry, after: Game | None = None) -> TableState:
    """The state after one more entry of the log.

    `after` is the game after this entry, or after all that are stored with it, where that is known already.
    """
    event, at_us = entry.event, entry.at_us
    changed: dict[str, Any] = {"version": state.version + 1, "since": entry.since}
    if type(event) in COSTS:
        changed |= _of_table(state, event, at_us)
        changed["spent"] = state.spent + COSTS[type(event)]
    elif isinstance(event, Dealt):
        changed |= _of_deal(state, event, at_us, after)
    else:
        changed["game"] = after or evolve_game(state.game, event)  # type: ignore[arg-type]  # all others are in COSTS
        if hasattr(event, "standing"):
            changed |= {"turn_spent_us": 0, "turn_since_us": at_us}
        if isinstance(event, Won):
            changed |= _seat(state, event.seat, wins=state.seats[event.seat].wins + 1)
    if entry.request:
        changed |= _of_request(state, entry)
    return replace(state, **changed)


def next_game(state: TableState) -> TableState:
    """The state before the first entry of the room's next game: the seats of players who have left are removed."""
    return replace(
        state,
        round=state.round + 1,
        version=0,
        since=0,
        spent=0,
        seats=tuple(replace(seat, took_part=False) for seat in state.staying),
        closed_us=None,
        fill_us=None,
        unrated=None,
        voted_out=False,
        pause=PauseState(),
        game=None,
        turn_spent_us=0,
        turn_since_us=None,
    )


def with_seat(state: TableState, sat: Sat, nonce: str = NO_NONCE) -> TableState:
    """The state with another player or bot, and their nonce, as before anything is logged."""
    state = replace(state, **_sit(state, sat))
    return replace(state, **_seat(state, sat.seat, nonce=nonce))


def opening(state: TableState) -> Sequence[TableEvent]:
    """The events at the start of a game's log that describe its players and room to readers of that log alone."""
    events: list[TableEvent] = []
    for number, seat in enumerate(state.seats):
        events.append(Sat(number, seat.name, seat.bot_level, seat.player_id, seat.appearance))
        if seat.account:
            events.append(AccountLinked(number, seat.account, seat.network))
        if seat.idle:
            events.append(Idle(number, True, seat.stand_in))
    kind = [] if state.kind == "friends" else [KindSet(state.kind)]
    return [*events, *kind, *[Listed(True)] * state.listed]


def _of_deal(state: TableState, dealt: Dealt, at_us: int, after: Game | None) -> dict[str, Any]:
    rules = shared(dealt.rules)
    game = after or evolve_game(None, replace(dealt, rules=rules))
    dealer = (dealt.standing.turn - rules.step) % len(state.seats)
    return {"game": game, "rules": rules, "dealer": dealer, "turn_spent_us": 0, "turn_since_us": at_us}


def _of_table(state: TableState, event: Recorded, at_us: int) -> dict[str, Any]:
    match event:
        case Measured(slap=slap):
            return _with_credits(state, (slap,))
        case Judged(order=slaps):
            return _with_credits(state, slaps)
        case Sat():
            return _sit(state, event)
        case Left(number, removed, by):
            return _leave(state, number, removed) | {"voted_out": state.voted_out or bool(by)}
        case AccountLinked(number, account, network):
            return _seat(state, number, account=account, network=network)
        case TookPart(number):
            return _seat(state, number, took_part=True)
        case Idle(number, on, level):
            return _seat(state, number, idle=on, stand_in=level if on else None)
        case NameDeleted(number):
            return _seat(state, number, name=NO_NAME)
        case Muted(number, on):
            return _seat(state, number, muted=on)
        case NonceGiven(number, nonce):
            return _seat(state, number, nonce=nonce)
        case Readmitted():
            return {"removed": ()}
        case HostPassed(number, away):
            before = state.seats[state.host].player_id if state.away_host_id is None else state.away_host_id
            return {"away_host_id": before if away else None, "host_id": state.seats[number].player_id}
        case Promised():
            return {"promised": event}
        case Committed() | LaidOut():
            seats = tuple(replace(seat, nonce=NO_NONCE) for seat in state.seats)
            return {"promised": None, "sealed": event if isinstance(event, Committed) else None, "seats": seats}
        case RulesChanged(rules, link):
            return {"rules": shared(rules), "base": base_of(link)}
        case Closed(closed_us):
            return {"closed_us": closed_us}
        case Reopened():
            return {"closed_us": None}
        case Listed(on):  # it stays a room for strangers: some may be here
            return {"listed": on, "kind": "listed" if on and state.kind == "friends" else state.kind}
        case RoomLocked(on):
            return {"locked": on}
        case KindSet(kind):
            return {"kind": kind}
        case RatingTerms(unrated):
            return {"unrated": unrated}
        case FillScheduled(fill_us):
            return {"fill_us": fill_us, "kind": "quick"}
        case Paused(on, number):
            pause = PauseState(on, number if on else None, at_us, state.pause.left_at_us(at_us))
            spent_us = 0 if state.turn_since_us is None else at_us - state.turn_since_us
            return {
                "pause": pause,
                "turn_spent_us": state.turn_spent_us + spent_us,
                "turn_since_us": None if on else at_us,
            }
    return {}  # late slaps and owners change nothing


def _of_request(state: TableState, entry: Entry) -> dict[str, Any]:
    """The requests that are remembered, with that of this entry; at the start of a log no seat is taken."""
    assert entry.request
    if isinstance(entry.event, Sat) and state.version:
        player_id = _player_id(entry.event)
        return {"seat_requests": _recent(state.seat_requests, entry, player_id, SEAT_REQUESTS_MOST)}
    return {"done_requests": _recent(state.done_requests, entry, None, DONE_REQUESTS_MOST)}


def _recent(before: Sequence[DoneRequest], entry: Entry, player_id: int | None, most: int) -> tuple[DoneRequest, ...]:
    assert entry.request
    kept = [each for each in before if entry.at_us - each.at_us < RECENT_US]
    return (*kept, DoneRequest(*entry.request, entry.at_us, player_id))[-most:]


def _player_id(sat: Sat) -> int:
    """In a log without ids, a player has the number of their seat."""
    return sat.seat if sat.player_id is None else sat.player_id


def _seat(state: TableState, number: int, **changed: Any) -> dict[str, Any]:
    """The seats, with one changed."""
    seats = state.seats
    return {"seats": (*seats[:number], replace(seats[number], **changed), *seats[number + 1 :])}


def _sit(state: TableState, sat: Sat) -> dict[str, Any]:
    number, player_id, seats = sat.seat, _player_id(sat), state.seats
    if number < len(seats) and seats[number].player_id == player_id and not seats[number].gone:
        return {}  # a later game's log begins with the players who are there
    appearance = sat.appearance or appearance_at(number, None, seats)
    seats = (*seats[:number], Occupant(sat.name, appearance, player_id, sat.bot), *seats[number + 1 :])
    return _with_host(replace(state, seats=seats, next_player_id=max(state.next_player_id, player_id + 1)))


def _leave(state: TableState, number: int, removed: bool) -> dict[str, Any]:
    ids = (state.seats[number].player_id,) if removed and state.seats[number].bot_level is None else ()
    return _with_host(replace(state, removed=(*state.removed, *ids)[-REMOVED_MOST:], **_seat(state, number, gone=True)))


def _with_host(state: TableState) -> dict[str, Any]:
    """The players after a change: the present host stays host when others come, also at a seat before theirs."""
    return {
        "seats": state.seats,
        "next_player_id": state.next_player_id,
        "removed": state.removed,
        "host_id": state.seats[state.host].player_id,
    }


def _with_credits(state: TableState, slaps: Sequence[SlapRecord]) -> dict[str, Any]:
    """The players' credit after slaps that were judged by their proofs."""
    seats = list(state.seats)
    for slap in slaps:
        if slap.proof:
            seats[slap.seat] = replace(seats[slap.seat], credit=credit_after(slap.proof, seats[slap.seat].credit))
    return {"seats": tuple(seats)}
