"""The kernel and the engine play the same games, event for event; a broken kernel is detected."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from ratscrew.bots.ladder import PLAIN
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.lab import differential_test
from ratscrew.lab.differential_test import Scenario, first_mismatch, scenarios
from ratscrew.lab.kernel.runner import Kernel, run, unsupported_reason
from ratscrew.lab.tally import Tally
from ratscrew.rules.presets import PRESETS, house

IDLE_HANDS: list[dict[str, Any]] = [
    {"wrong_slap": {"kind": "lockout", "until": 2}},
    {"wrong_slap": {"kind": "lockout", "until": "pile"}},
    {"no_cards": {"kind": "burn_hand"}},
    {"no_cards": {"kind": "strikes", "limit": 2}, "slap_in": "while_two_active"},
    {"max_streak": 2, "slap_in": "no"},
    {"burn_face_up": False, "no_cards": {"kind": "debt"}},
    {"burn_face_up": False, "wrong_slap": {"kind": "burn", "place": "top", "count": 3}},
]
"""Houses in which not every hand counts, or not every card can be seen."""

TENS = [
    {"addends": "many", "faces": "skip"},
    {"addends": "two", "faces": "skip_one", "ace": 0},
    {"addends": "many", "faces": "block", "total": 17},
]

LONG_ROWS: list[dict[str, Any]] = [
    *({"run": {"len": 5, "ace": ace}} for ace in ("low", "high", "either", "wrap")),
    {"run": {"len": 6, "step": "monotone"}},
    {"run": {"len": 5, "step": "any_order"}},
    {"suit_run": 6},
    {"colour_run": 13},
    {"family": ["J", "Q", "QS", "5"]},
    {"partners": {"ranks": "total", "gap": 1}, "partners_2": {"ranks": "next", "gap": 3, "suit": "other"}},
]

HASTY = ReflexBot(Reflexes(300_000, 40_000, 60_000, 40_000, 400_000, miss=0.1, false_alarm=0.1, lure_false_alarm=0.3))
"""A bot that slaps wrongly all the time."""


def test_games_are_the_same_event_for_event() -> None:
    """Every preset, and random houses."""
    played = [
        scenario for scenario in islice(scenarios(1), 144) if not unsupported_reason(scenario.rules, scenario.bots)
    ]
    assert len(played) > 100
    assert {scenario.name for scenario in played} >= PRESETS.keys()
    assert sum(any(isinstance(bot, RiskSlapper) for bot in scenario.bots) for scenario in played) > 20
    for number, scenario in enumerate(played):
        mismatch = first_mismatch(scenario, 1, number, limit=100)
        assert mismatch is None, f"{scenario.name}, game {number}: {mismatch}; {scenario.rules}"


def test_games_that_are_not_traced_are_the_same() -> None:
    """A traced game turns one card at a time, others many: whole games of every preset and of random houses."""
    played = [each for each in islice(scenarios(2), 144) if not unsupported_reason(each.rules, each.bots)]
    assert len(played) > 100
    for scenario in played:
        kernel = Kernel.of(scenario.rules, scenario.bots, 1500)
        traced = sum((kernel.trace(2, number)[1] for number in range(12)), Tally())
        assert kernel.block(2, 0, 12) == traced, scenario


@pytest.mark.parametrize("tens", TENS, ids=str)
@pytest.mark.parametrize("wild", [[], ["2", "QS", "JK"]], ids=["tame", "wild"])
def test_sums_are_read_as_far_by_the_kernel(tens: dict[str, Any], wild: list[str]) -> None:
    """With jokers, burned cards on top and wild cards, and bots that slap at everything."""
    slaps = {"double": False, "sandwich": False, "tens": tens, "wild": wild}
    burn = {"kind": "burn", "place": "top"}
    rules = [house(slaps=slaps, jokers=2, wrong_slap=burn, dead_pattern=seen) for seen in ("block", "skip")]
    for number, some in enumerate(rules * 3):
        mismatch = first_mismatch(Scenario("tens", some, [HASTY] * 3), 4, number, limit=100)
        assert mismatch is None, mismatch


@pytest.mark.parametrize("players", [8, 62, 63, 64])
def test_a_table_as_great_as_can_be_is_the_same(players: int) -> None:
    """The kernel has a bit for each seat and for each random number of the lookahead, in words of 64."""
    scenario = Scenario("great", house(max_players=0, decks=4), [PLAIN["steady"]] * players)
    assert [first_mismatch(scenario, 3, number, limit=150) for number in range(3)] == [None] * 3


@pytest.mark.parametrize("burned", ["block", "skip"])
@pytest.mark.parametrize("row", LONG_ROWS, ids=str)
def test_long_rows_are_seen_by_the_kernel(row: dict[str, Any], burned: str) -> None:
    """With common wild cards and burns on top; nothing else can be slapped."""
    wild = ["2", "3", "4", "5", "6", "7", "8", "9S", "JK"]
    slaps = {"double": False, "sandwich": False, "instant": [], "wild": wild, **row}
    rules = house(slaps=slaps, jokers=2, wrong_slap={"kind": "burn", "place": "top"}, dead_pattern=burned)
    scenario = Scenario("rows", rules, [HASTY, PLAIN["sharp"], PLAIN["sharp"]])
    assert [first_mismatch(scenario, 4, number, limit=150) for number in range(8)] == [None] * 8
    assert run(rules, scenario.bots, 8, 4).slaps


@pytest.mark.parametrize("options", IDLE_HANDS, ids=str)
def test_whose_hands_count_is_the_same(options: dict[str, Any]) -> None:
    """Some bots seldom slap wrongly, so the kernel's lookahead is used."""
    line_up = [HASTY, PLAIN["steady"], PLAIN["gentle"], HASTY]
    for number in range(12):
        mismatch = first_mismatch(Scenario("idle", house(**options), line_up), 7, number)
        assert mismatch is None, mismatch


