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
from ratscrew.table.record.commit_reveal import commitment, draws, new_seed, promise
from ratscrew.table.record.entries import Committed, LaidOut, Promised
from ratscrew.table.state.seat_assignment import next_dealer
from ratscrew.table.state.table_state import TableState

Laid: TypeAlias = Callable[[Rules, int], Dealt | None]
"""Lays out the cards for these rules and so many seats; None if the cards are to be shuffled."""


class Dealer:
    """Deals at a table: draws seeds, and shuffles with the one that the table has promised."""

    def __init__(
        self, room: str, draw: Draw, laid: Laid | None = None, public_name: Callable[[str], str] = str
    ) -> None:
        self._room, self._draw, self._laid, self._public_name = room, draw, laid, public_name

    def promise_next(self, number: int) -> Promised:
        """Draw the seed of the room's game `number`, before it is dealt."""
        seed = new_seed(self._draw)
        return Promised(promise(self._game(number), seed), seed)

    def deal(self, state: TableState, past: Sequence[Event] = ()) -> tuple[Committed | LaidOut, Sequence[Event]]:
        """Deal the room's next game to all who have not left; the dealer of the first game is drawn.

        A game that goes on here has its beginning, and its cards count as laid out.

        Raises: RulesError if the rules do not allow so many players.
        """
        rules, seats, number = state.rules, state.staying, state.round + 1
        if events := past or ((dealt,) if (dealt := self._laid and self._laid(rules, len(seats))) else ()):
            return LaidOut(), events
        game, nonces = self._game(number), tuple(seat.nonce for seat in seats)
        seed = (state.promised.seed if state.promised else None) or new_seed(self._draw)
        draw = draws(game, seed, nonces)
        dealer = draw(len(seats)) if number == 1 else next_dealer(state)
        dealt = deal(rules, len(seats), dealer, draw)
        return Committed(commitment(game, seed, nonces), nonces, state.promise, seed), (dealt,)

    def _game(self, number: int) -> str:
        """The public name of the room's game `number`, with which anyone can verify its shuffle."""
        return self._public_name(f"{self._room}-{number}")
