"""The risk slapper: blind and fast where enough is at stake; elsewhere it only reacts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from ratscrew import cards
from ratscrew.bots.bot import Plan
from ratscrew.bots.memory import memory_from_view
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.game.standing import Standing
from ratscrew.game.state import SeatState, UndoState
from ratscrew.game.view import View, VisibleCard
from ratscrew.rules.presets import house
from ratscrew.testing.bot_checks import check_bot

HANDS = Reflexes(420_000, 0, 0, 60_000, 800_000, miss=0.0, false_alarm=0.0, lure_false_alarm=0.0)
"""A reaction always takes 420 ms; to a card that need not be recognised, 200 + 0.3 * 220 = 266 ms."""

BLIND_US, SEEN_US = 266_000, 420_000
DOUBLE, NOTHING = "4C 9S 9H", "2C 9S 4H"


def seen(pile: str) -> View:
    """A view of a pile in a game of three players."""
    shown = tuple(VisibleCard(laid.card, laid.state) for laid in cards.pile(pile))
    return View(house(), (5, 5, 5), shown, Standing("play", 1), (0, 1, 2), (SeatState(),) * 3, ((),) * 3, 9)


def slap_us(bot: RiskSlapper | ReflexBot, view: View, chance: Callable[[], float] = lambda: 0.5) -> int | None:
    """When a bot at seat 0 slaps that has just come."""
    plan: Plan = bot.plan(view, 0, chance, memory_from_view(view))
    return plan.slap_us


def after_chance(by: int, left: int) -> int | None:
    """When a bot at seat 0 slaps that dares at last chances alone, at a card against a challenge with so many left."""
    memory = memory_from_view(seen(NOTHING))
    undo_state = UndoState(Standing("play", 1, challenger=by, chances_left=left), 2, 0, None, False, False)
    game = changed(memory.game, undo_state=undo_state)
    bot = RiskSlapper(HANDS, last_chance=1)
    return bot.plan(seen(NOTHING), 0, lambda: 0.5, replace(memory, game=game)).slap_us


@pytest.mark.parametrize(
    ("stake", "pile", "us"),
    [
        ({"pile": 2}, "9S", None),
        ({"pile": 2}, "2C 4H", BLIND_US),
        ({"pile": 4}, NOTHING, None),
        ({"pile": 4}, DOUBLE, SEEN_US),
        ({"pile": 4}, f"5S {NOTHING}", BLIND_US),
        ({"face_cards": 1}, NOTHING, None),
        ({"face_cards": 1}, "2C 9S KH", None),  # nobody knew the newest card before
        ({"face_cards": 1}, "2C KH 9S", BLIND_US),
        ({"face_cards": 1}, "KH* 2C 9S", BLIND_US),  # a burned card is to be won as well
        ({"face_cards": 2}, "2C KH 9S", None),
        ({"face_cards": 2}, "JC KH 9S", BLIND_US),
        ({"risk": 0.5}, DOUBLE, SEEN_US),  # a chance of 0.5 is not below a risk of 0.5
        ({"risk": 0.6}, DOUBLE, BLIND_US),
    ],
)
def test_it_is_blind_where_enough_is_at_stake(stake: dict[str, float], pile: str, us: int | None) -> None:
    assert slap_us(RiskSlapper(HANDS, **stake), seen(pile)) == us  # type: ignore[arg-type]


def test_it_dares_at_the_last_chance_against_its_own_challenge() -> None:
    assert after_chance(by=0, left=1) == BLIND_US
    assert after_chance(by=0, left=2) is None
    assert after_chance(by=2, left=1) is None
    assert slap_us(RiskSlapper(HANDS, last_chance=1), seen(NOTHING)) is None


def test_where_it_does_not_dare_it_is_a_bot_of_reflexes() -> None:
    for pile in (DOUBLE, NOTHING):
        assert slap_us(RiskSlapper(HANDS, risk=0.0), seen(pile)) == slap_us(ReflexBot(HANDS), seen(pile))


def test_where_it_may_not_slap_it_does_not() -> None:
    view = seen(NOTHING)
    locked = (changed(view.seat_states[0], locked="game"), *view.seat_states[1:])
    assert slap_us(RiskSlapper(HANDS), changed(view, seat_states=locked)) is None


def test_it_keeps_the_laws_of_bots() -> None:
    check_bot(RiskSlapper(HANDS, face_cards=1, risk=0.5), games=1)