@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize(
    "options",
    [
        {"max_streak": 1, "wrong_slap": {"kind": "none"}},
        {"max_streak": 1, "last_chance": 5, "last_chance_who": "anyone"},
        {"max_streak": 2, "stalemate": "redeal", "wrong_slap": {"kind": "burn", "count": 3}},
        {"wrong_slap": {"kind": "give", "to": "everybody"}, "no_cards": {"kind": "ignore"}},
    ],
    ids=str,
)
def test_whose_turn_it_is_to_be_served_is_the_same(options: dict[str, Any], direction: str) -> None:
    """Players who slap at everything are thrown out while they wait for a pile, give cards away, or get a new deal."""
    rash = ReflexBot(Reflexes(300_000, 40_000, 60_000, 0, 400_000, miss=0, false_alarm=0.3, lure_false_alarm=0.5))
    rules = house(**options, direction=direction, slaps={"sandwich": False}, collect_delay_ms=3000)
    for number in range(12):
        mismatch = first_mismatch(Scenario("rash", rules, [rash] * (3 + number % 4)), 5, number)
        assert mismatch is None, mismatch


def test_a_game_from_which_everybody_is_thrown_out_is_the_same() -> None:
    rash = ReflexBot(Reflexes(300_000, 40_000, 60_000, 0, 400_000, miss=0, false_alarm=1, lure_false_alarm=1))
    rules = house(max_streak=1, stalemate="redeal")
    scenario = Scenario("rash", rules, [rash] * 2)
    assert [first_mismatch(scenario, 1, number) for number in range(12)] == [None] * 12
    assert run(rules, scenario.bots, 12, 1).drawn > 0


def _turn_one_bit(kernel: Kernel) -> None:
    """The table says that a seven on a nine may be slapped."""
    kernel.config["ranks"].reshape(-1, 256)[:, 7 << 4 | 5] ^= 1


def _burn_on_top(kernel: Kernel) -> None:
    kernel.config["wrong_slap"][:, 0, 2] = 1


def _burn_two(kernel: Kernel) -> None:
    kernel.config["wrong_slap"][:, 0, 1] = 2


def _go_round_the_other_way(kernel: Kernel) -> None:
    kernel.config["step"] = -1


def _deal_two_places_the_other_way_round(kernel: Kernel) -> None:
    kernel.config["place"][[3, 6]] = kernel.config["place"][[6, 3]]


def _turn_too_soon(kernel: Kernel) -> None:
    kernel.config["gap_us"] -= 1


def _lose_a_microsecond(kernel: Kernel) -> None:
    kernel.config["knots"][0, :2000] -= 1


def _a_queen_leaves_three_chances(kernel: Kernel) -> None:
    kernel.config["chances"][40] = 3


def _miss_a_little_more(kernel: Kernel) -> None:
    kernel.config["miss"][2] += 2**46


FAULTS: list[Callable[[Kernel], None]] = [
    _turn_one_bit,
    _burn_on_top,
    _burn_two,
    _go_round_the_other_way,
    _deal_two_places_the_other_way_round,
    _turn_too_soon,
    _lose_a_microsecond,
    _a_queen_leaves_three_chances,
    _miss_a_little_more,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__.strip("_"))
def test_a_broken_kernel_is_seen(fault: Callable[[Kernel], None]) -> None:
    scenario = Scenario("classic", house(), [HASTY] * 3)
    sound, broken = (Kernel.of(scenario.rules, scenario.bots, differential_test.MAX_CARDS) for _ in range(2))
    fault(broken)
    assert not any(first_mismatch(scenario, 3, number, sound) for number in range(2))
    assert any(first_mismatch(scenario, 3, number, broken) for number in range(12))


def test_the_command_compares_and_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert differential_test.main(["--games", "3", "--seed", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("3 games compared, 0 differ; ")


def test_the_command_says_which_game_differs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = Kernel.of.__func__  # type: ignore[attr-defined]

    def broken(cls: type[Kernel], *given: Any) -> Kernel:
        kernel: Kernel = sound(cls, *given)
        _deal_two_places_the_other_way_round(kernel)
        return kernel

    monkeypatch.setattr(Kernel, "of", classmethod(broken))
    assert differential_test.main(["--games", "1"]) == 1
    output = capsys.readouterr().out
    assert output.startswith("game 1, classic: row ")
    assert "1 games compared, 1 differ" in output
