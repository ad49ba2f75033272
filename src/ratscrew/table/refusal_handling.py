"""What a seat asks of a table: it is done, or who asked is told why not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from ratscrew.errors import Refusal, RefusalReason
from ratscrew.table.effects import Effect, EffectBuffer
from ratscrew.table.messages import Asked, Refused
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.log_budget import LogBudget


class Asks(Protocol):
    """Whatever has seats that ask, and an outbox for the answer."""

    out: EffectBuffer

    @property
    def seats(self) -> Sequence[Seat]:
        """Everybody who may ask."""
        ...

    @property
    def budget(self) -> LogBudget:
        """What the log may still have."""
        ...


T = TypeVar("T", bound=Asks)
P = ParamSpec("P")
Do: TypeAlias = Callable[Concatenate[T, int, P], object]
Answered: TypeAlias = Callable[Concatenate[T, int, P], list[Effect]]


def asked(what: Asked) -> Callable[[Do[T, P]], Answered[T, P]]:
    """Makes of something that may be refused something that tells who asked; who has left asks for nothing."""

    def asking(do: Do[T, P]) -> Answered[T, P]:
        @wraps(do)
        def answered(table: T, seat: int, /, *args: P.args, **kwargs: P.kwargs) -> list[Effect]:
            try:
                need(not table.seats[seat].gone, RefusalReason.NOT_PLAYING)
                need(table.budget.allows(what), RefusalReason.ROOM_LOG_FULL)
                do(table, seat, *args, **kwargs)
            except Refusal as refusal:
                table.out.tell(Refused(what, refusal.reason.value), seat)
            return table.out.empty()

        return answered

    return asking


def need(holds: bool, why: RefusalReason) -> None:
    """Go on only if this holds.

    Raises: Refusal.
    """
    if not holds:
        raise Refusal(why)
