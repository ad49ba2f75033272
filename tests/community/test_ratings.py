"""Ratings follow from the logs: computed independently, live, late and rebuilt they are the same to the last digit."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.ratings import NEW, SAME_PLAYERS_MOST, Rating, Ratings
from ratscrew.accounts.results import GameResult, RankedPlayer, put_result, read_results, season_of
from ratscrew.game import notation
from ratscrew.game.events import Dealt
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.game_result import game_result
from ratscrew.table.history.import_export import text_of
from ratscrew.table.history.settling import allow, excluded, rebuild, store_game
from ratscrew.table.names.names import looks
from ratscrew.table.record.entries import Entry, Left
from ratscrew.web.access.account_erasure import delete_games_of
from tests.community.rated_games import NOVEMBER_US, rated_game

CLASSIC = "1;classic"
NAMES = ("gentle", "steady", "sharp")


@pytest.fixture(scope="module")
def log() -> MemoryLog[Entry]:
    """Twelve games of two or three players."""
    log = MemoryLog[Entry]()
    tables = [*combinations(NAMES, 2), NAMES] * 3
    for number, accounts in enumerate(tables):
        entries = rated_game(accounts, number, NOVEMBER_US + number * 1_000_000)
        log.append(f"WOLF{number:04}-1-1", 0, entries)
        store_game(log, f"WOLF{number:04}-1-1")
    return log


def independently(log: MemoryLog[Entry]) -> dict[str, tuple[float, float]]:
    """The ratings by openskill alone, from the games as exported texts."""
    model = PlackettLuce(limit_sigma=True)
    ratings = {name: model.rating() for name in NAMES}
    for game_name in log.games():
        text = text_of(log.read(game_name))
        assert text
        names, events = notation.read_game(text)
        game: Game | None = None
        held = dict.fromkeys(range(len(names)), 0)
        for at, event in enumerate(events):
            game = evolve(game, event)
            held |= {seat: at for seat in range(len(names)) if game.hands[seat]}
        best = sorted(held, key=lambda seat: -held[seat])
        rated = model.rate(
            [[ratings[names[seat]]] for seat in range(len(names))],
            ranks=[float(best.index(seat)) for seat in range(len(names))],
        )
        for seat, (rating,) in enumerate(rated):
            ratings[names[seat]] = rating
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def numbers(ratings: Ratings) -> dict[str, tuple[float, float]]:
    """Every player's rating."""
    return {name: ratings.rating(CLASSIC, name)[:2] for name in NAMES}


def test_ratings_equal_an_independent_computation_to_the_last_digit(log: MemoryLog[Entry]) -> None:
    ratings = Ratings([CLASSIC])
    ratings.add(read_results(log, season_of(NOVEMBER_US)))
    assert numbers(ratings) == independently(log)


def test_rebuilding_gives_the_same_numbers(log: MemoryLog[Entry]) -> None:
    live, again = Ratings([CLASSIC]), Ratings([CLASSIC])
    live.add(read_results(log, season_of(NOVEMBER_US)))
    before = log.get("community/")
    again.add(rebuild(log))
    assert numbers(live) == numbers(again)
    assert log.get("community/") == before


def test_results_that_come_in_any_order_give_the_same_numbers(log: MemoryLog[Entry]) -> None:
    results = list(read_results(log, season_of(NOVEMBER_US)))
    ordered, mixed = Ratings([CLASSIC]), Ratings([CLASSIC])
    ordered.add(results)
    Random(1).shuffle(results)
    for result in results:
        mixed.add([result, result])
    assert numbers(mixed) == numbers(ordered)


