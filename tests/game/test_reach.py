"""The games of the property tests differ: everything that can happen in a game happens in some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from random import Random
from typing import TypeAlias, get_args

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DrawFn

from ratscrew.game.events import Burned, Event, Given, Locked, Lost, Passed, Slapped, Taken
from ratscrew.rules.pattern import PATTERNS
from ratscrew.testing.strategies import deals, eventful_rules, random_history

Sight: TypeAlias = Callable[[Event], bool]

DEALS = deals(eventful_rules())  # made once: to make the strategy takes longer than to draw from it
OF_A_DEAL, MOVES_MOST = 8, 80

ONCE = settings(max_examples=3000, database=None, deadline=None, derandomize=False, phases=[Phase.generate])
"""`derandomize` would leave `Random(2)` unused, and need three times as many games to find the same."""


def happens(kind: type[Event]) -> Sight:
    """An event of this kind."""
    return lambda event: isinstance(event, kind)


def taken(why: str) -> Sight:
    """A pile that is taken for this reason."""
    return lambda event: isinstance(event, Taken) and event.reason == why


# That all players lose takes three sixes in a row, which chance seldom brings: worked examples cover it.
SIGHTS: dict[str, Sight] = {
    **{kind.__name__: happens(kind) for kind in get_args(Event) if kind is not Lost},
    **{name: taken(f"slap:{name}") for name, pattern in PATTERNS.items() if "ends" not in pattern.choices},
    "a challenge is won": taken("challenge"),
    "nobody has a card": taken("stalemate"),
    "one alone holds cards": taken("sole_holder"),
    "a bluff succeeds": taken("bluff"),
    "a pile is a penalty": taken("penalty"),
    "a last chance is let pass": taken("last_chance"),
    "a card aside goes along": lambda event: isinstance(event, Taken) and event.aside is not None,
    "a pile is shuffled": lambda event: isinstance(event, Taken) and bool(event.order),
    "a player is barred": lambda event: isinstance(event, Locked) and event.until == "game",
    "several cards are burned": lambda event: isinstance(event, Burned) and len(event.cards) > 1,
    "cards are burned face down": lambda event: isinstance(event, Burned) and not event.face_up,
    "a pile is won by burning": lambda event: isinstance(event, Passed) and event.standing.reason == "challenge",
    "a card is given away": lambda event: isinstance(event, Given) and event.card is not None,
    "several hands come down together": lambda event: isinstance(event, Slapped) and len(event.seats) > 1,
}


@st.composite
def several_games(draw: DrawFn) -> Iterator[Event]:
    """The events of several games of one deal: drawing rules and a deal takes longer than playing.

    An iterator, because Hypothesis writes down what it has found, and warns if that is long.
    """
    deal, chance = draw(DEALS), Random(draw(st.integers(0, 2**32)))
    games = [random_history(deal, chance.randint(0, MOVES_MOST), chance) for _ in range(OF_A_DEAL)]
    return chain.from_iterable(games)


def test_everything_that_can_happen_happens_in_some_game() -> None:
    missing = dict(SIGHTS)

    def found_all(events: Iterator[Event]) -> bool:
        seen = tuple(events)
        for name in [name for name, sight in missing.items() if any(map(sight, seen))]:
            del missing[name]
        return not missing

    with suppress(NoSuchExample):
        find(several_games(), found_all, settings=ONCE, random=Random(2))
    assert not missing, f"never seen: {', '.join(missing)}"
