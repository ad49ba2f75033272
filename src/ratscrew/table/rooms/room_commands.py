"""What people wish for besides playing: another house, a bot, somebody else's leave, a sign, the next game.

Each takes the table, the seat that asks, the time, and what is wished for, and gives what has to be done.
"""

from __future__ import annotations

from ratscrew.errors import RefusalReason
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.effects import Move
from ratscrew.table.messages import Reacted, Sign
from ratscrew.table.records.entries import Housed, Left, Lifted, Listed, Muted, Nonced, Readmitted, RoomLocked
from ratscrew.table.refusal_handling import asked, need
from ratscrew.table.shuffle.commit_reveal import NO_NONCE
from ratscrew.table.table import Table

# The host's


@asked("start")
def begin(table: Table, seat: int, now_us: int) -> None:
    """The host has the first game dealt; in a room for strangers bots fill it."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(table.live is None, RefusalReason.NOT_OVER)
    table.next_game(now_us)


@asked("house")
def choose(table: Table, seat: int, now_us: int, rules: Rules) -> None:
    """The host chooses the house for the next game."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(not table.playing, RefusalReason.NOT_OVER)
    need(not rules.max_players or len(table.roster.staying) <= rules.max_players, RefusalReason.ROOM_FULL)
    if rules == table.rules:
        return
    table.rules = rules
    table.record([Housed(rules, to_link(rules))], now_us)


@asked("lift")
def lift(table: Table, seat: int, now_us: int) -> None:
    """The host opens the room again, which the sixes have closed."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(table.closed_us is not None, RefusalReason.NOT_SO_HERE)
    table.closed_us = None
    table.record([Lifted()], now_us)


@asked("list")
def list_room(table: Table, seat: int, now_us: int, on: bool) -> None:
    """The host lets strangers find this room, or no longer."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    if table.listed != on:
        table.listed = on
        table.record([Listed(on)], now_us)


@asked("lock")
def lock(table: Table, seat: int, now_us: int, on: bool) -> None:
    """The host locks the room, so that nobody new can join, or unlocks it. Players with a seat can always come back."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    if table.locked != on:
        table.locked = on
        table.record([RoomLocked(on)], now_us)


@asked("readmit")
def readmit(table: Table, seat: int, now_us: int) -> None:
    """The host lets everybody come back who was removed."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    if table.roster.removed:
        table.roster.take(readmitted := Readmitted())
        table.record([readmitted], now_us)


@asked("bot")
def add_bot(table: Table, seat: int, now_us: int, strength: str) -> None:
    """The host has a bot sit down, while no game is on."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(not table.playing, RefusalReason.NOT_OVER)
    table.seat(table.roster.bot_name(strength), strength, None, now_us)


@asked("remove")
def remove(table: Table, seat: int, now_us: int, other: int) -> None:
    """The host sends somebody else away, person or bot."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(other != seat and table.roster.has(other), RefusalReason.NOT_SO_HERE)
    _part(table, Left(other, removed=True), now_us)


@asked("mute")
def mute(table: Table, seat: int, now_us: int, other: int, on: bool) -> None:
    """The host silences somebody's signs, or no longer."""
    need(seat == table.roster.host, RefusalReason.NOT_HOST)
    need(table.roster.has(other), RefusalReason.NOT_SO_HERE)
    if table.seats[other].muted != on:
        table.roster.take(muted := Muted(other, on))
        table.record([muted], now_us)


# Anybody's


@asked("again")
def again(table: Table, seat: int, now_us: int) -> None:
    """Another game for everybody who sits here, once this one is over."""
    need(table.game is not None and not table.playing, RefusalReason.NOT_OVER)
    need(table.closed_us is None or now_us >= table.closed_us, RefusalReason.ROOM_CLOSED)
    table.next_game(now_us)


@asked("leave")
def leave(table: Table, seat: int, now_us: int) -> None:
    """Somebody leaves his seat for good; in a game that is on he is played for."""
    _part(table, Left(seat), now_us)


@asked("react")
def react(table: Table, seat: int, now_us: int, sign: Sign) -> None:
    """Somebody makes a sign."""
    table.roster.sign(seat, now_us)
    table.out.tell(Reacted(seat, sign))


@asked("nonce")
def give(table: Table, seat: int, now_us: int, promise: str, nonce: str) -> None:
    """Somebody's page gives its number for the shuffle of which it was promised this hash: one, and for good."""
    need(promise == table.dealer.promise, RefusalReason.TOO_LATE)
    need(table.seats[seat].nonce in (NO_NONCE, nonce), RefusalReason.TWICE)
    if table.seats[seat].nonce == NO_NONCE:
        table.roster.take(nonced := Nonced(seat, nonce))
        table.record([nonced], now_us)


def _part(table: Table, left: Left, now_us: int) -> None:
    """Somebody leaves for good: nobody acts for his seat any more."""
    table.roster.take(left)
    table.record([left], now_us)
    table.out.put(Move({seat: seat for seat in range(len(table.seats)) if seat != left.seat}, left.removed))
    if table.live:
        table.live.go(left.seat, now_us, for_good=True)
