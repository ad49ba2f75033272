"""Reflex bots: they slap the patterns that people see, err as people do, and never see a hand."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from msgspec.structs import replace

from ratscrew import cards
from ratscrew.bots.bot import Bot, Plan
from ratscrew.bots.ladder import bot
from ratscrew.bots.memory import memory_from_view
from ratscrew.bots.names import NAMES
from ratscrew.bots.reflex_bot import ReflexBot, scan_count
from ratscrew.bots.reflexes import STRENGTHS, Reflexes
from ratscrew.errors import RulesError
from ratscrew.game.commands import Play
from ratscrew.game.engine import decide
from ratscrew.game.standing import Phase, Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.game.view import View, VisibleCard, view
from ratscrew.rules.link import from_link
from ratscrew.rules.presets import house
from ratscrew.testing.bot_checks import check_bot

MANY = 5_000
DOUBLE, SANDWICH, NOTHING = "4C 9S 9H", "5S 7D 5H", "2C 4H 9S JD"
LIKE_ONE = "9S 2C 4H JD 9H"
"""The top card's rank lies four cards under it: no pattern, but what people slap by mistake."""


def seen(pile: str, *, turn: int = 1, phase: Phase = "play") -> View:
    """A view of a game of three players."""
    to = Standing(phase, turn, reason="challenge" if phase == "won" else None)
    people = (SeatState(),) * 3
    shown = tuple(VisibleCard(laid.card, laid.state) for laid in cards.pile(pile))
    return View(house(), (5, 5, 5), shown, to, (0, 1, 2), people, ((),) * 3, 9)


def plan(who: Bot, shown: View, draw: float = 0.5) -> Plan:
    """The plan of a bot at seat 0 that has just joined."""
    return who.plan(shown, 0, lambda: draw, memory_from_view(shown))


def share(strength: str, pile: str) -> float:
    """How often a bot means to slap a pile."""
    shown, chance = seen(pile), Random(5).random
    return (
        sum(bot(strength).plan(shown, 0, chance, memory_from_view(shown)).slap_us is not None for _ in range(MANY))
        / MANY
    )


def error(rate: float) -> float:
    """Four standard errors of a share."""
    return 4 * sqrt(rate * (1 - rate) / MANY)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_every_bot_keeps_the_laws_of_bots(strength: str) -> None:
    check_bot(bot(strength), games=1)


# Slapping


@pytest.mark.parametrize("who", [*STRENGTHS, "ra"])
def test_nobody_slaps_where_the_house_has_no_slap(who: str) -> None:
    shown = seen(LIKE_ONE)
    assert plan(bot(who), shown, draw=0.0).slap_us is not None
    assert plan(bot(who), replace(shown, rules=house("beggar")), draw=0.0).slap_us is None


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("pile", [DOUBLE, SANDWICH])
def test_patterns_are_overlooked_at_the_declared_rate(strength: str, pile: str) -> None:
    miss = STRENGTHS[strength].miss
    assert abs(share(strength, pile) - (1 - miss)) < error(miss)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_what_is_no_pattern_is_slapped_at_the_declared_rate(strength: str) -> None:
    twitch = STRENGTHS[strength].false_alarm
    assert 0 < share(strength, NOTHING) < twitch + error(twitch)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_what_looks_like_a_pattern_fools_at_the_declared_rate(strength: str) -> None:
    fooled = STRENGTHS[strength].lure_false_alarm
    assert abs(share(strength, LIKE_ONE) - fooled) < error(fooled)


@pytest.mark.parametrize(
    ("pile", "fools"),
    [
        ("9S 2C 4H JD 9H", True),  # four under the top
        ("9S 2C 4H JD QD 9H", False),  # five under it
        ("9S* 2C 9H", True),  # a burned card fools people too: no rule counts it, but it lies there
        ("2C 4H JD", False),
        ("9H", False),  # a card does not look like itself
    ],
)
def test_a_lured_bot_sees_the_top_cards_rank_among_the_four_under_it(pile: str, fools: bool) -> None:
    always = ReflexBot(Reflexes(400_000, 0, 0, 0, 800_000, miss=0, false_alarm=0, lure_false_alarm=1))
    slaps = plan(always, seen(pile)).slap_us is not None
    assert slaps == (fools and seen(pile).first_match() is None)


