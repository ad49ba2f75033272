"""Hands that come down on a table: which come too late, which are wrong, which are in a race, and who was first.

Nothing here is told, recorded or done: that is the live table's part.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from ratscrew.deck import Draw
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.commands import Slap, Touch
from ratscrew.game.engine import find_pattern, slap_refusal, uncovered
from ratscrew.game.state import Game
from ratscrew.judge.constants import FRAME_US
from ratscrew.table.messages import Late
from ratscrew.table.players.seat import Seat
from ratscrew.table.records.entries import Hit, Judged, LateSlap, Weighed
from ratscrew.table.session.slap_measurement import Press, measure
from ratscrew.table.session.slap_tracker import SlapContact, SlapTracker


class Ruled(NamedTuple):
    """Hands that the game is to hear of, and what is noted of how they were judged."""

    command: Slap
    note: Judged | Weighed


class Racing(NamedTuple):
    """A hand is in the race for card `n`."""

    n: int


class Dropped(NamedTuple):
    """A hand that was in the race for a card and counts no longer: why, and what it would have been if late."""

    late: Late
    why: RefusalReason


class Ruling(NamedTuple):
    """A race is over: what the game is to hear of it, or None if no hand in it counts any more.

    `dropped` are the hands without which it was ruled: they cost nothing.
    """

    ruled: Ruled | None
    dropped: tuple[Dropped, ...]


class TooLate(NamedTuple):
    """A hand that came too late: what everybody is sent, and what is logged of it, if anything."""

    late: Late
    note: LateSlap | None


SlapOutcome: TypeAlias = Ruled | Racing | TooLate | None
"""What becomes of a hand; None if it was down already, and more of its fingers are now."""


class Hands:
    """The hands on the newest cards of one game; `bout` remembers them."""

    def __init__(self, bout: SlapTracker, seats: Sequence[Seat], draw: Draw) -> None:
        self._bout, self._seats, self._draw = bout, seats, draw
        self._known: tuple[Game, int, _Raced | None] | None = None

    def slap(self, game: Game, seat: int, n: int, press: Press, palm: SlapContact) -> SlapOutcome:
        """A seat slaps card `n`, and is judged by what it saw there.

        Raises: Refusal.
        """
        bout = self._bout
        if n > game.n:
            raise Refusal(RefusalReason.TOO_SOON)
        if bout.press(seat, n, palm):
            return None
        weight = measure(self._seats[seat], n, bout.reveal_us(n), press)
        if weight.judgement.moving and bout.knows(n):
            raise Refusal(RefusalReason.MOVING)
        touch = bout.touch(seat, n, weight.us, palm)
        lies = self._lies(game, n, bout.reveal_us(n) + weight.us)
        why = slap_refusal(lies, touch) if lies and not bout.has_postponed(seat) else RefusalReason.TOO_LATE
        if lies is None or lies.voided or why in (RefusalReason.EMPTY_PILE, RefusalReason.TOO_LATE):
            late = bout.be_late(seat, n, weight.us)
            logged = self._seats[seat].page_state is not None and bout.log_late(seat, n)
            return TooLate(late, LateSlap(n, Hit(seat, weight.us, weight.proof)) if logged else None)
        if why:
            raise Refusal(why)
        bout.count(seat, n)
        if lies.rules.judge == "auto" and not find_pattern(lies)[0]:
            hit = Hit(seat, weight.us, weight.proof)
            return Ruled(Slap((touch,), under=n < game.n), Weighed(n, hit))
        bout.contend(seat, n, weight, self._page_of(seat), palm)
        return Racing(n)

    def over_us(self, game: Game) -> int | None:
        """When the race is over, as things stand; None if there is none.

        A race in which no hand counts any more is over at once.
        """
        race = self._bout.race
        if race is None:
            return None
        raced = self._raced_for(game)
        if raced is None or not self._counting(raced):
            return min(contender.arrived_us for contender in race.contenders)
        return self._bout.over_us(self._seats, raced.may, game.rules.tie_window_ms * 1000)

    def rule(self, game: Game) -> Ruling:
        """The race is over: the hands in their order, as the game is to hear of them.

        What happened since a hand came down may keep it from counting: a wrong slap at the card below may have locked
        its player out or thrown the player out of the game, or the player has left. The race is ruled without it.
        """
        bout = self._bout
        race = bout.race
        assert race, "there is a race to rule"
        raced = self._raced_for(game)
        counting = set() if raced is None else self._counting(raced)
        dropped = tuple(
            Dropped(
                Late(each.seat, race.n, each.reaction_us),
                (slap_refusal(raced.lies, Touch(each.seat)) if raced else None) or RefusalReason.TOO_LATE,
            )
            for each in race.contenders
            if each.seat not in counting
        )
        if raced is None or not counting:
            bout.race = None
            return Ruling(None, dropped)
        bout.drop([each.late.seat for each in dropped])
        verdict = bout.decide(self._draw)
        judged = Judged(verdict.n, raced.pattern, verdict.order, verdict.tie)
        return Ruling(Ruled(Slap(verdict.touches, under=verdict.n < game.n), judged), dropped)

    def spoils(self, game: Game, after: Game, seat: int) -> bool:
        """Whether a wrong slap by a seat, after which the game stands so, would take from others what they race for."""
        raced, left = self._raced_for(game), self._raced_for(after)
        others = set() if raced is None else self._counting(raced) - {seat}
        return bool(others) and (left is None or not others <= self._counting(left))

    def _raced_for(self, game: Game) -> _Raced | None:
        """What the hands in the race race for; None if it is gone, and nobody can have it any more.

        It is remembered, because it is asked for at every heartbeat.
        """
        race = self._bout.race
        if race is None or game.over:
            return None
        if self._known is None or self._known[0] is not game or self._known[1] != race.n:
            self._known = game, race.n, _raced(game, race.n)
        return self._known[2]

    def _counting(self, raced: _Raced) -> set[int]:
        """The seats whose hands in the race count."""
        contenders = self._bout.race.contenders if self._bout.race else ()
        return {each.seat for each in contenders if each.seat in raced.may and not self._seats[each.seat].gone}

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
        page_state = self._seats[seat].page_state
        sharing = [number for number, each in enumerate(self._seats) if page_state and each.page_state is page_state]
        return sharing[0] if len(sharing) > 1 else None


class _Raced(NamedTuple):
    """What lies there for a race: the game, the name of the pattern (none on one's honour), and who may slap it."""

    lies: Game
    pattern: str
    may: Sequence[int]


def _raced(game: Game, n: int) -> _Raced | None:
    """What lies there with card `n`, one of the last two; None if a slap of it brings nothing any more."""
    try:
        lies = game if n == game.n else uncovered(game)
    except Refusal:
        return None
    honour = lies.rules.judge == "honour"
    pattern = None if honour else find_pattern(lies)[0]
    if not (honour or pattern):
        return None
    may = [seat for seat in range(len(lies.hands)) if not slap_refusal(lies, Touch(seat))]
    return _Raced(lies, pattern.pattern.name if pattern else "", may)
