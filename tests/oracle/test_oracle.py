"""The engine and the oracle, which is written from docs/rules.md alone, play the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from ratscrew.game.decide.deal import deck_for
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house
from tests.oracle.compare import Difference, Match, choices_of, known_part, random_rules
from tests.oracle.house import SLAPS, UnknownChoice, house_of, pack_of

GAMES = 400


def words_of(matches: Iterable[Match]) -> Counter[str]:
    """Play games that must be the same on both sides: in how many of them each thing happened."""
    words: Counter[str] = Counter()
    for match in matches:
        found = match.play()
        assert not isinstance(found, Difference), str(found)
        words.update(found.words.keys())
    return words


def test_random_houses_are_played_alike() -> None:
    words = words_of(map(Match, range(GAMES)))
    happened = {
        *(
            "void",
            "out",
            "dead",
            "debt",
            "give",
            "lock",
            "strike",
            "burn",
            "burn hand",
            "touch",
            "redeal",
            "last chance",
        ),
        *("take challenge", "take sole_holder", "take stalemate", "take penalty", "take last_chance"),
        *("win play", "win limit", "draw play", "draw limit", "all lose"),
        *(f"take slap:{name}" for name in SLAPS if name != "triple_six"),
    }
    assert happened <= words.keys(), sorted(happened - words.keys())


def test_a_game_without_slaps_that_repeats_is_a_draw_at_the_same_pile() -> None:
    rules = house("beggar", chances={"K": 0, "A": 0, "J": 1, "Q": 1}, endgame="play_out", max_players=0)
    assert words_of(Match(seed, rules) for seed in range(40))["draw repetition"] > 0


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_played_alike(preset: str) -> None:
    """As far as the oracle knows them: without cards aside, and without cheating."""
    words_of(Match(seed, known_part(house(preset))) for seed in range(4))


def test_a_deal_has_the_cards_of_the_house() -> None:
    for seed in range(100):
        chance = Random(seed)
        rules, players = random_rules(chance), chance.randint(2, 8)
        assert sorted(pack_of(house_of(choices_of(rules)), players)) == sorted(map(str, deck_for(rules, players))), (
            rules
        )


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        (house(judge="honour"), "judge"),
        (house(collect="manual", cheat="split"), "cheat"),
        (house(tie="judge"), "tie"),
    ],
)
def test_a_house_that_the_oracle_does_not_know_is_refused_by_the_name_of_its_option(rules: Rules, option: str) -> None:
    with pytest.raises(UnknownChoice) as refused:
        house_of(choices_of(rules))
    assert refused.value.option == option
    assert option not in choices_of(known_part(rules))


@pytest.mark.parametrize(
    ("choices", "option"),
    [
        ({"moon": "full"}, "moon"),
        ({"slaps": {"moon": True}}, "slaps.moon"),
        ({"slaps": {"run": {"len": 3, "moon": 2}}}, "slaps.run.moon"),
        ({"slaps": {"run": {"len": 3, "ace": "moon"}}}, "slaps.run.ace"),
        ({"wrong_slap": {"kind": "moon"}}, "wrong_slap.kind"),
        ({"no_cards": {"kind": "debt", "moon": 1}}, "no_cards.moon"),
    ],
)
def test_what_a_later_version_may_have_is_refused_by_name(choices: dict[str, object], option: str) -> None:
    with pytest.raises(UnknownChoice) as refused:
        house_of(choices)
    assert refused.value.option == option


def test_a_difference_says_how_to_replay_it() -> None:
    match = Match(3)
    match.table.turn = -1
    found = match.play()
    assert isinstance(found, Difference)
    assert "python -m tests.oracle --seed 3" in str(found)
