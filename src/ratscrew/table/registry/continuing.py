"""Go on from a moment of a finished game: what happened until then, as the beginning of another room's game.

The other room's log holds the whole game, from its deal on, and says that the cards were laid out. What the first table
logged besides (who sat there, how races were judged, the shuffle) stays behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ratscrew.bots.memory import remember
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.events import Arrived
from ratscrew.game.evolve import replay
from ratscrew.rules.words import say
from ratscrew.table.history.history import history
from ratscrew.table.record.entries import Entry, TableEvent
from ratscrew.table.record.moment import Moment

EVENTS_MOST = 2000
"""How many events a game may have before the moment: the event loop stores them, which takes some milliseconds."""


def moment_of(entries: Sequence[Entry], v: int) -> Moment:
    """The moment of a game's log after its `v`-th event.

    Raises: Refusal (not_over); RulesError if nobody could go on from there.
    """
    told = history(entries)
    if told.game is None or not told.game.over:
        raise Refusal(RefusalReason.NOT_OVER)
    if not 1 <= v <= len(told.entries):
        raise RulesError([say("This game has {most} events: choose one of them", most=len(told.entries))])
    events = tuple(entry.event for entry in told.entries[:v] if not isinstance(entry.event, TableEvent))
    if not events:
        raise RulesError([say("The cards aren't dealt yet at that moment: choose a later one")])
    if len(events) > EVENTS_MOST:
        raise RulesError(
            [
                say(
                    "You can play on from one of the first {most} events of a game: choose an earlier one",
                    most=EVENTS_MOST,
                )
            ]
        )
    game = replay(events)
    if game.over:
        raise RulesError([say("The game is over at that moment: choose an earlier one")])
    if any(isinstance(event, Arrived) for event in events):
        raise RulesError([say("A player joined the running game before that moment: choose an earlier one")])
    return Moment(events, game, reduce(remember, events[1:], remember(None, events[0])))
