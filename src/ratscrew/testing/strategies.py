"""Hypothesis strategies for cards, piles, houses, commands and whole games. Nothing in this file checks anything.

    @given(games())
    def test_my_bot_never_plays_out_of_turn(game): ...

They need the library `hypothesis`.
"""

from __future__ import annotations

from collections.abc import Mapping

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
def decks(draw: DrawFn, min_size: int = 1) -> Hand:
    """Different cards in some order: a few of few ranks, so that much happens, or some of a pack with two jokers."""
    most = draw(st.sampled_from([min_size + 6, len(FEW_RANKS), len(PACK) + len(JOKERS)]))
    pack = FEW_RANKS if most <= len(FEW_RANKS) else (*PACK, *JOKERS)
    return tuple(draw(st.permutations(pack))[: draw(st.integers(min_size, most))])


@st.composite
def piles(draw: DrawFn, max_size: int = 12) -> Pile:
    """Different cards on the table, some of them burned."""
    some = draw(st.lists(cards(), max_size=max_size, unique=True))
    return tuple(Laid(card, draw(st.integers(0, 3)) > 0) for card in some)


def houses() -> SearchStrategy[Rules]:
    """The rules of some house: every pattern and every penalty there is, also those declared elsewhere."""
    ranks = st.sampled_from((*RANKS, "QS", "JKR"))
    choices = {
        "direction": st.sampled_from(["cw", "ccw"]),
        "slaps": st.fixed_dictionaries({name: st.booleans() for name in PATTERNS}),
        "wrong_slap": penalties(WRONG_SLAP),
        "no_cards": penalties(NO_CARDS),
    }
    others = {"chances": st.dictionaries(ranks, st.integers(1, 5), max_size=5)}
    return st.fixed_dictionaries(choices, optional=others).map(Rules.read)


def penalties(known: Mapping[str, Penalty]) -> SearchStrategy[dict[str, Setting]]:
    """One choice from a table of penalties, with some of its parameters."""

    def choices(kind: str) -> SearchStrategy[dict[str, Setting]]:
        some = {name: _settings(type_info(type_)) for name, type_ in parameters(known[kind]).items()}
        return st.fixed_dictionaries({"kind": st.just(kind)}, optional=some)

    return st.one_of(*map(choices, known))


def commands(seats: int = 8) -> SearchStrategy[Command]:
    """Anything that may be asked of a game, mostly what it refuses: wrong seats and seats that are not there."""
    seat = st.integers(-1, seats)
    return st.one_of(st.builds(Play, seat), st.builds(Slap, seat), st.just(Collect()))


def histories(rules: SearchStrategy[Rules] | None = None, max_moves: int = 40) -> SearchStrategy[tuple[Event, ...]]:
    """The events of a game from its deal to some moment, perhaps to its end: play goes on more often than not."""
    return _histories(rules or houses(), max_moves)


def games(rules: SearchStrategy[Rules] | None = None, max_moves: int = 40) -> SearchStrategy[Game]:
    """A game at some moment that play can lead to."""
    return histories(rules, max_moves).map(replay)


@st.composite
def _histories(draw: DrawFn, some_rules: SearchStrategy[Rules], max_moves: int) -> tuple[Event, ...]:
    rules, dealer, moves = draw(some_rules), draw(st.integers(0, 7)), draw(st.integers(0, max_moves))
    seats = draw(st.integers(2, rules.max_players))
    events: list[Event] = [deal(rules, draw(decks(min_size=seats)), seats, dealer)]
    game = replay(events)
    for choice in draw(st.binary(min_size=moves, max_size=moves)):
        if game.winner is not None:
            break
        game, more = apply(game, _move(game, choice))
        events += more
    return tuple(events)


def _settings(kind: Type) -> SearchStrategy[Setting]:
    if isinstance(kind, LiteralType):
        return st.sampled_from(kind.values)
    if isinstance(kind, IntType):
        least = kind.ge or 0
        return st.integers(least, min(kind.le or least + 3, least + 3))
    return st.booleans()


def _move(game: Game, choice: int) -> Command:
    """A command that the game accepts: above 200 any; else play goes on, or half the time a pattern is slapped."""
    open_to = legal(game)
    slaps = [command for command in open_to if isinstance(command, Slap)]
    if choice > 200:
        return open_to[choice % len(open_to)]
    return slaps[choice // 2 % len(slaps)] if choice % 2 and slaps and game.rules.slap_on(game.pile) else open_to[0]
