"""The games that the properties are tried on are not all alike: whatever can happen in a game happens in some."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias, get_args

import pytest
from hypothesis import Phase, find, settings

from ratscrew.game.events import Burned, Event, Struck, Taken
from ratscrew.testing.strategies import histories

Sight: TypeAlias = Callable[[Event], bool]

ONCE = settings(max_examples=5000, database=None, deadline=None, phases=[Phase.generate])


def in_some_game(sight: Sight) -> bool:
    """Whether there is a game in which something happens; `find` raises if there is none."""
    return any(map(sight, find(histories(), lambda log: any(map(sight, log)), settings=ONCE, random=Random(1))))


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: str(kind.__name__).lower())
def test_every_kind_of_event_happens(kind: type[Event]) -> None:
    assert in_some_game(lambda event: isinstance(event, kind))


SIGHTS: dict[str, Sight] = {
    "a challenge is won": lambda event: isinstance(event, Taken) and event.why == "challenge",
    "nobody has a card": lambda event: isinstance(event, Taken) and event.why == "stalemate",
    "a double is slapped": lambda event: isinstance(event, Taken) and event.why == "slap:double",
    "a sandwich is slapped": lambda event: isinstance(event, Taken) and event.why == "slap:sandwich",
    "a player is barred": lambda event: isinstance(event, Struck) and event.barred,
    "several cards are burned": lambda event: isinstance(event, Burned) and len(event.cards) > 1,
    "a pile is won by burning": lambda event: isinstance(event, Burned) and event.to.why == "challenge",
}


@pytest.mark.parametrize("sight", SIGHTS)
def test_every_turn_of_play_happens(sight: str) -> None:
    assert in_some_game(SIGHTS[sight])
