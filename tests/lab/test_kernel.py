"""The kernel: tallies of many games, unsupported houses, and published games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from ratscrew.bots.ladder import PLAIN
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes
from ratscrew.bots.teacher import bot as teacher
from ratscrew.cards import Card
from ratscrew.deck import shuffle
from ratscrew.errors import RulesError
from ratscrew.lab import simulation
from ratscrew.lab.jit import cache_dir
from ratscrew.lab.kernel.runner import BLOCK, Kernel, run, unsupported_reason
from ratscrew.lab.random_stream import RandomStream
from ratscrew.rules.house import Rules
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Burn, Consequence, Offence, Strike
from ratscrew.rules.presets import house

GAMES = json.loads((Path(__file__).parents[1] / "golden" / "playouts.json").read_text())["vectors"]
CALM = ReflexBot(Reflexes(300_000, 0, 0, 0, 300_000, miss=0, false_alarm=0, lure_false_alarm=0))
SEED = 11


def dealing(hands: Sequence[Sequence[Card]]) -> Kernel:
    """A kernel whose game 0 has these hands, by choosing where the shuffled cards are dealt to."""
    kernel = Kernel.of(house("beggar"), [CALM] * len(hands))
    wanted = {card: (seat, lies) for seat, hand in enumerate(hands) for lies, card in enumerate(hand)}
    kernel.config["cards"], kernel.config["deck"][: len(wanted)] = len(wanted), [*wanted]
    kernel.config["dealt"][: len(hands)] = [*map(len, hands)]
    for place, card in enumerate(shuffle([*wanted], RandomStream(SEED, 0).below)):
        kernel.config["place"][place] = wanted[card]
    return kernel


@pytest.mark.parametrize("published", GAMES, ids=[game["rule"] for game in GAMES])
def test_a_published_game_goes_as_long_in_the_kernel(published: dict[str, Any]) -> None:
    hands = [[Card.parse(name) for name in player["deck"]] for player in published["players"]]
    tally = dealing(hands).block(SEED, 0, 1)
    expect = published["expect"]
    if expect["outcome"] == "cycle":
        assert (tally.drawn, tally.never_ended) == (1, 0)
    else:
        assert (tally.cards, tally.tricks) == (expect["cards"], expect["tricks"])
        assert tally.wins == ((1,) if expect["winner"] == "A" else (0, 1))


def test_games_without_slaps_are_as_long_as_is_known() -> None:
    """Known from 10^9 deals and more: 254.69 cards (deviation 205.9), 35.25 tricks (28.8), the leader wins 0.4977."""
    games = 20_000
    tally = run(house("beggar"), [CALM, CALM], games, SEED)
    assert abs(tally.cards / games - 254.69) < 4 * 205.9 / sqrt(games)
    assert abs(tally.tricks / games - 35.25) < 4 * 28.8 / sqrt(games)
    assert abs(tally.leader_wins / games - 0.4977) < 4 * 0.5 / sqrt(games)
    assert sqrt(tally.cards2 / games - (tally.cards / games) ** 2) == pytest.approx(205.9, rel=0.05)
    assert tally.never_ended == tally.drawn == 0


def test_a_tally_is_the_same_however_its_games_are_split() -> None:
    line_up = [PLAIN["sharp"], PLAIN["gentle"], PLAIN["steady"]]
    games = 2 * BLOCK + 5
    whole = run(house(), line_up, games, SEED)
    assert run(house(), line_up, games, SEED, threads=2) == whole
    assert run(house(), line_up, 1000, SEED) + run(house(), line_up, games - 1000, SEED, first=1000) == whole
    assert (whole.games, sum(whole.wins)) == (games, games)


def test_a_tally_is_the_engines() -> None:
    line_up = [PLAIN["sharp"], PLAIN["gentle"], PLAIN["steady"]]
    assert run(house("oxymoron"), line_up, 3, SEED, first=7) == simulation.run(
        house("oxymoron"), line_up, 3, SEED, first=7
    )


@pytest.mark.parametrize(
    ("rules", "line_up", "why"),
    [
        (house(judge="honour"), [CALM, CALM], "slaps are on one's honour (judge = honour)"),
        (house(), [CALM, object()], "a bot has more than reflexes and risk traits"),
        (house(slaps={"run": {"len": 13}, "suit_run": 13, "colour_run": 13}), [CALM, CALM], None),
        (house("everything2"), [CALM] * 65, "65 players: at most 64"),
        (house(), [CALM, teacher("teacher")], None),
        (house("wiki"), [CALM] * 8, None),
        (house("chaos"), [CALM] * 8, None),
    ],
)
def test_what_it_cannot_play_it_says_in_words(rules: Rules, line_up: list[Any], why: str | None) -> None:
    assert unsupported_reason(rules, line_up) == why


def test_a_house_for_fewer_players_is_refused() -> None:
    with pytest.raises(RulesError, match="9 players: these rules are for 2 to 8"):
        run(house(), [CALM] * 9, 1, SEED)


def test_compiled_code_is_kept_by_the_sources_it_was_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    read, edited = Path.read_bytes, ""

    def folder(name: str) -> Path:
        nonlocal edited
        edited = name
        cache_dir.cache_clear()
        return cache_dir()

    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b" " * (path.name == edited))
    before = folder("")
    assert all(
        folder(name) != before for name in ("turn_logic.py", "strategy_traits.py", "tally.py", "slap.py", "step.py")
    )
    assert folder("run_plots.py") == before
    cache_dir.cache_clear()


def test_a_penalty_that_depends_on_more_than_the_tables_have_is_left_to_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def half(offence: Offence) -> list[Consequence]:
        return [Burn(max(1, offence.held // 2), "bottom")]

    def third_time(offence: Offence) -> list[Consequence]:
        return [Strike()] if offence.fouls > 1 else []

    def rising(offence: Offence) -> list[Consequence]:
        return [Burn(1 + offence.fouls, "top")]

    monkeypatch.setitem(WRONG_SLAP, "half", half)
    monkeypatch.setitem(WRONG_SLAP, "rising", rising)
    monkeypatch.setitem(NO_CARDS, "third_time", third_time)
    why = "what a wrong slap costs depends on more than the wrong slaps before it, or the strikes without cards"
    assert unsupported_reason(house(wrong_slap={"kind": "half"}), [CALM, CALM]) == why
    assert unsupported_reason(house(no_cards={"kind": "third_time"}), [CALM, CALM]) == why
    assert unsupported_reason(house(wrong_slap={"kind": "rising"}), [CALM, CALM]) is None


def test_houses_with_the_same_penalty_share_its_costs_until_it_is_declared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def flat(offence: Offence, *, count: int = 1) -> list[Consequence]:
        nonlocal asked
        asked += 1
        return [Burn(count, "bottom")]

    def dearer(offence: Offence, *, count: int = 1) -> list[Consequence]:
        return [Burn(count + 1, "bottom")]

    def first_cost(turn_ms: int, count: int) -> int:
        rules = Rules(turn_ms=turn_ms, wrong_slap={"kind": "flat", "count": count})
        return int(Kernel.of(rules, [PLAIN["steady"]] * 2).config["wrong_slap"][0, 0, 1])

    monkeypatch.setitem(WRONG_SLAP, "flat", flat)
    assert first_cost(8000, 1) == 1
    before = asked
    assert first_cost(9000, 1) == 1
    assert asked == before
    assert first_cost(8000, 2) == 2
    monkeypatch.setitem(WRONG_SLAP, "flat", dearer)
    assert first_cost(8000, 1) == 2
