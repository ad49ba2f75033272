"""No seat is better than another: with the seats renumbered, the same things happen under the new numbers.

A table is rotated, or seen in a mirror with the direction of play reversed. The new table has the same order of play,
so each command must have the same outcome there. What may depend on seat numbers, and is therefore held equal here:

- Hands on the pile are judged in the order in which a command lists them; equal times stay in that order. The commands
  of both tables list the same players in the same order.
- A newcomer who does not choose a seat sits at the end of the circle, behind the highest dealt seat (clause 9.3). So
  newcomers come only to tables where they choose, and always do; "behind" means clockwise, so never in the mirror.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ratscrew.errors import Refusal
from ratscrew.game.commands import Arrive, Command, Slap, slap
from ratscrew.game.engine import deal_out, decide, replay
from ratscrew.game.events import Dealt, Event
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.testing.house_strategies import houses
from ratscrew.testing.strategies import FEW_RANKS, deals, eventful_rules, random_command
from tests.game.relabel import Relabelling

MOVES = 150

NO_PATTERN: dict[str, Any] = {"double": False, "sandwich": False, "instant": []}

HOUSES: dict[str, st.SearchStrategy[Rules]] = {
    "any house": eventful_rules(),
    "claims that others contest": houses(judge="honour", cheat="off", slaps=NO_PATTERN),
    "a card to everybody": houses(wrong_slap={"kind": "give", "to": "everybody"}, slaps=NO_PATTERN, judge="auto"),
    "players are thrown out": houses(
        max_streak=1,
        slaps=NO_PATTERN,
        chances={"J": 1, "Q": 2, "K": 3, "A": 1},
        wrong_slap={"kind": "none"},
        no_cards={"kind": "ignore"},
        slap_window="always",
        final_card_slap="normal",
        withdraw_ms=0,
        redneck="off",
        judge="auto",
    ),
    "cards are dealt anew": houses(
        stalemate="redeal",
        max_streak=3,
        chances={"J": 0, "Q": 0, "K": 0, "A": 1},
        wrong_slap={"kind": "burn", "count": 2},
        judge="auto",
    ),
    "newcomers choose a seat": houses(
        join_seat="choose", late_join="slap_in", slap_in="always", hover="off", tie="earliest", judge="auto"
    ),
}
"""Any house, and those in which several seats are served one after the other."""


@st.composite
def short_deals(draw: st.DrawFn, some_rules: st.SearchStrategy[Rules]) -> Dealt:
    """Three to six players with a few cards each, so that some run out."""
    rules, seats = draw(some_rules), draw(st.integers(3, 6))
    deck = draw(st.permutations(FEW_RANKS))[: draw(st.integers(seats, 4 * seats))]
    return deal_out(rules, deck, seats, draw(st.integers(0, seats - 1)))


def open_to_newcomers(rules: Rules, how: Relabelling) -> bool:
    """Whether every newcomer at both tables chooses between whom to sit."""
    chosen = rules.join_seat == "choose" and rules.hover == "off" and rules.tie in ("earliest", "contact")
    return chosen and rules.judge == "auto" and not how.reflected


def placed(command: Command, game: Game) -> Command:
    """A command in which each newcomer chooses a seat."""
    if not isinstance(command, Slap):
        return command
    behind = game.circle[0]
    touches = (replace(each, after=each.after if each.after in game.circle else behind) for each in command.touches)
    return replace(command, touches=tuple(touches))


def rash_seat(game: Game, chance: Random) -> int:
    """A player who slaps at nothing: most often the one whom a pile is waiting for or will wait for."""
    winner = game.standing.turn if game.standing.challenger is None else game.standing.challenger
    return chance.choice([winner, winner, chance.randrange(len(game.hands))])


def outcome(game: Game, command: Command, seed: int) -> tuple[Game, tuple[Event, ...], str]:
    """The game after a command, what happened, and why it was refused if it was."""
    try:
        return *decide(game, command, Random(seed).randrange), ""
    except Refusal as refusal:
        return game, (), refusal.reason.value


def check(dealt: Dealt, how: Relabelling, seed: int, rash: float) -> None:
    """Play a game at two tables and compare each command; a share `rash` of them are slaps at nothing."""
    same, chance = Relabelling(how.seats), Random(seed)
    here, there = replay([dealt]), replay([how.of(dealt)])
    for _ in range(MOVES):
        command = placed(
            slap(rash_seat(here, chance)) if chance.random() < rash else random_command(here, chance), here
        )
        if isinstance(command, Arrive) and not open_to_newcomers(dealt.rules, how):
            continue
        draws = chance.randrange(2**32)
        here, events, refused = outcome(here, command, draws)
        there, others, refused_there = outcome(there, how.of(command), draws)
        assert refused == refused_there, command
        assert how.of(events) == same.of(others), command
        if here.over:
            break
    assert how.of(here) == same.of(there)


def relabellings(seats: int) -> st.SearchStrategy[Relabelling]:
    """Any rotation or reflection but the one that changes nothing."""
    some = [Relabelling(seats, shift, reflected) for shift in range(seats) for reflected in (False, True)]
    return st.sampled_from(some[1:])


@pytest.mark.parametrize("kind", HOUSES)
@given(st.data(), st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 0.5]))
def test_renumbered_seats_change_nothing_but_the_numbers(
    kind: str, data: st.DataObject, seed: int, rash: float
) -> None:
    dealt = data.draw(deals(HOUSES[kind]) | short_deals(HOUSES[kind]))
    check(dealt, data.draw(relabellings(len(dealt.hands))), seed, rash)


def test_a_relabelling_moves_seats_hands_and_circles() -> None:
    """Worked by hand: A, B and C sit at 0, 1 and 2; rotated by one they sit at 1, 2 and 0."""
    dealt = deal_out(house(), FEW_RANKS[:3], 3, dealer=2)
    a, b, c = dealt.hands
    moved = Relabelling(3, 1).of(dealt)
    assert (moved.hands, moved.standing.turn, moved.rules.direction) == ((c, a, b), 1, "cw")
    mirrored = Relabelling(3, 0, reflected=True).of(dealt)
    assert (mirrored.hands, mirrored.standing.turn, mirrored.rules.direction) == ((a, c, b), 0, "ccw")
    game = replay([dealt])
    assert Relabelling(3, 1).of(replace(game, circle=(0, 1, 3, 2))).circle == (0, 1, 2, 3)


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
@pytest.mark.parametrize("options", [{}, {"deal": "stacks"}, {"remainder": "pile"}, {"direction": "ccw"}], ids=str)
def test_the_deal_follows_the_dealer(options: dict[str, str], seats: int) -> None:
    deck = FEW_RANKS[:23]
    for dealer in range(seats):
        for how in (Relabelling(seats, dealer), Relabelling(seats, dealer, reflected=True)):
            dealt = deal_out(house(**options), deck, seats, dealer=0)
            assert how.of(dealt) == deal_out(how.of(dealt.rules), deck, seats, dealer=how.seat(0))
