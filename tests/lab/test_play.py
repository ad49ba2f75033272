"""The same games have the same tally, however they are split and whichever executor plays them."""

from __future__ import annotations

import pytest

from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.errors import RulesError
from ratscrew.lab import simulation
from ratscrew.lab.experiment import make_experiment
from ratscrew.lab.kernel.runner import Kernel
from ratscrew.lab.lineup import parse_lineup
from ratscrew.lab.play import choose_backend, chunk_bounds, play_chunks, play_games
from ratscrew.lab.tally import Tally
from ratscrew.rules.presets import house
from tests.lab.small_experiments import small

EXPERIMENT = small(9)
WHOLE = simulation.run(EXPERIMENT.rules, EXPERIMENT.lineup, EXPERIMENT.games, EXPERIMENT.seed)


@pytest.mark.parametrize("engine", [False, True])
def test_many_games_are_the_tally_of_the_race_model(engine: bool) -> None:
    heard: list[int] = []
    found = play_games(
        EXPERIMENT.rules, EXPERIMENT.lineup, EXPERIMENT.games, EXPERIMENT.seed, engine=engine, on_progress=heard.append
    )
    assert found == WHOLE
    assert sum(heard) == EXPERIMENT.games


def test_games_may_be_played_from_any_number_on() -> None:
    parts = [
        play_games(EXPERIMENT.rules, EXPERIMENT.lineup, games, EXPERIMENT.seed, first=first)
        for first, games in ((0, 4), (4, 5))
    ]
    assert sum(parts, Tally()) == WHOLE


def test_processes_change_no_figure() -> None:
    assert (
        play_games(EXPERIMENT.rules, EXPERIMENT.lineup, EXPERIMENT.games, EXPERIMENT.seed, threads=2, engine=True)
        == WHOLE
    )


@pytest.mark.parametrize("first", [0, 40])
def test_two_who_slap_nothing_come_to_the_same_where_the_cards_alone_decide(first: int) -> None:
    """Of these games, number 44 goes round in a circle."""
    rules, bots = house("beggar", chances={"J": 0, "Q": 0, "K": 0, "A": 1}), parse_lineup(["quiet", "quiet"])
    ready = Kernel.of(rules, [bot for bot in bots if isinstance(bot, ReflexBot)])
    found = play_games(rules, bots, 10, 3, first=first)
    assert found == ready.block(3, first, 10)
    assert (found.drawn, found.never_ended) == (int(first == 40), 0)


def test_pieces_come_in_their_order() -> None:
    found = list(play_chunks(EXPERIMENT.rules, EXPERIMENT.lineup, [0, 2, 9], EXPERIMENT.seed, engine=True))
    assert found == [
        simulation.run(EXPERIMENT.rules, EXPERIMENT.lineup, 2, EXPERIMENT.seed),
        simulation.run(EXPERIMENT.rules, EXPERIMENT.lineup, 7, EXPERIMENT.seed, first=2),
    ]


@pytest.mark.parametrize(
    ("games", "most", "places"), [(1, 100, [0, 1]), (3, 100, [0, 1, 2, 3]), (10, 4, [0, 2, 5, 7, 10])]
)
def test_games_are_cut_into_pieces_of_about_one_size(games: int, most: int, places: list[int]) -> None:
    assert chunk_bounds(games, most) == places


def test_an_experiment_is_a_house_in_a_text_and_every_bot_in_its_seat() -> None:
    found = make_experiment(house("wiki", turn_ms=5000), ["gentle", "sharp"], 3, 10, 1)
    assert (found.house, found.bots) == ("1;wiki;turn_ms=5000", ("gentle", "sharp", "gentle"))
    assert found.rules == house("wiki", turn_ms=5000)


@pytest.mark.parametrize(
    ("preset", "bots", "all_seats"),
    [
        ("classic", ["sharp"], ["sharp"] * 4),
        ("beggar", ["sharp"], ["sharp"] * 2),
        ("classic", ["sharp", "gentle", "sharp"], ["sharp", "gentle", "sharp"]),
        ("classic", None, ["steady"] * 4),
        ("beggar", None, ["quiet"] * 2),
    ],
)
def test_where_it_is_not_said_they_play_who_usually_do(
    preset: str, bots: list[str] | None, all_seats: list[str]
) -> None:
    assert list(make_experiment(house(preset), bots, None, 10, 1).bots) == all_seats


def test_more_players_than_a_house_allows_are_refused() -> None:
    with pytest.raises(RulesError, match="9 players: these rules are for 2 to 8"):
        make_experiment(house(), ["steady"], 9, 10, 1)


def test_it_is_said_who_plays() -> None:
    quiet, steady = parse_lineup(["quiet"] * 2), parse_lineup(["steady"] * 2)
    assert choose_backend(house("beggar"), quiet) == "bitboard"
    assert (choose_backend(house("beggar"), steady), choose_backend(house(), steady)) == ("kernel", "kernel")
    assert (choose_backend(house(), steady, engine=True), choose_backend(house(judge="honour"), steady)) == (
        "engine",
        "engine",
    )