def test_a_bot_without_faults_slaps_patterns_and_nothing_else() -> None:
    perfect = ReflexBot(Reflexes(400_000, 0, 0, 50_000, 800_000, miss=0, false_alarm=0, lure_false_alarm=0))
    slaps = {pile: plan(perfect, seen(pile), 0.0).slap_us for pile in (DOUBLE, SANDWICH, NOTHING, LIKE_ONE)}
    assert slaps == {DOUBLE: 400_000, SANDWICH: 450_000, NOTHING: None, LIKE_ONE: None}


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_sandwich_takes_longer_to_see_than_a_double(strength: str) -> None:
    steady = bot(strength)
    double, sandwich = (
        steady.plan(seen(pile), 0, lambda: 0.5, memory_from_view(seen(pile))).slap_us for pile in (DOUBLE, SANDWICH)
    )
    assert double is not None
    assert sandwich == double + STRENGTHS[strength].scan_time_us


@pytest.mark.parametrize(
    ("house_of", "name", "looks"),
    [
        ("1;classic", "double", 2),
        ("1;classic", "sandwich", 3),
        ("1;classic;slaps.hoagie=true", "hoagie", 4),
        ("1;classic;slaps.run.len=4", "run", 4),
        ("1;classic;slaps.run.len=9", "run", 5),  # nobody looks at more cards
        ("1;stayandplay", "top_bottom", 2),  # the card on top, and the one at the bottom
    ],
)
def test_a_pattern_is_known_after_a_look_at_each_card_and_one_elsewhere(house_of: str, name: str, looks: int) -> None:
    (pattern,) = (bound for bound in from_link(house_of).patterns if bound.pattern.name == name)
    assert scan_count(pattern) == looks


def test_a_wrong_slap_takes_as_long_as_a_double() -> None:
    fooled = ReflexBot(Reflexes(400_000, 0, 0, 50_000, 800_000, miss=0, false_alarm=1, lure_false_alarm=1))
    assert plan(fooled, seen(NOTHING)).slap_us == 400_000


def test_where_no_card_lies_nobody_slaps() -> None:
    assert plan(bot("gentle"), seen(""), 0.0) == Plan()


# Turning


@pytest.mark.parametrize(
    ("phase", "turn", "turns"), [("play", 0, True), ("play", 1, False), ("won", 0, False), ("over", 0, False)]
)
def test_a_bot_turns_a_card_when_it_is_its_turn_and_never_else(phase: Phase, turn: int, turns: bool) -> None:
    plan = bot("steady").plan(
        seen(NOTHING, phase=phase, turn=turn), 0, lambda: 0.5, memory_from_view(seen(NOTHING, phase=phase, turn=turn))
    )
    assert plan.turn_us == (STRENGTHS["steady"].pace_us if turns else None)


# Seeing


def test_a_bot_does_not_see_the_hands() -> None:
    """Two games that differ in the hands alone look the same, so the bot means the same."""
    people, to = (SeatState(), SeatState()), Standing("play", 0)
    games = [Game(house(), hands, to, (0, 1), people, ((), ())) for hands in two_hands()]
    shown = [view(decide(game, Play(0))[0]) for game in games]
    plans = [bot("sharp").plan(each, 1, Random(9).random, memory_from_view(each)) for each in shown]
    assert plans[0] == plans[1]
    assert plans[0].turn_us is not None


def two_hands() -> tuple[tuple[cards.Hand, ...], ...]:
    """The same cards lie open; those that do not, lie otherwise."""
    one, other = "9H 3C 8D | KC AC 2D", "9H AC 2D | 8D KC 3C"
    return tuple(tuple(map(cards.cards, hands.split("|"))) for hands in (one, other))


# Names


def test_there_is_no_bot_of_another_strength() -> None:
    with pytest.raises(RulesError, match=r"bots of strength 'iron': there are gentle, steady, sharp, bes, "):
        bot("iron")


def test_there_are_names_for_every_bot_of_the_largest_table() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 8
