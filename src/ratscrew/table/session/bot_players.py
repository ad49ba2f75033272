"""The bots of a game: they plan by its view when something changed, and their plans go into the schedule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from ratscrew.bots.bot import Chance
from ratscrew.bots.memory import Memory, memory_from_view, remember
from ratscrew.game.events import Dealt
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.table.record.entries import Idle, Recorded, is_game_event
from ratscrew.table.session.schedule import Schedule
from ratscrew.table.session.seat import Seat
from ratscrew.table.state.table_state import TableState


class BotPlayers:
    """The bots of one game, with the one memory of it that all of them recall their shares of."""

    def __init__(self, seats: Sequence[Seat], chance: Chance, memory: Memory | None = None) -> None:
        """The bots among these seats, with the `memory` of what was before.

        Without a bot nothing is remembered: that would be most of what it takes to restore a game.
        """
        self._memory, self._new = memory, list[Recorded]()
        self._seats, self._chance = seats, chance

    @property
    def playing(self) -> bool:
        """Whether there is a bot that may act; none joins a running game, but one may stand in for a player."""
        return self._memory is not None and any(seat.bot for seat in self._seats)

    @property
    def memory(self) -> Memory | None:
        """What they remember of all events so far; None without a bot."""
        if self._new:
            self._memory, self._new = reduce(remember, filter(is_game_event, self._new), self._memory), []
        return self._memory

    def note(self, events: Iterable[Recorded], state: TableState) -> None:
        """Note new events, before which the table is in this state; they are added to the memory when a bot looks next.

        A bot that stands in for a player, where there was none, has seen nothing of the game before.
        """
        if self._memory is not None:
            self._new += events
            return
        for event in events:
            if self._memory is not None:
                self._new.append(event)
            elif isinstance(event, Dealt) and any(seat.played_by for seat in state.seats):
                self._memory = remember(None, event)
            elif isinstance(event, Idle) and event.bot and state.game:
                self._memory = memory_from_view(view(state.game))

    def look(self, game: Game, schedule: Schedule, now_us: int, *, new_card: bool = False, lured: bool = False) -> None:
        """Let them plan; at a new card they forget what they meant to do, and a feint only lures them into a slap."""
        if new_card:
            schedule.slaps.clear()
        bots = [(seat, each.bot) for seat, each in enumerate(self._seats[: len(game.hands)]) if each.bot]
        if not bots or (memory := self.memory) is None:
            return
        seen, n = view(game), game.n if new_card or lured else None
        plan = schedule.lure if lured else schedule.plan
        for seat, bot in bots:
            plan(seat, bot.plan(seen, seat, self._chance, memory), now_us, n)
