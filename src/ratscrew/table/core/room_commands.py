"""Executes the requests of `table/record/requests.py` on a table: one case of `execute` for each."""

from __future__ import annotations

from typing import cast

from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.rules.link import base_of, from_link, to_link
from ratscrew.table.core.intermission import note_ready, pause, require_over
from ratscrew.table.core.rights import require_right
from ratscrew.table.core.table import Table
from ratscrew.table.core.voting import vote
from ratscrew.table.record import requests
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.effects import Effects, Reseat, Send, refused, require
from ratscrew.table.record.entries import (
    HostPassed,
    Left,
    Listed,
    Muted,
    NonceGiven,
    Readmitted,
    Reopened,
    RoomLocked,
    RulesChanged,
)
from ratscrew.table.record.messages import Reacted, RequestName
from ratscrew.table.record.requests import Request
from ratscrew.table.record.table_action import TableAction


def name_of(request: Request) -> RequestName:
    """The request's tag on the wire."""
    return cast(RequestName, request.__struct_config__.tag)


def execute(table: Table, seat: int, request: Request, now_us: int) -> Effects:
    """Execute a seat's request; if it is refused, the seat gets the reason."""
    if isinstance(request, requests.Act):
        return table.act(seat, TableAction(request.action, request.target, request.half), now_us)
    back = [] if request.FACTS.by_page else table.note_part(seat, now_us) + table.come_back(seat, now_us)
    try:
        return back + _execute(table, seat, request, now_us)
    except Refusal as refusal:
        return [*back, refused(name_of(request), seat, refusal)]


def _execute(table: Table, seat: int, request: Request, now_us: int) -> Effects:
    """Raises: Refusal."""
    table.require_allowed(name_of(request), seat)
    require_right(table, seat, name_of(request))
    match request:
        case requests.Start():
            require(table.session is None, RefusalReason.NOT_OVER)
            return table.next_game(now_us)
        case requests.House(text):
            return _choose_rules(table, text, now_us)
        case requests.Reopen():
            require(table.state.closed_us is not None, RefusalReason.NOT_SO_HERE)
            return table.record([Reopened()], now_us)
        case requests.ListRoom(on) if table.state.listed != on:
            return table.record([Listed(on)], now_us)
        case requests.LockRoom(on) if table.state.locked != on:
            return table.record([RoomLocked(on)], now_us)
        case requests.Readmit() if table.state.removed:
            return table.record([Readmitted()], now_us)
        case requests.AddBot(strength):
            require(not table.state.playing, RefusalReason.NOT_OVER)
            return table.take_seat(table.bot_name(strength), strength, None, now_us)[1]
        case requests.Remove(other):
            require(other != seat and table.state.has(other), RefusalReason.NOT_SO_HERE)
            return remove(table, other, now_us)
        case requests.Vote(other, on):
            voters, effects = vote(table, seat, other, on, now_us)
            return effects + (remove(table, other, now_us, voters) if voters else [])
        case requests.Mute(other, on):
            require(table.state.has(other), RefusalReason.NOT_SO_HERE)
            return table.record([Muted(other, on)], now_us) if table.seats[other].muted != on else []
        case requests.PassHost(other):
            require(other != seat and table.state.has(other) and table.seats[other].here, RefusalReason.NOT_SO_HERE)
            return table.record([HostPassed(other)], now_us)
        case requests.DealAgain():
            require_over(table, now_us)
            return table.next_game(now_us)
        case requests.Ready(on):
            return note_ready(table, seat, on, now_us)
        case requests.Pause(on):
            return pause(table, seat, on, now_us)
        case requests.ComeBack():
            return []  # `execute` has brought them back
        case requests.Leave():
            return _leave(table, Left(seat), now_us)
        case requests.React(sign):
            table.note_sign(seat, now_us)
            return [Send(Reacted(seat, sign))]
        case requests.GiveNonce(promise, nonce):
            require(promise == table.state.promise, RefusalReason.TOO_LATE)
            require(table.seats[seat].nonce in (NO_NONCE, nonce), RefusalReason.TWICE)
            return table.record([NonceGiven(seat, nonce)], now_us) if table.seats[seat].nonce == NO_NONCE else []
    return []  # nothing to change


def _choose_rules(table: Table, text: str, now_us: int) -> Effects:
    """Change the rules for the next game."""
    try:
        rules = from_link(text)
    except RulesError as error:
        raise Refusal(RefusalReason.NO_HOUSE) from error
    require(not table.state.playing, RefusalReason.NOT_OVER)
    require(not rules.max_players or len(table.state.staying) <= rules.max_players, RefusalReason.ROOM_FULL)
    if rules == table.state.rules:
        return []
    return table.record([RulesChanged(rules, to_link(rules, base_of(text)))], now_us)


def remove(table: Table, seat: int, now_us: int, voters: tuple[int, ...] = ()) -> Effects:
    """Remove a player for good, as the host, the voters or the operator want it."""
    return _leave(table, Left(seat, removed=True, by=voters if table.state.playing else ()), now_us)


def _leave(table: Table, left: Left, now_us: int) -> Effects:
    """A player or bot leaves for good: in a running game, their cards are turned for them."""
    effects = table.record([left], now_us)
    effects.append(Reseat({seat: seat for seat in range(len(table.seats)) if seat != left.seat}, left.removed))
    effects += table.host_countdown(left.seat, now_us)
    return effects + (table.session.go(left.seat, now_us, for_good=True) if table.session else [])
