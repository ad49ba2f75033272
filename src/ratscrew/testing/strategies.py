"""Hypothesis strategies for cards, piles, commands and whole games of any house. No checks here.

    @given(games())
    def test_my_bot_never_plays_out_of_turn(game): ...

This module requires the library `hypothesis`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import get_args

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ratscrew.cards import JOKERS, PACK, Card, CardState, Hand, Pile, PileCard
from ratscrew.errors import Refusal
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command, Slap, Touch
from ratscrew.game.decide.valid_slap import find_pattern
from ratscrew.game.engine import deal, deal_out, decide, replay, uncovered
from ratscrew.game.events import Dealt, Event
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.testing.house_strategies import houses

FEW_RANKS = tuple(card for card in PACK if str(card)[0] in "69JQKA")
"""A pack of six ranks, in which patterns and challenges are common."""


def cards() -> SearchStrategy[Card]:
    """One card, jokers too."""
    return st.sampled_from((*PACK, *JOKERS))


@st.composite
def decks(draw: DrawFn, min_size: int = 1) -> Hand:
    """Distinct cards in random order: a few of few ranks, so that much happens, or some of a pack with two jokers."""
    most = draw(st.sampled_from([min_size + 6, len(FEW_RANKS), len(PACK) + len(JOKERS)]))
    pack = FEW_RANKS if most <= len(FEW_RANKS) else (*PACK, *JOKERS)
    return tuple(draw(st.permutations(pack))[: draw(st.integers(min_size, most))])


@st.composite
def piles(draw: DrawFn, max_size: int = 12) -> Pile:
    """Distinct cards on the table: live, burned or dead, face up or face down."""
    some = draw(st.lists(cards(), max_size=max_size, unique=True))
    kinds = st.sampled_from(get_args(CardState))
    return tuple(PileCard(card, draw(kinds), draw(st.booleans())) for card in some)


def times() -> SearchStrategy[int | None]:
    """The time of a command, or None."""
    return st.none() | st.integers(0, 3000)


def touches(seat: SearchStrategy[int]) -> SearchStrategy[Touch]:
    """One hand on the pile."""
    return st.builds(Touch, seat, times(), st.integers(1, 5), st.none() | seat)


def commands(seats: int = 8) -> SearchStrategy[Command]:
    """Any command, mostly ones that a game refuses: of wrong seats and of seats that do not exist."""
    seat = st.integers(-1, seats)
    hands = st.lists(touches(seat), max_size=4, unique_by=lambda touch: touch.seat)
    alone = (cmd.Collect, cmd.Reveal, cmd.Contest, cmd.Award, cmd.Stow, cmd.Notice, cmd.Forehead)
    return st.one_of(
        st.builds(cmd.Play, seat, times()),
        st.builds(Slap, hands.map(tuple), st.booleans()),
        st.builds(cmd.slap, seat, under=st.booleans()),
        st.sampled_from([cmd.Timeout(), cmd.Arrive()]),
        *(st.builds(kind, seat) for kind in alone),
        st.builds(cmd.Choose, seat, st.sampled_from(["top", "bottom"])),
        st.builds(cmd.Hover, seat, st.booleans()),
        st.builds(cmd.Feint, seat, st.sampled_from(["slap", "card"])),
        st.builds(cmd.Place, seat, seat),
        st.builds(cmd.SlapDown, seat, seat),
    )


def deals(rules: SearchStrategy[Rules] | None = None) -> SearchStrategy[Dealt]:
    """The deal of a game, with the house's own deck or a short one, which is soon played to its end."""
    return _deals(houses() if rules is None else rules)


@st.composite
def _deals(draw: DrawFn, rules: SearchStrategy[Rules]) -> Dealt:
    house = draw(rules)
    seats = draw(st.integers(2, min(house.max_players or 8, 8)))
    dealer = draw(st.integers(0, seats - 1))
    if draw(st.integers(0, 3)):
        return deal_out(house, draw(decks(min_size=seats)), seats, dealer)
    return deal(house, seats, dealer, Random(draw(st.integers(0, 2**32))).randrange)


def eventful_rules() -> SearchStrategy[Rules]:
    """Random rules, often ones in which rare events are common."""
    return st.one_of(
        houses(),
        houses(judge="honour"),
        houses(collect="manual", cheat="split", judge="auto"),
        houses(out_of_turn="aside", max_streak=1, judge="auto"),
        houses(hover="slap_down", burn_face_up=False, judge="auto"),
        houses(slaps={"triple_six": True, "count_match": True, "double": False}, judge="auto"),
    )


