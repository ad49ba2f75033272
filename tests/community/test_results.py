"""The result of a game, from its log alone: who is placed where, and what makes it unrated."""

from __future__ import annotations

from msgspec.structs import replace

from ratscrew.game.events import Dealt, Played
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.table.history.game_result import game_result
from ratscrew.table.record.entries import (
    AccountLinked,
    Committed,
    Entry,
    LaidOut,
    Left,
    Measured,
    Proof,
    Recorded,
    Sat,
    SlapRecord,
    TookPart,
    is_game_event,
)
from ratscrew.table.record.room_kind import RatingTerms
from tests.community.rated_games import rated_game

THREE = ("sharp", "steady", "gentle")
RATED = RatingTerms(())


def changed(entries: list[Entry], old: type, new: Recorded) -> list[Entry]:
    """The entries with the first event of a kind replaced."""
    first = next(at for at, entry in enumerate(entries) if isinstance(entry.event, old))
    return [*entries[:first], replace(entries[first], event=new), *entries[first + 1 :]]


def reasons(entries: list[Entry]) -> tuple[str, ...]:
    """Why a game is not rated."""
    result = game_result("G-1-1", entries)
    assert result
    return result.unrated


def test_a_game_between_people_with_accounts_is_rated() -> None:
    result = game_result("G-1-1", rated_game(THREE, 1))
    assert result
    assert (result.unrated, result.rules) == ((), "1;classic")
    assert sorted(place.rank for place in result.places) == [0, 1, 2]


def test_who_kept_cards_longer_is_ahead() -> None:
    """Followed by hand: the event after which each seat never held a card again."""
    entries = rated_game(THREE, 3)
    game: Game | None = None
    out: dict[int, int] = {}
    for at, event in enumerate(entry.event for entry in entries if is_game_event(entry.event)):
        game = evolve(game, event)
        for seat, hand in enumerate(game.hands):
            if hand:
                out.pop(seat, None)
            else:
                out.setdefault(seat, at)
    order = sorted(range(3), key=lambda seat: -out.get(seat, 10**9))
    result = game_result("G-1-1", entries)
    assert result
    assert [place.rank for place in result.places] == [order.index(seat) for seat in range(3)]


def test_a_player_who_leaves_is_ranked_by_when_they_left() -> None:
    entries = rated_game(THREE, 1)
    result = game_result("G-1-1", entries)
    assert result
    winner = next(at for at, place in enumerate(result.places) if place.rank == 0)
    dealt = next(at for at, entry in enumerate(entries) if entry.event.__class__.__name__ == "Dealt")
    left = [*entries[: dealt + 1], Entry(entries[dealt].at_us, Left(winner)), *entries[dealt + 1 :]]
    after = game_result("G-1-1", left)
    assert after
    assert after.places[winner].rank == 2


def test_a_game_with_a_bot_is_not_rated() -> None:
    assert "bots" in reasons(changed(rated_game(THREE, 1), Sat, Sat(0, "Bot", "sharp", 0)))


def test_a_game_with_a_guest_is_not_rated() -> None:
    entries = [entry for entry in rated_game(THREE, 1) if entry.event != AccountLinked(1, "steady", 1)]
    assert reasons(entries) == ("guests",)


def test_an_account_that_is_linked_after_the_deal_does_not_count() -> None:
    entries = rated_game(THREE, 1)
    late = [entry for entry in entries if entry.event == AccountLinked(1, "steady", 1)]
    moved = [*(entry for entry in entries if entry not in late), *late]
    assert reasons([*moved[:-2], late[0], moved[-2]]) == ("guests",)


def test_a_prepared_deal_is_not_rated() -> None:
    assert reasons(changed(rated_game(THREE, 1), Committed, LaidOut())) == ("prepared",)


def test_one_account_at_two_seats_is_not_rated() -> None:
    entries = changed(rated_game(THREE, 1), AccountLinked, AccountLinked(0, "steady", 0))
    assert reasons(entries) == ("same_player",)


