"""A grid: each combination of its axes is an experiment, and every mistake is reported before anything is played."""

from __future__ import annotations

import pytest

from ratscrew.errors import RulesError
from ratscrew.lab.experiment import Experiment, make_experiment
from ratscrew.lab.grid import axes_of, parse_grid
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

PLAIN = make_experiment(house(), ["steady"], 2, 10, 1)


def experiments(axes: str, rest: str = "players = 2\ngames = 10") -> list[Experiment]:
    """The experiments of a grid with these axes."""
    return [cell.experiment for cell in parse_grid(f"{rest}\n[grid]\n{axes}", house)]


def houses(axes: str, rest: str = "players = 2\ngames = 10") -> list[Rules]:
    """Their houses."""
    return [each.rules for each in experiments(axes, rest)]


def test_what_a_grid_does_not_say_is_as_everywhere() -> None:
    (only,) = parse_grid('[grid]\npreset = ["wiki"]', house)
    assert only.experiment == make_experiment(house("wiki"), ["steady"], 4, 1000, 1)
    assert only.point == {"preset": "wiki"}


def test_every_combination_is_a_cell_and_the_last_axis_changes_fastest() -> None:
    found = parse_grid('games = 10\n[grid]\nplayers = [2, 3]\n"wrong_slap.count" = [1, 2]', house)
    assert [(cell.point["players"], cell.point["wrong_slap.count"]) for cell in found] == [
        (2, 1),
        (2, 2),
        (3, 1),
        (3, 2),
    ]
    assert [(len(cell.experiment.bots), cell.experiment.rules.wrong_slap["count"]) for cell in found] == [
        (2, 1),
        (2, 2),
        (3, 1),
        (3, 2),
    ]
    assert axes_of(found) == ("players", "wrong_slap.count")


@pytest.mark.parametrize(
    ("axes", "second"),
    [
        ("turn_ms = [8000, 5000]", house(turn_ms=5000)),
        ('tie = ["earliest", "void"]', house(tie="void")),
        ("burn_face_up = [true, false]", house(burn_face_up=False)),
        ('"slaps.sandwich" = [true, false]', house(slaps={"sandwich": False})),
        ('"slaps.instant" = [["JK"], ["TD", "2H"]]', house(slaps={"instant": ["TD", "2H"]})),
        ('stoppers = [[], ["T"]]', house(stoppers=["T"])),
        ('"chances.J" = [1, 2]', house(chances={"J": 2, "Q": 2, "K": 3, "A": 4})),
        ("[grid.chances]\nJ = [1, 2]", house(chances={"J": 2, "Q": 2, "K": 3, "A": 4})),
        ('wrong_slap = [{kind = "burn", count = 1}, {kind = "none"}]', house(wrong_slap={"kind": "none"})),
        (
            '"slaps.run" = [false, {len = 4, step = "monotone", ace = "low"}]',
            house(slaps={"run": {"len": 4, "step": "monotone", "ace": "low"}}),
        ),
    ],
    ids=lambda words: words if isinstance(words, str) else "",
)
def test_an_axis_may_be_any_choice_of_the_house(axes: str, second: Rules) -> None:
    assert houses(axes) == [house(), second]


def test_a_kind_of_penalty_and_how_much_of_it_may_be_two_axes() -> None:
    found = houses(
        '"wrong_slap.count" = [2]\n"wrong_slap.kind" = ["burn"]', 'preset = "oxymoron"\nplayers = 2\ngames = 9'
    )
    assert found[0].wrong_slap == {"kind": "burn", "count": 2, "place": "bottom", "escalate": False}


def test_a_slap_that_has_choices_may_be_switched_off() -> None:
    assert houses('"slaps.run" = [false]', 'preset = "wiki"\nplayers = 2') == [house("wiki", slaps={"run": False})]


def test_traits_are_those_of_all_bots_or_of_one() -> None:
    found = experiments('"bots.miss" = [0.1]\n"bots.1.lure_false_alarm" = [0.2]')
    assert [each.bots for each in found] == [("steady:miss=0.1", "steady:miss=0.1:lure_false_alarm=0.2")]


def test_lineups_may_be_an_axis() -> None:
    found = parse_grid('games = 9\n[grid]\nbots = [["sharp", "gentle"], ["steady"]]', house)
    assert [cell.point["bots"] for cell in found] == ["sharp,gentle", "steady"]
    assert [cell.experiment.bots for cell in found] == [("sharp", "gentle"), ("steady",) * 4]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("games = ", "invalid TOML: "),
        ("games = 5", "it has no axis: below [grid], write for example"),
        ("[grid]", "it has no axis"),
        (
            "game = 5\n[grid]\nplayers = [2]",
            "game: unknown key; known are preset, players, bots, games, seed",
        ),
        ("[grid]\nplayers = 2", "players: an axis must be a list of different values"),
        ("[grid]\nplayers = []", "players: an axis must be a list of different values"),
        ("[grid]\nplayers = [2, 2]", "players: an axis must be a list of different values"),
        ("[grid]\nplayers = [1]", "players = 1: it must be a whole number of at least 2"),
        ("[grid]\nplayers = [9]", "9 players: these rules are for 2 to 8"),
        ('games = "many"\n[grid]\nplayers = [2]', "games = 'many': it must be a whole number of at least 2"),
        ("games = true\n[grid]\nplayers = [2]", "games = True: it must be a whole number"),
        ("seed = -1\n[grid]\nplayers = [2]", "seed = -1: it must be a whole number of at least 0"),
        ("[grid]\npreset = [1]", "preset = 1: it must be a string"),
        ('[grid]\npreset = ["nowhere"]', "there is no preset 'nowhere'"),
        ('bots = "steady"\n[grid]\nplayers = [2]', "bots = 'steady': it must be a list of names"),
        ('[grid]\nbots = [["cheops"]]', "bots of strength 'cheops'"),
        ("[grid]\ncolour = [1, 2]", "colour: there is no such option"),
        ("[grid]\ntie = [2026-11-21]", "tie = "),
        ('[grid]\n"slaps.tripple" = [true]', "slaps.tripple: there is no such pattern"),
        ('[grid]\n"bots.9.miss" = [0.1]', "bots.9.miss: write a trait as bots.trait, or as bots.0.trait"),
        ('[grid]\n"bots.wit" = [1]', "'wit' of the bot 'steady:wit=1': unknown trait"),
        (
            f"[grid]\nseed = {[*range(400)]}\nturn_ms = {[*range(1000, 1400)]}",
            "it has 160,000 cells; the limit is 100,000",
        ),
    ],
)
def test_what_is_wrong_with_a_grid_is_said(text: str, says: str) -> None:
    with pytest.raises(RulesError) as error:
        parse_grid(text, house)
    assert any(says in problem for problem in error.value.problems), error.value.problems
