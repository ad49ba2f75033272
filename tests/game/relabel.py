"""The same table with other seat numbers: players, hands, events and games with each seat renamed.

A rotation moves players `shift` seats on. A reflection also reverses the circle and the direction of play. Both keep
the order of play, so whatever happens afterwards may differ in the seat numbers only.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.game.events import Taken
from ratscrew.rules.house import Rules

T = TypeVar("T")

SEAT = {
    "seat",
    "turn",
    "challenger",
    "last",
    "winner",
    "to_seat",
    "victim",
    "cheater",
    "target",
    "owner",
    "after",
    "leader",
    "loser",
}
"""Fields that hold one seat."""

SEATS = {"seats", "tied", "contesters"}
"""Fields that hold seats in an order that counts."""

SET_OF_SEATS = {"seats_to_play"}
"""Fields that hold seats in an order that means nothing."""

BY_SEAT = {"hands", "asides", "seat_states"}
"""Fields with one value for each seat."""

NESTED = {"checkpoint", "rules", "standing", "resume_state", "undo_state", "claim", "theft", "touches"}
"""Fields with structs in them."""

UNRELATED = {
    "age",
    "all_lose",
    "answer_number",
    "aside",
    "at_ms",
    "end_reason",
    "limit_set",
    "card",
    "cards",
    "chances_left",
    "claim_type",
    "contact",
    "convicted",
    "count",
    "debt",
    "face_up",
    "feint_type",
    "fouls",
    "half",
    "hand_burned",
    "hovering",
    "locked",
    "missed",
    "n",
    "off",
    "opening",
    "order",
    "out",
    "phase",
    "pile",
    "place",
    "playing",
    "reason",
    "repeated",
    "span",
    "stakes",
    "streak",
    "streak_n",
    "strikes",
    "touched",
    "turned_ms",
    "under",
    "until",
    "version",
    "voided",
    "withdrawn",
}
"""Fields that name no seat; `aside` is a flag everywhere but in `Taken`, where it is the seat of its owner."""

KNOWN = {*SEAT, *SEATS, *SET_OF_SEATS, *BY_SEAT, *NESTED, "circle", *UNRELATED}


class Relabelling(NamedTuple):
    """New numbers for the seats of a table. Seats beyond the dealt ones (newcomers, nobody) keep theirs."""

    seats: int
    shift: int = 0
    reflected: bool = False

    def seat(self, seat: int) -> int:
        """The new number of a seat."""
        if not 0 <= seat < self.seats:
            return seat
        return ((-seat if self.reflected else seat) + self.shift) % self.seats

    def of(self, some: T) -> T:
        """A command, an event or a game under the new numbers, circles written from seat 0 on."""
        value: Any = some
        if isinstance(value, Rules):
            other = "ccw" if value.direction == "cw" else "cw"
            value = replace(value, direction=other) if self.reflected else value
        elif isinstance(value, Struct):
            changed = {name: self._field(value, name) for name in value.__struct_fields__}
            value = type(value)(**changed)
        elif isinstance(value, tuple) and value and isinstance(value[0], Struct):
            value = tuple(map(self.of, value))
        return value  # type: ignore[no-any-return]

    def by_seat(self, values: tuple[T, ...]) -> tuple[T, ...]:
        """Values of the seats, each where its seat has gone."""
        moved = list(values)
        for seat, value in enumerate(values):
            moved[self.seat(seat)] = value
        return tuple(moved)

    def _field(self, struct: Struct, name: str) -> Any:
        value = getattr(struct, name)
        assert name in KNOWN, f"{type(struct).__name__}.{name}: does it name seats? say so above"
        if value is None:
            return None
        if name in SEAT or (name == "aside" and isinstance(struct, Taken)):
            return self.seat(value)
        if name in SEATS:
            return tuple(map(self.seat, value))
        if name in SET_OF_SEATS:
            return tuple(sorted(map(self.seat, value)))
        if name in BY_SEAT:
            return self.by_seat(value)
        if name == "circle":
            return self._circle(value)
        return self.of(value) if name in NESTED else value

    def _circle(self, circle: tuple[int, ...]) -> tuple[int, ...]:
        around = [self.seat(seat) for seat in (circle[::-1] if self.reflected else circle)]
        first = around.index(0)
        return (*around[first:], *around[:first])