def test_two_players_of_one_network_are_not_rated() -> None:
    assert reasons(changed(rated_game(THREE, 1), AccountLinked, AccountLinked(0, "sharp", 1))) == ("same_network",)


def test_slaps_that_the_kernel_cannot_vouch_for_are_not_rated() -> None:
    proof = Proof(400_000, 40_000, 380_000, 0, 0, 0)
    for kernel_us, told in ((None, ("unvouched",)), (40_000, ())):
        entries = rated_game(THREE, 1)
        slap = Measured(1, SlapRecord(0, 400_000, replace(proof, kernel_us=kernel_us)))
        assert reasons([*entries[:-1], Entry(entries[-1].at_us, slap), entries[-1]]) == told


def test_a_game_that_is_not_over_has_no_result() -> None:
    assert game_result("G-1-1", rated_game(THREE, 1)[:-1]) is None


def test_a_game_without_accounts_has_no_result() -> None:
    entries = [entry for entry in rated_game(THREE, 1) if not isinstance(entry.event, AccountLinked)]
    assert game_result("G-1-1", entries) is None


# Games whose terms were set at their deal


def counted(seed: int, parts: dict[int, int], *more: tuple[int, Recorded], terms: RatingTerms = RATED) -> list[Entry]:
    """A game of three whose terms are in the log. Seats take part, and events come, when so many cards were turned."""
    entries = rated_game(THREE, seed)
    late = sorted([(n, TookPart(seat)) for seat, n in parts.items()] + list(more), key=lambda each: each[0])
    found, n = list[Entry](), 0
    for entry in entries:
        found += [replace(entry, event=terms)] if isinstance(entry.event, Dealt) else []
        found.append(entry)
        n += isinstance(entry.event, Played)
        while late and isinstance(entry.event, Dealt | Played) and late[0][0] <= n:
            found.append(replace(entry, event=late.pop(0)[1]))
    assert not late
    return found


def places(entries: list[Entry]) -> dict[str, int]:
    result = game_result("G-1-1", entries)
    assert result
    return {place.account: place.rank for place in result.places}


def test_what_a_player_does_after_the_deal_voids_the_game_for_nobody() -> None:
    """A slap without a proof, as after a reload; one over an unmeasured line; and a late seat with a second browser."""
    before = counted(3, {0: 0, 1: 1, 2: 2})
    unproven = Measured(1, SlapRecord(2, 400_000, None))
    unvouched = Measured(1, SlapRecord(2, 400_000, Proof(400_000, 40_000, 380_000, 0, 0, 0)))
    after = counted(3, {0: 0, 1: 1, 2: 2}, (5, unproven), (6, unvouched), (7, Sat(3, "Helper", None, 3)))
    assert reasons(before) == reasons(after) == ()
    assert places(before) == places(after)


def test_a_player_who_does_not_take_part_is_not_in_the_game() -> None:
    assert set(places(counted(3, {0: 0, 2: 2}))) == {"sharp", "gentle"}
    assert sorted(places(counted(3, {0: 0, 2: 2})).values()) == [0, 1]
    assert reasons(counted(3, {0: 0})) == ("absent",)


def test_a_player_cannot_wait_how_the_game_goes_before_they_take_part() -> None:
    assert set(places(counted(3, {0: 0, 1: 12, 2: 2}))) == set(THREE)
    assert set(places(counted(3, {0: 0, 1: 13, 2: 2}))) == {"sharp", "gentle"}


def test_the_terms_say_why_a_game_is_not_rated() -> None:
    assert reasons(counted(3, {}, terms=RatingTerms(("guests", "unvouched")))) == ("guests", "unvouched")


def test_a_player_who_is_voted_out_has_no_place_and_the_voters_are_known() -> None:
    result = game_result("G-1-1", counted(3, {0: 0, 1: 1, 2: 2}, (6, Left(0, True, (1, 2)))))
    assert result
    assert {place.account for place in result.places} == {"steady", "gentle"}
    assert set(result.voters) == {"steady", "gentle"}