def test_a_late_result_is_put_at_its_place_without_rating_the_season_again(
    log: MemoryLog[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a rated pair's twentieth game of a day, and one that is not rated any more."""
    many = [result(number, "a", "b") for number in range(SAME_PLAYERS_MOST + 3)]
    results = sorted([*read_results(log, season_of(NOVEMBER_US)), *many], key=lambda each: each.order)
    ordered, late = Ratings([CLASSIC]), Ratings([CLASSIC])
    ordered.add(results)
    rated = list[str]()
    rate = Ratings._rate

    def counted(self: Ratings, each: GameResult) -> None:
        rated.append(each.game)
        rate(self, each)

    missing = results[-3]
    late.add([each for each in results if each is not missing])
    monkeypatch.setattr(Ratings, "_rate", counted)
    late.add([missing])
    assert len(rated) == 3
    assert ordered.leaders(CLASSIC) == late.leaders(CLASSIC)
    for account, _ in ordered.leaders(CLASSIC):
        assert ordered.history(CLASSIC, account) == late.history(CLASSIC, account)


def test_a_deleted_account_is_renamed_and_nothing_is_rated_again(
    log: MemoryLog[Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers are those of ratings that never knew the account by another name, also for what comes later."""
    results = [*read_results(log, season_of(NOVEMBER_US)), *(result(number, "a", "sharp") for number in range(25))]

    def renamed(each: GameResult) -> GameResult:
        places = (replace(place, account=place.account.replace("sharp", "gone-1")) for place in each.places)
        return replace(each, places=tuple(places))

    live, pure = Ratings([CLASSIC]), Ratings([CLASSIC])
    live.add(results)
    pure.add(map(renamed, results))
    monkeypatch.setattr(Ratings, "_rate_all", None)
    live.rename("sharp", "gone-1")
    for more in ([], [result(1000 + number, "a", "gone-1") for number in range(3)], [result(-5, "a", "gone-1")]):
        live.add(more)
        pure.add(more)
        assert live.leaders(CLASSIC) == pure.leaders(CLASSIC)
    assert live.rating(CLASSIC, "sharp") == NEW
    assert live.history(CLASSIC, "gone-1") == pure.history(CLASSIC, "gone-1")


def result(number: int, *accounts: str, rules: str = CLASSIC) -> GameResult:
    """A game that the accounts finish in this order."""
    places = tuple(RankedPlayer(account, seat, seat) for seat, account in enumerate(accounts))
    return GameResult(f"G-{number}", NOVEMBER_US + number, rules, places)


def test_only_rated_rules_count() -> None:
    ratings = Ratings([CLASSIC])
    ratings.add([result(1, "a", "b", rules="1;chaos")])
    assert ratings.rating("1;chaos", "a") == NEW


def test_games_of_an_excluded_player_count_for_nobody_and_again_when_allowed() -> None:
    ratings = Ratings([CLASSIC], ["b"])
    ratings.add([result(1, "a", "b"), result(2, "a", "c")])
    assert (ratings.rating(CLASSIC, "a").games, ratings.rating(CLASSIC, "b")) == (1, NEW)
    ratings.exclude([])
    assert ratings.rating(CLASSIC, "a").games == 2


def test_a_game_that_is_given_up_at_once_is_a_loss_for_the_rating() -> None:
    entries = rated_game(("sharp", "gentle"), 1)
    whole = game_result("G-1-1", entries)
    assert whole
    winner = next(place for place in whole.places if place.rank == 0)
    dealt = next(at for at, entry in enumerate(entries) if isinstance(entry.event, Dealt))
    left = Entry(entries[dealt].at_us, Left(winner.player_id))
    given_up = game_result("G-1-1", [*entries[: dealt + 1], left, *entries[dealt + 1 :]])
    assert given_up
    ratings = Ratings([CLASSIC])
    ratings.add([given_up])
    assert ratings.rating(CLASSIC, winner.account).mu < NEW.mu


def test_the_same_players_cannot_push_each_other_up_all_day() -> None:
    ratings = Ratings([CLASSIC])
    ratings.add(result(number, "a", "b") for number in range(SAME_PLAYERS_MOST + 5))
    assert ratings.rating(CLASSIC, "a").games == SAME_PLAYERS_MOST


def test_a_table_of_nine_is_not_rated() -> None:
    ratings = Ratings([CLASSIC])
    ratings.add([result(1, *"abcdefghi")])
    assert ratings.rating(CLASSIC, "a") == NEW
    ratings.add([result(2, *"abcdefgh")])
    assert ratings.rating(CLASSIC, "a").games == 1


def test_a_new_rating_is_provisional_and_becomes_certain() -> None:
    ratings = Ratings([CLASSIC])
    ratings.add(result(number, "a", f"other {number}") for number in range(30))
    assert NEW.provisional
    assert (NEW.points, ratings.rating(CLASSIC, "a").provisional) == (1000, False)
    assert ratings.leaders(CLASSIC)[0][0] == "a"


def test_an_operator_can_allow_a_flagged_player(log: MemoryLog[Entry]) -> None:
    values = MemoryLog[Entry]()
    values.put("community/flag/a/", b'["people recognise nothing so fast"]')
    assert excluded(values) == {"a"}
    allow(values, "a")
    assert excluded(values) == set()


def test_a_quarter_is_a_season() -> None:
    assert season_of(NOVEMBER_US) == "2026-4"
    values = MemoryLog[Entry]()
    put_result(values, result(1, "a", "b"))
    assert [each.game for each in read_results(values, "2026-4")] == ["G-1"]
    assert list(read_results(values, "2027-1")) == []
    assert game_result("x", []) is None
    assert Rating() == NEW


def test_deleting_an_account_leaves_no_trace_of_it_and_the_ratings_of_others() -> None:
    log, before, after = MemoryLog[Entry](), Ratings([CLASSIC]), Ratings([CLASSIC])
    for number in range(4):
        log.append(f"WOLF{number:04}-1-1", 0, rated_game(NAMES, number, NOVEMBER_US + number))
        log.put(f"community/room/sharp/WOLF{number:04}-1/", b"1")
        store_game(log, f"WOLF{number:04}-1-1")
    before.add(read_results(log, season_of(NOVEMBER_US)))
    assert delete_games_of(log, "sharp", "gone-1") == 4
    Accounts(log, looks).delete(Account("sharp", "Ana", 1, 1))
    after.add(read_results(log, season_of(NOVEMBER_US)))
    assert [after.rating(CLASSIC, name) for name in ("gentle", "steady", "gone-1")] == [
        before.rating(CLASSIC, name) for name in ("gentle", "steady", "sharp")
    ]
    stored = [*map(repr, log.get().items()), *(repr(log.read(game)) for game in log.games())]
    assert not [text for text in stored if "sharp" in text]


def one_game(ratings: list[Rating], ranks: list[int], voters: tuple[int, ...] = ()) -> list[float]:
    """What a game changes of the points of players with these ratings, not rounded."""
    season = Ratings([CLASSIC])
    accounts = [f"p{number}" for number in range(len(ratings))]
    season._ratings = {(CLASSIC, account): rating for account, rating in zip(accounts, ratings, strict=True)}
    places = tuple(RankedPlayer(account, number, ranks[number]) for number, account in enumerate(accounts))
    against = tuple(f"p{number}" for number in voters)
    season.add([GameResult("G-1", NOVEMBER_US, CLASSIC, places, voters=against)])
    after = [season.rating(CLASSIC, account) for account in accounts]
    return [40 * ((b.mu - 3 * b.sigma) - (a.mu - 3 * a.sigma)) for a, b in zip(ratings, after, strict=True)]


def test_a_win_never_costs_points() -> None:
    chance = Random(7)
    for _ in range(3000):
        many = chance.randint(2, 8)
        ratings = [Rating(chance.uniform(-10, 70), chance.uniform(0.3, 9), 1) for _ in range(many)]
        ranks = [0] + [chance.randint(1, many) for _ in range(many - 1)]
        assert one_game(ratings, ranks)[0] >= 0, (ratings, ranks)


def test_a_settled_player_who_beats_weak_ones_loses_nothing() -> None:
    assert one_game([Rating(50, 1.9, 400), Rating(10, 2.5, 400)], [0, 1])[0] >= 0


def test_no_removal_brings_anybody_points_whoever_votes_and_whatever_the_game_would_have_been() -> None:
    """Those who vote lose at least as much as by the worst result of the whole game; nobody else's rating changes."""
    chance = Random(8)
    for _ in range(150):
        many = chance.randint(3, 4)
        ratings = [Rating(chance.uniform(0, 50), chance.uniform(0.5, 8), 1) for _ in range(many)]
        removed, *voters = chance.sample(range(many), chance.randint(3, many))
        left = [number for number in range(many) if number != removed]
        after = one_game(
            [ratings[number] for number in left],
            [chance.randint(0, 3) for _ in left],
            tuple(left.index(voter) for voter in voters),
        )
        for number, change in zip(left, after, strict=True):
            assert (change <= 0) if number in voters else change == 0
            if number in voters:
                worst = min(
                    one_game([ratings[each] for each in left], list(order))[left.index(number)]
                    for order in permutations(range(len(left)))
                )
                assert change <= max(0.0, worst) + 1e-9
