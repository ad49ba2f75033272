"""The simulation: whole games by the real engine, in simulated time."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ratscrew.bots.bot import Bot, Chance, Move, Plan
from ratscrew.bots.ladder import bot
from ratscrew.bots.memory import Memory
from ratscrew.cards import cards
from ratscrew.game.commands import Collect, Feint
from ratscrew.game.events import Burned, Dealt, Event, Feinted, Fouled, Played, Slapped, Taken, Voided, Won
from ratscrew.game.standing import Standing
from ratscrew.game.view import View
from ratscrew.lab import simulation
from ratscrew.lab.play import play_games
from ratscrew.lab.random_stream import RandomStream
from ratscrew.lab.simulation import Simulation, TimelineEntry, simulate, tally_of
from ratscrew.lab.tally import Tally
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house


@dataclass
class Puppet:
    """A bot that turns after `pause_us`, and slaps card n after `slaps[n]`."""

    slaps: dict[int, int] = field(default_factory=dict)
    pause_us: int = 300_000
    collects_us: int | None = None
    feints_us: int | None = None

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """The given plan."""
        mine = view.standing.turn == seat
        moves = (Move(self.collects_us, Collect(seat)),) if mine and self.collects_us is not None else ()
        turn_us = self.pause_us if mine and view.standing.phase == "play" else None
        moves = moves if view.standing.phase == "won" else ()
        if self.feints_us is not None and mine and view.n == 1:
            moves = (Move(self.feints_us, Feint(seat, "slap")),)
        return Plan(turn_us, self.slaps.get(view.n), moves)


def played(*bots: Bot, rules: Rules | None = None, hands: tuple[str, ...]) -> list[TimelineEntry]:
    """A game of these hands; seat 0 leads."""
    dealt = Dealt(rules or house(), tuple(map(cards, hands)), Standing("play", 0))
    return list(Simulation(dealt.rules, bots, RandomStream(1), dealt).run(limit=50))


def times_of(timeline: list[TimelineEntry], *kinds: type[Event]) -> list[tuple[int, str, int]]:
    """When something of these kinds happened, what, and to whom; in milliseconds."""
    return [
        (entry.us // 1000, type(entry.event).__name__, getattr(entry.event, "seat", -1))
        for entry in timeline
        if isinstance(entry.event, kinds)
    ]


def test_cards_are_shown_when_they_have_flown_and_never_too_close() -> None:
    quick = played(Puppet(), Puppet(), hands=("2C 4C 6C", "3C 5C"))
    assert [ms for ms, _, _ in times_of(quick, Played)][:4] == [500, 1000, 1500, 2000]
    slow = played(Puppet(pause_us=900_000), Puppet(), hands=("2C 4C 6C", "3C 5C"))
    assert [ms for ms, _, _ in times_of(slow, Played)][:4] == [1060, 1560, 2620, 3120]


def test_the_first_hand_takes_the_pile_and_leads() -> None:
    timeline = played(Puppet({2: 350_000}), Puppet({2: 340_000}), hands=("9C 4C 6C", "9H 5C"))
    assert times_of(timeline, Slapped, Taken)[:2] == [(1340, "Slapped", -1), (1340, "Taken", 1)]
    assert times_of(timeline, Played)[2] == (1800, "Played", 1)  # 300 ms after the slap, and 160 in the air


def test_a_slap_that_is_later_than_the_next_card_is_forgotten() -> None:
    timeline = played(Puppet({2: 500_000}), Puppet(), hands=("9C 4C 6C", "9H 5C"))
    assert times_of(timeline, Slapped) == []
    just = played(Puppet({2: 499_999}), Puppet(), hands=("9C 4C 6C", "9H 5C"))
    assert times_of(just, Slapped) == [(1499, "Slapped", -1)]


def test_a_wrong_slap_costs_its_penalty_and_the_others_still_stand() -> None:
    timeline = played(Puppet({1: 210_000}), Puppet({1: 220_000}), hands=("9C 4C 6C", "8H 5C 3C"))
    assert times_of(timeline, Fouled, Burned)[:4] == [
        (710, "Fouled", 0),
        (710, "Burned", 0),
        (720, "Fouled", 1),
        (720, "Burned", 1),
    ]
    assert times_of(timeline, Played)[1] == (1000, "Played", 1)


def test_a_player_who_has_slapped_a_card_is_not_lured_into_slapping_it_again() -> None:
    feint = Puppet(pause_us=900_000, feints_us=300_000)
    lured = played(Puppet({1: 250_000}), feint, Puppet({1: 350_000}), hands=("9C 4C 6C", "8H 5C 3C", "2H 3H 7H"))
    assert times_of(lured, Feinted, Fouled) == [(750, "Fouled", 0), (800, "Feinted", 1), (850, "Fouled", 2)]


def test_hands_within_the_window_come_together() -> None:
    rules = house(tie="void", tie_window_ms=30)
    timeline = played(Puppet({2: 300_000}), Puppet({2: 330_000}), rules=rules, hands=("9C 4C 6C", "9H 5C"))
    assert times_of(timeline, Slapped, Voided)[:2] == [(1300, "Slapped", -1), (1300, "Voided", -1)]
    apart = played(Puppet({2: 300_000}), Puppet({2: 331_000}), rules=rules, hands=("9C 4C 6C", "9H 5C"))
    assert times_of(apart, Slapped, Taken)[:2] == [(1300, "Slapped", -1), (1300, "Taken", 0)]


def test_where_nobody_could_tell_who_was_first_a_later_hand_costs_nothing() -> None:
    rules = house(tie="void", tie_window_ms=30)
    bots = (Puppet({2: 300_000}), Puppet({2: 310_000}), Puppet({2: 400_000}))
    timeline = played(*bots, rules=rules, hands=("9C 4C", "9H 5C", "2C 3C"))
    assert times_of(timeline, Voided) == [(1300, "Voided", -1)]
    assert times_of(timeline, Fouled) == []


def test_a_won_pile_lies_for_a_while_and_can_be_slapped() -> None:
    timeline = played(Puppet(), Puppet(), hands=("JC 3C 4C", "2C 5C 7C"))
    assert times_of(timeline, Played, Taken)[:3] == [(500, "Played", 0), (1000, "Played", 1), (2500, "Taken", 0)]
    late = played(Puppet({3: 900_000}), Puppet(), hands=("5C 5D 4C", "JH 2C 7C"))
    assert times_of(late, Taken)[0] == (2400, "Taken", 0)  # a sandwich under a challenge that has failed at 1500


def test_a_pile_is_picked_up_by_hand_when_everybody_could_slap_it() -> None:
    rules = house(collect="manual")
    hands = ("JC 3C 4C", "2C 5C 7C")
    soon = played(Puppet(collects_us=200_000), Puppet(), rules=rules, hands=hands)
    assert times_of(soon, Taken)[0] == (1500, "Taken", 0)
    later = played(Puppet(collects_us=900_000), Puppet(), rules=rules, hands=hands)
    assert times_of(later, Taken)[0] == (1900, "Taken", 0)
    never = played(Puppet(), Puppet(), rules=rules, hands=hands)
    assert times_of(never, Taken)[0] == (1000 + rules.turn_ms, "Taken", 0)


def test_a_game_without_end_is_given_up() -> None:
    bots = (Puppet(), Puppet())
    timeline = list(simulate(house(slaps={"double": False, "sandwich": False}), bots, 1, 0, limit=7))
    assert timeline[-1].game.n == 8
    assert tally_of(timeline).never_ended == 1
    assert tally_of(timeline).wins == ()


def test_what_a_game_came_to() -> None:
    timeline = played(Puppet(), Puppet({2: 300_000}), hands=("9C", "9H 5C"))
    assert isinstance(timeline[-1].event, Won)
    assert tally_of(timeline) == Tally(
        games=1,
        wins=(0, 1),
        cards=2,
        cards2=4,
        tricks=1,
        tricks2=1,
        time_us=1_300_000,
        time2_ms=1_690_000,
        slaps={"double": 1},
        good=(0, 1),
        lengths=(0, 0, 1),
    )


def test_a_player_who_wins_without_a_card_in_between_has_come_back() -> None:
    timeline = played(Puppet({2: 300_000}), Puppet(), hands=("9C", "9H"))
    tally = tally_of(timeline)
    assert (tally.wins, tally.comebacks, tally.leader_wins) == ((1,), 1, 1)


@pytest.mark.parametrize("preset", ["classic", "oxymoron", "chaos"])
def test_games_of_a_seed_are_the_same_however_they_are_split(preset: str) -> None:
    rules, bots = house(preset), [bot("sharp"), bot("steady"), bot("gentle")]
    whole = simulation.run(rules, bots, 4, seed=5)
    assert simulation.run(rules, bots, 1, seed=5) + simulation.run(rules, bots, 3, seed=5, first=1) == whole
    assert (whole.games, sum(whole.wins) + whole.drawn + whole.all_lose + whole.never_ended) == (4, 4)


def test_a_sprint_of_four_players_is_less_than_half_as_long_as_their_classic_game() -> None:
    """By `ratscrew lab run` it takes people 5.5 minutes, and `classic` 22. The kernel plays the engine's games."""
    bots = [bot("steady")] * 4
    sprint, classic = (play_games(house(preset), bots, 300, seed=1).cards for preset in ("sprint", "classic"))
    assert sprint * 2 < classic
