"""Hands that come down on a table: which come too late, which are wrong, which are in a race, and who was first.

Nothing here is told, recorded or done: that is the live table's part.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, Why
from ratscrew.game.commands import Slap, Touch
from ratscrew.game.engine import blocked, found, uncovered
from ratscrew.game.state import Game
from ratscrew.judge.constants import FRAME_US
from ratscrew.table.bout import Bout, Palm
from ratscrew.table.message import Late
from ratscrew.table.record import Hit, Judged, Weighed
from ratscrew.table.scales import Press, weigh
from ratscrew.table.seat import Seat


class Ruled(NamedTuple):
    """Hands that the game is to hear of, and what is noted of how they were judged."""

    command: Slap
    note: Judged | Weighed


class Racing(NamedTuple):
    """A hand is in the race for card `n`."""

    n: int


Fate: TypeAlias = Ruled | Racing | Late | None
"""What becomes of a hand; None if it was down already, and more of its fingers are now."""


class Hands:
    """The hands on the newest cards of one game; `bout` remembers them."""

    def __init__(self, bout: Bout, seats: Sequence[Seat], draw: Draw) -> None:
        self._bout, self._seats, self._draw = bout, seats, draw

    def slap(self, game: Game, seat: int, n: int, press: Press, palm: Palm) -> Fate:
        """A seat slaps card `n`, and is judged by what it saw there.

        Raises: Refusal.
        """
        bout = self._bout
        if n > game.n:
            raise Refusal(Why.TOO_SOON)
        if bout.press(seat, n, palm):
            return None
        weight = weigh(self._seats[seat], n, bout.reveal_us(n), press)
        if weight.judgement.moving and bout.knows(n):
            raise Refusal(Why.MOVING)
        touch = bout.touch(seat, n, weight.us, palm)
        lies = self._lies(game, n, bout.reveal_us(n) + weight.us)
        why = blocked(lies, touch) if lies else Why.TOO_LATE
        if lies is None or lies.voided or why in (Why.EMPTY_PILE, Why.TOO_LATE):
            return bout.be_late(seat, n, weight.us)
        if why:
            raise Refusal(why)
        bout.count(seat, n)
        if lies.rules.judge == "auto" and not found(lies)[0]:
            hit = Hit(seat, weight.us, weight.proof)
            return Ruled(Slap((touch,), under=n < game.n), Weighed(n, hit))
        bout.contend(seat, n, weight, self._page_of(seat), palm)
        return Racing(n)

    def over_us(self, game: Game) -> int | None:
        """When the race is over, as things stand; None if there is none."""
        race = self._bout.race
        if race is None:
            return None
        lies = game if race.n == game.n else uncovered(game)
        may = [seat for seat in range(len(game.hands)) if not blocked(lies, Touch(seat))]
        return self._bout.over_us(self._seats, may, game.rules.tie_window_ms * 1000)

    def rule(self, game: Game) -> Ruled:
        """The race is over: the hands in their order, as the game is to hear of them."""
        verdict = self._bout.decide(self._draw)
        under = verdict.n < game.n
        lies = uncovered(game) if under else game
        pattern = None if game.rules.judge == "honour" else found(lies)[0]
        name = pattern.pattern.name if pattern else ""
        return Ruled(Slap(verdict.touches, under), Judged(verdict.n, name, verdict.order, verdict.tie))

    def _lies(self, game: Game, n: int, down_us: int) -> Game | None:
        """What lay there for a hand that came down on card `n`; None if it came too late for that.

        The next card covers it from its own moment on, however early or late it came to the one who slaps. If that is
        to be taken back, what lies under it goes before.
        """
        bout = self._bout
        if bout.race and bout.race.n < n:
            return None
        if n == game.n:
            return game
        if n < game.n - 1 or not bout.knows(n) or down_us >= bout.reveal_us(game.n) + FRAME_US:
            return None
        with suppress(Refusal):
            return uncovered(game)
        return None

    def _page_of(self, seat: int) -> int | None:
        """The number of a page that several seats share; None if the seat has one of its own, or none."""
        screen = self._seats[seat].screen
        sharing = [number for number, each in enumerate(self._seats) if screen and each.screen is screen]
        return sharing[0] if len(sharing) > 1 else None
