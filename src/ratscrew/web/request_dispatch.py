"""What a page wishes for goes to its room, as what the room can do for it."""

from __future__ import annotations

from ratscrew.errors import RefusalReason, RulesError
from ratscrew.rules.link import from_link
from ratscrew.table.delivery.subscriber import Subscriber
from ratscrew.table.messages import Refused
from ratscrew.table.rooms import room_commands as wishes
from ratscrew.table.rooms.room import Room
from ratscrew.table.session.table_action import TableAction
from ratscrew.web import wire


def pass_on(wish: wire.Wish, guest: Subscriber, room: Room) -> None:
    """Have the room do what a guest wishes for, or tell him why not."""
    ask = room.ask
    match wish:
        case wire.Act(do, target, half, seat):
            room.act(guest, TableAction(do, target, half), seat)
        case wire.House(text):
            _choose(text, guest, room)
        case wire.Start():
            ask(guest, "start", None, wishes.begin)
        case wire.Lift():
            ask(guest, "lift", None, wishes.lift)
        case wire.Again():
            ask(guest, "again", None, wishes.again)
        case wire.AddBot(strength):
            ask(guest, "bot", None, wishes.add_bot, strength)
        case wire.Remove(other):
            ask(guest, "remove", None, wishes.remove, other)
        case wire.Mute(other, on):
            ask(guest, "mute", None, wishes.mute, other, on)
        case wire.List(on):
            ask(guest, "list", None, wishes.list_room, on)
        case wire.Lock(on):
            ask(guest, "lock", None, wishes.lock, on)
        case wire.Readmit():
            ask(guest, "readmit", None, wishes.readmit)
        case wire.Leave(seat):
            ask(guest, "leave", seat, wishes.leave)
        case wire.React(sign, seat):
            ask(guest, "react", seat, wishes.react, sign)
        case wire.Give(promise, nonce, seat):
            ask(guest, "nonce", seat, wishes.give, promise, nonce)


def _choose(house: str, guest: Subscriber, room: Room) -> None:
    try:
        rules = from_link(house)
    except RulesError:
        guest.hear(Refused("house", RefusalReason.NO_HOUSE.value))
    else:
        room.ask(guest, "house", None, wishes.choose, rules)
