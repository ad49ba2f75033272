"""A profile's figures, each from a worked example: wins, streaks, comebacks, accuracy, reactions, rivals."""

from __future__ import annotations

from msgspec.structs import replace

from ratscrew.accounts.played import (
    CHART_STEPS,
    KEPT,
    PLAYED_GAMES,
    RECENT,
    AccountGame,
    encoded_games,
    put_played,
    read_played,
    summary,
)
from ratscrew.game.events import Won
from ratscrew.judge.suspicion import SlapTrace
from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.settling import store_game
from ratscrew.table.record.entries import Entry
from tests.community.rated_games import NOVEMBER_US, rated_game


def game(number: int, rank: int, **more: object) -> AccountGame:
    """The `number`-th game of Ana, at a table of three, which ended on this rank."""
    return replace(AccountGame(f"G-{number}", number, "1;classic", rank, 3, 0, {}, ()), **more)


def hit(ms: int, pattern: str | None = "double") -> SlapTrace:
    """A slap after so many milliseconds; without a pattern it was wrong."""
    return SlapTrace(ms * 1000, pattern)


def test_wins_and_streaks_are_counted_in_the_order_of_the_games() -> None:
    """Won, won, lost, won: the best streak is two, and the present one is one."""
    figures = summary([game(1, 0), game(2, 0), game(3, 1), game(4, 0)], {})
    assert (figures.games, figures.wins, figures.best_streak, figures.streak) == (4, 3, 2, 1)
    assert summary([game(1, 0), game(2, 2)], {}).streak == 0


def test_comebacks_are_wins_after_having_been_without_cards() -> None:
    assert summary([game(1, 0, came_back=True), game(2, 0), game(3, 0, came_back=True)], {}).comebacks == 2


def test_accuracy_is_the_share_of_slaps_that_met_a_pattern() -> None:
    """Two of three slaps: 67 percent. Without a slap there is none."""
    figures = summary([game(1, 0, slaps=(hit(300), hit(400, None))), game(2, 0, slaps=(hit(350),))], {})
    assert figures.accuracy_percent == 67
    assert summary([game(1, 0)], {}).accuracy_percent is None


def test_reactions_are_compared_with_everyones_pattern_by_pattern() -> None:
    """Medians by hand: of 300, 410, 900 ms it is 410; of 250 and 350 ms it is 300.

    Everyone's doubles: 2 in 200-209 ms, 1 in 410-419, 5 in 500-509. Those above 410 ms are 5 of 8, or 62.5 percent, and
    Python rounds halves to even.
    """
    slaps = (hit(900), hit(300), hit(410), hit(250, "sandwich"), hit(350, "sandwich"), hit(111, None))
    figures = summary([game(1, 0, slaps=slaps)], {"double": {20: 2, 41: 1, 50: 5}})
    double, sandwich = figures.times
    assert (double.pattern, double.slaps, double.median_ms, double.faster_than_percent) == ("double", 3, 410, 62)
    assert (sandwich.pattern, sandwich.slaps, sandwich.median_ms, sandwich.faster_than_percent) == (
        "sandwich",
        2,
        300,
        None,
    )


def test_the_chart_has_steps_of_50_ms_and_the_last_has_all_that_are_slower() -> None:
    slaps = (hit(300), hit(349), hit(350), hit(1449), hit(1450), hit(60_000))
    (double,) = summary([game(1, 0, slaps=slaps)], {"double": {30: 4, 34: 1, 35: 2, 999: 3}}).times
    assert len(double.mine) == len(double.everyone) == CHART_STEPS
    assert {step: many for step, many in enumerate(double.mine) if many} == {6: 2, 7: 1, 28: 1, 29: 2}
    assert {step: many for step, many in enumerate(double.everyone) if many} == {6: 5, 7: 2, 29: 3}


def test_rivals_are_those_met_most_and_who_was_ahead() -> None:
    """Against Ben: ahead twice, behind once. Against Cleo: one draw, which is neither."""
    games = [
        game(1, 0, others={"ben": 1, "cleo": 0}),
        game(2, 2, others={"ben": 0}),
        game(3, 1, others={"ben": 2}),
    ]
    found = [(each.account, each.games, each.ahead, each.behind) for each in summary(games, {}).rivals]
    assert found == [("ben", 3, 2, 1), ("cleo", 1, 0, 0)]


def test_recent_games_are_the_latest_first() -> None:
    games = [game(number, 0, unrated=("bots",) if number == 25 else ()) for number in range(1, 26)]
    recent = summary(games, {}).recent
    assert [each.game for each in recent] == [f"G-{number}" for number in range(25, 25 - RECENT, -1)]
    assert [each.rated for each in recent[:2]] == [False, True]


def test_games_reach_the_other_process_in_their_order() -> None:
    log = MemoryLog[Entry]()
    for number in (10, 9, 11):
        put_played(log, "ana", game(number, 0, slaps=(hit(300),)))
    assert [each.end_us for each in PLAYED_GAMES.decode(encoded_games(log, "ana"))] == [9, 10, 11]
    assert encoded_games(log, "ben") == b"[]"


def test_only_the_latest_games_are_stored_for_a_profile() -> None:
    log = MemoryLog[Entry]()
    for number in range(KEPT + 5):
        put_played(log, "sharp", game(number, 0))
    log.append("WOLF0000-1-1", 0, rated_game(("sharp", "gentle"), 1, NOVEMBER_US))
    store_game(log, "WOLF0000-1-1")
    kept = read_played(log, "sharp")
    assert (len(kept), kept[0].game, kept[-1].game) == (KEPT, "G-6", "WOLF0000-1-1")


def test_the_figures_of_a_game_follow_from_its_log() -> None:
    """Who wins the game of this seed is read off its log: the last `Won`."""
    log = MemoryLog[Entry]()
    entries = rated_game(("sharp", "gentle"), 1, NOVEMBER_US)
    log.append("WOLF0000-1-1", 0, entries)
    store_game(log, "WOLF0000-1-1")
    (won,) = [entry.event.seat for entry in entries if isinstance(entry.event, Won)]
    winner, loser = ("sharp", "gentle")[won], ("sharp", "gentle")[1 - won]
    assert summary(read_played(log, winner), {}).wins == 1
    assert summary(read_played(log, loser), {}).wins == 0
    assert summary(read_played(log, loser), {}).rivals[0].account == winner
