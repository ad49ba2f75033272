"""How a table deals: with a shuffle whose seed it has promised before, or with cards that are laid out.

No I/O here: the table logs the events that the dealer returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from ratscrew.deck import Draw
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Dealt, Event
from ratscrew.rules.house import Rules
from ratscrew.table.players.roster import Roster
from ratscrew.table.records.entries import Committed, LaidOut, Promised
from ratscrew.table.shuffle.commit_reveal import NO_NONCE, commitment, draws, new_seed, promise

Laid: TypeAlias = Callable[[Rules, int], Dealt | None]
"""Lays out the cards for these rules and so many seats; None if the cards are to be shuffled."""


class Dealer:
    """Deals at a table: keeps the seed of the next game, and the commitment of the running one."""

    def __init__(
        self, room: str, draw: Draw, laid: Laid | None = None, public_name: Callable[[str], str] = str
    ) -> None:
        self.seat = 0
        self._room, self._draw, self._laid, self._public_name = room, draw, laid, public_name
        self._promised: Promised | None = None
        self._sealed: Committed | None = None

    @property
    def promise(self) -> str | None:
        """The hash of the seed of the next game, if it has been promised."""
        return self._promised.hash if self._promised else None

    @property
    def commitment(self) -> str | None:
        """The hash of the inputs of the running game's shuffle, if it was shuffled."""
        return self._sealed.commitment if self._sealed else None

    def apply(self, event: Promised | Committed) -> None:
        """Apply an event to the dealer."""
        if isinstance(event, Committed):
            self._sealed = event
        else:
            self._promised = event

    def to_events(self) -> list[Promised | Committed]:
        """The events that make the same dealer again, but for the seat."""
        return [each for each in (self._sealed, self._promised) if each]

    def promise_next(self, number: int) -> Promised:
        """Draw the seed of the room's game `number`, before it is dealt."""
        seed = new_seed(self._draw)
        self.apply(promised := Promised(promise(self._game(number), seed), seed))
        return promised

    def deal(
        self, rules: Rules, roster: Roster, number: int, past: Sequence[Event] = ()
    ) -> tuple[Committed | LaidOut, Sequence[Event]]:
        """Deal the room's game `number` to all who have not left; the dealer of the first game is drawn.

        A game that goes on here has its beginning, and its cards count as laid out.

        Raises: RulesError if the rules do not allow so many players.
        """
        seats, dealer = roster.staying, roster.dealer_after(self.seat, rules.step)
        sealed: Committed | None = None
        events = past or ((dealt,) if (dealt := self._laid and self._laid(rules, len(seats))) else ())
        if not events:
            game, nonces = self._game(number), tuple(seat.nonce for seat in seats)
            seed = (self._promised.seed if self._promised else None) or new_seed(self._draw)
            draw = draws(game, seed, nonces)
            dealer = draw(len(seats)) if number == 1 else dealer
            events = (deal(rules, len(seats), dealer, draw),)
            sealed = Committed(commitment(game, seed, nonces), nonces, self.promise, seed)
        self.seat, self._promised, self._sealed = dealer, None, sealed
        for seat in seats:
            seat.nonce = NO_NONCE
        return sealed or LaidOut(), events

    def _game(self, number: int) -> str:
        """The public name of the room's game `number`, with which anyone can verify its shuffle."""
        return self._public_name(f"{self._room}-{number}")
