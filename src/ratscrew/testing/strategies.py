"""Hypothesis strategies for cards, piles, houses, commands and whole games. Nothing in this file checks anything.

    @given(games())
    def test_my_bot_never_plays_out_of_turn(game): ...

They need the library `hypothesis`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.inspect import IntType, LiteralType, Type, type_info

from ratscrew.cards import JOKERS, PACK, RANKS, Card, Hand, Laid, Pile
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.engine import apply, deal, legal, replay
from ratscrew.game.events import Event
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules, Setting
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Penalty, parameters

FEW_RANKS = tuple(card for card in PACK if str(card)[0] in "79JKA")
"""A pack of five ranks, in which patterns and challenges are common."""


def cards() -> SearchStrategy[Card]:
    """One card, jokers too."""
    return st.sampled_from((*PACK, *JOKERS))


@st.composite
def decks(draw: DrawFn, min_size: int = 1, max_size: int = 54) -> Hand:
    """Different cards in some order: of a whole pack and two jokers, or of few ranks, so that more happens."""
    packs = [pack for pack in (FEW_RANKS, PACK, (*PACK, *JOKERS)) if len(pack) >= min_size]
    deck = draw(st.permutations(draw(st.sampled_from(packs))))
    return tuple(deck[: draw(st.integers(min_size, min(max_size, len(deck))))])


@st.composite
def piles(draw: DrawFn, max_size: int = 12) -> Pile:
    """Different cards on the table, some of them burned."""
    some = draw(st.lists(cards(), max_size=max_size, unique=True))
    return tuple(Laid(card, draw(st.integers(0, 3)) > 0) for card in some)


@st.composite
def houses(draw: DrawFn) -> Rules:
    """The rules of some house: every pattern and every penalty there is, also those declared elsewhere."""
    ranks = st.sampled_from((*RANKS, "QS", "JKR"))
    chances = st.dictionaries(ranks, st.integers(1, 5), max_size=5)
    choices: dict[str, Any] = {
        "direction": draw(st.sampled_from(["cw", "ccw"])),
        "slaps": {name: draw(st.booleans()) for name in PATTERNS},
        "wrong_slap": draw(penalties(WRONG_SLAP)),
        "no_cards": draw(penalties(NO_CARDS)),
    }
    if draw(st.booleans()):
        choices["chances"] = draw(chances)
    return Rules.read(choices)


@st.composite
def penalties(draw: DrawFn, known: Mapping[str, Penalty]) -> dict[str, Setting]:
    """One choice from a table of penalties, with some of its parameters."""
    kind = draw(st.sampled_from(list(known)))
    choice: dict[str, Setting] = {"kind": kind}
    for name, type_ in parameters(known[kind]).items():
        if draw(st.booleans()):
            choice[name] = draw(_settings(type_info(type_)))
    return choice


def commands(seats: int = 8) -> SearchStrategy[Command]:
    """Anything that may be asked of a game, mostly what it refuses: wrong seats and seats that are not there."""
    seat = st.integers(-1, seats)
    return st.one_of(st.builds(Play, seat), st.builds(Slap, seat), st.just(Collect()))


@st.composite
def moves(draw: DrawFn, game: Game) -> Command:
    """A command that the game accepts, a turned card more often than a slap. The game must not be over."""
    open_to = legal(game)
    return draw(st.one_of(st.just(open_to[0]), st.just(open_to[0]), st.sampled_from(open_to)))


@st.composite
def histories(draw: DrawFn, max_moves: int = 40) -> tuple[Event, ...]:
    """The events of a game from its deal to some moment, perhaps to its end."""
    rules, dealer = draw(houses()), draw(st.integers(0, 7))
    seats = draw(st.integers(2, rules.max_players))
    events: list[Event] = [deal(rules, draw(decks(min_size=seats)), seats, dealer)]
    game = replay(events)
    for _ in range(draw(st.integers(0, max_moves))):
        if game.winner is not None:
            break
        game, more = apply(game, draw(moves(game)))
        events += more
    return tuple(events)


def games(max_moves: int = 40) -> SearchStrategy[Game]:
    """A game at some moment that play can lead to."""
    return histories(max_moves).map(replay)


def _settings(kind: Type) -> SearchStrategy[Setting]:
    if isinstance(kind, LiteralType):
        return st.sampled_from(kind.values)
    if isinstance(kind, IntType):
        least = kind.ge or 0
        return st.integers(least, min(kind.le or least + 3, least + 3))
    return st.booleans()
