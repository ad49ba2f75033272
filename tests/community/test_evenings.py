"""An evening with players who try to void what they lose, or to win against players who are not there.

The games are those of bots, played to their end; the abuse is put into their logs as the table would log it. Then the
ratings are those of the honest evening, to the last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from msgspec.structs import replace

from ratscrew.accounts.ratings import Rating, Ratings
from ratscrew.game.events import Dealt, Played
from ratscrew.table.history.game_result import game_result
from ratscrew.table.record.entries import Entry, Left, Measured, Proof, Recorded, Sat, SlapRecord, TookPart
from ratscrew.table.record.room_kind import RatingTerms
from tests.community.rated_games import NOVEMBER_US, rated_game

CLASSIC = "1;classic"
NAMES = ("gentle", "steady", "sharp")
ABUSER = "gentle"
HOUR_US = 3600 * 1_000_000


def evening() -> list[tuple[tuple[str, ...], list[Entry]]]:
    """Each pair, and all three, meet four times."""
    tables = [*combinations(NAMES, 2), NAMES] * 4
    return [(seats, rated_game(seats, number, NOVEMBER_US + number * HOUR_US)) for number, seats in enumerate(tables)]


def logged(seats: tuple[str, ...], entries: list[Entry], absent: int | None = None, *more: Recorded) -> list[Entry]:
    """The game with its terms, its players, and more events in its middle."""
    parts = [TookPart(seat) for seat in range(len(seats)) if seat != absent]
    middle = [at for at, entry in enumerate(entries) if isinstance(entry.event, Played)][10]
    found: list[Entry] = []
    for at, entry in enumerate(entries):
        found += [replace(entry, event=RatingTerms(()))] if isinstance(entry.event, Dealt) else []
        found.append(entry)
        found += [replace(entry, event=part) for part in parts] if isinstance(entry.event, Dealt) else []
        found += [replace(entry, event=event) for event in more] if at == middle else []
    return found


def ratings_of(logs: list[list[Entry]]) -> dict[str, Rating]:
    season = Ratings([CLASSIC])
    season.add(result for number, log in enumerate(logs) if (result := game_result(f"G{number}-1", log)))
    return {name: season.rating(CLASSIC, name) for name in NAMES}


def reloads(seat: int) -> list[Recorded]:
    """A slap of a page that has just been loaded: it has no proof."""
    return [Measured(3, SlapRecord(seat, 400_000, None))]


def changes_the_way(seat: int) -> list[Recorded]:
    """A slap over a connection that the kernel does not measure."""
    return [Measured(3, SlapRecord(seat, 400_000, Proof(400_000, 40_000, 380_000, 0, 0, 0)))]


def second_browser(seat: int) -> list[Recorded]:
    """A late seat of a second browser."""
    return [Sat(9, "Helper", None, 9)]


@pytest.mark.parametrize("abuse", [reloads, changes_the_way, second_browser])
def test_a_player_who_tries_to_void_every_game_changes_nothing(abuse: Callable[[int], list[Recorded]]) -> None:
    games = evening()
    honest = ratings_of([logged(*game) for game in games])
    abused = ratings_of(
        [logged(seats, log, None, *(abuse(seats.index(ABUSER)) if ABUSER in seats else [])) for seats, log in games]
    )
    assert honest == abused
    assert all(rating.games >= 12 for rating in honest.values())


def test_games_against_a_player_who_is_not_there_bring_nothing() -> None:
    games = evening()
    honest = ratings_of([logged(*game) for game in games])
    farm = [rated_game(("steady", "sharp"), 500 + n, NOVEMBER_US + (90 + n) * HOUR_US) for n in range(15)]
    absent = [logged(("steady", "sharp"), log, 0) for log in farm]
    assert ratings_of([*(logged(*game) for game in games), *absent]) == honest
    there = ratings_of([*(logged(*game) for game in games), *(logged(("steady", "sharp"), log) for log in farm)])
    assert there["sharp"].points > honest["sharp"].points


def test_those_who_vote_the_strongest_out_of_every_game_only_lose() -> None:
    games = [game for game in evening() if len(game[0]) == 3]
    honest = ratings_of([logged(*game) for game in games])
    voted = ratings_of([logged(seats, log, None, Left(2, True, (0, 1))) for seats, log in games])
    assert voted["sharp"] == Rating()
    for name in ("gentle", "steady"):
        assert voted[name].points <= min(honest[name].points, Rating().points)