def histories(rules: SearchStrategy[Rules] | None = None, max_moves: int = 40) -> SearchStrategy[tuple[Event, ...]]:
    """The events of a game from its deal to some moment, perhaps to its end; most commands continue play."""
    return _histories(houses() if rules is None else rules, max_moves)


def games(rules: SearchStrategy[Rules] | None = None, max_moves: int = 40) -> SearchStrategy[Game]:
    """A reachable state of a game."""
    return histories(rules, max_moves).map(replay)


def next_command(game: Game) -> Command:
    """The command that continues a game: the next card, or else a timeout."""
    to = game.standing
    return cmd.Play(to.turn) if to.phase == "play" or (to.phase == "last_chance" and to.chances_left) else cmd.Timeout()


_RESPONSES: Mapping[str, Callable[[int], Command]] = {
    "claim": cmd.Contest,
    "tie": cmd.Award,
    "grab": cmd.Notice,
    "split": lambda seat: cmd.Choose(seat, "bottom"),
}
"""The response that a phase of the game waits for."""


def random_command(game: Game, chance: Random) -> Command:
    """A random command: mostly one that continues play or slaps a pattern, sometimes any."""
    seat, kind = chance.randrange(len(game.hands)), chance.random()
    if kind < 0.15 and _covered(game):
        return cmd.slap(seat, under=True)
    if kind < 0.3 and (kind < 0.05 or find_pattern(game)[0]):
        return cmd.slap(seat, chance.choice([None, (game.turned_ms or 0) + chance.randrange(400)]))
    if kind < 0.2 and game.standing.phase in _RESPONSES:
        return _RESPONSES[game.standing.phase](seat)
    if kind < 0.6:
        return next_command(game)
    return chance.choice(_anything(game, seat, chance))


def _covered(game: Game) -> bool:
    """Whether the newest card covers a pattern that could be slapped."""
    try:
        return find_pattern(uncovered(game))[0] is not None
    except Refusal:
        return False


def _anything(game: Game, seat: int, chance: Random) -> Sequence[Command]:
    """A command of each kind."""
    seats = range(len(game.hands))
    other = chance.choice(seats)
    together = chance.sample(seats, min(3, len(seats)))
    now = game.n * 1000
    return (
        cmd.Play(game.standing.turn, now),
        cmd.Play(seat),
        Slap(tuple(Touch(each, now + chance.randrange(400), chance.randint(1, 5), other) for each in together)),
        Slap(tuple(map(Touch, together))),
        Slap(tuple(map(Touch, together)), under=True),
        cmd.slap(seat, under=True),
        cmd.Timeout(),
        cmd.Timeout(),
        cmd.Collect(seat),
        cmd.Collect(game.standing.turn),
        cmd.Reveal(seat),
        cmd.Place(other, game.standing.turn),
        cmd.Contest(seat),
        cmd.Award(seat),
        cmd.Stow(seat),
        cmd.Notice(seat),
        cmd.Choose(seat, chance.choice(["top", "bottom"])),
        cmd.Forehead(seat),
        cmd.Forehead(other),
        cmd.Hover(seat, chance.random() < 0.3),
        cmd.SlapDown(seat, other),
        cmd.Feint(seat, chance.choice(["slap", "card"])),
        cmd.Arrive() if len(seats) < 9 else cmd.Timeout(),
        cmd.SetLimit(game.n + 1 + chance.randrange(99)),
    )


@st.composite
def _histories(draw: DrawFn, some_rules: SearchStrategy[Rules], max_moves: int) -> tuple[Event, ...]:
    deal, chance = draw(deals(some_rules)), Random(draw(st.integers(0, 2**32)))
    return random_history(deal, draw(st.integers(0, max_moves)), chance)


def random_history(deal: Dealt, moves: int, chance: Random) -> tuple[Event, ...]:
    """The events of a game with this deal in which so many random commands are given, or until it is over."""
    events: list[Event] = [deal]
    game = replay(events)
    while moves > 0 and not game.over:
        moves -= 1
        try:
            game, more = decide(game, random_command(game, chance), chance.randrange)
        except Refusal:
            continue
        events += more
    return tuple(events)
