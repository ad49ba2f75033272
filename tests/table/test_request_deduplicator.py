"""Request deduplication: each number of a page counts once, and no player can make the room forget others."""

from __future__ import annotations

import pytest

from ratscrew.table.record import requests
from ratscrew.table.record.messages import Done, EventMessage
from ratscrew.table.room.request_deduplicator import MISSING_MOST, PAGES_MOST, RequestDeduplicator
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, SlowLog, two

ANA, BO = 0, 1


@pytest.mark.parametrize(
    ("numbers", "new"),
    [
        ([1, 2, 3], [True, True, True]),
        ([1, 1, 2, 1, 2], [True, False, True, False, False]),
        ([5, 4, 6, 5, 4], [True, True, True, False, False]),
        ([1, 3, 2, 2, 3], [True, True, True, False, False]),
        ([1, 20, 4, 5, 5, 2], [True, True, False, True, False, False]),
        ([2**53, 2**53 - 1, 1], [True, True, False]),
    ],
    ids=["in order", "twice", "out of order", "one went unheard", "far below the newest", "huge"],
)
def test_a_request_is_new_once_even_if_a_later_one_came_before(numbers: list[int], new: list[bool]) -> None:
    requests = RequestDeduplicator()
    assert [requests.is_new("ana's page", number, ANA) for number in numbers] == new


def test_each_page_counts_for_itself() -> None:
    requests = RequestDeduplicator()
    assert [requests.is_new(page, 1, ANA) for page in ("one", "another", "one")] == [True, True, False]


def test_of_one_player_the_page_that_has_asked_for_nothing_for_longest_is_forgotten_first() -> None:
    requests = RequestDeduplicator()
    for page, number in (("one", 1), ("another", 1), ("one", 2)):
        requests.is_new(page, number, ANA)
    for number in range(PAGES_MOST - 1):
        requests.is_new(f"page {number}", 1, ANA)
    assert (requests.is_new("one", 2, ANA), requests.is_new("another", 1, ANA)) == (False, True)


def test_neither_another_player_nor_who_watches_makes_a_page_forgotten() -> None:
    requests = RequestDeduplicator()
    requests.is_new("ana's page", 1, ANA)
    for number in range(1000):
        requests.is_new(f"bo's page {number}", 1, BO)
        requests.is_new(f"a watcher's page {number}", 1, None)
    assert not requests.is_new("ana's page", 1, ANA)


def test_what_is_kept_is_bounded_whatever_comes() -> None:
    requests = RequestDeduplicator()
    for player in range(3):
        for page in range(50):
            for number in range(1, 2000, 7):
                requests.is_new(f"{player} {page}", number, player)
    assert len(requests._pages) == 3 * PAGES_MOST
    assert max(len(page.missing) for page in requests._pages.values()) <= MISSING_MOST


def test_a_request_of_a_forgotten_page_that_the_log_has_is_not_new() -> None:
    requests = RequestDeduplicator(lambda page, number: (page, number) == ("ana's page", 1))
    requests.is_new("ana's page", 1, ANA)
    for number in range(PAGES_MOST):
        requests.is_new(f"page {number}", 1, ANA)
    assert not requests.is_new("ana's page", 1, ANA)


def test_the_pages_of_who_holds_no_seat_any_more_are_forgotten() -> None:
    requests = RequestDeduplicator()
    requests.is_new("ana's page", 1, ANA)
    requests.is_new("bo's page", 1, BO)
    requests.keep_only({ANA})
    assert (requests.is_new("ana's page", 1, ANA), requests.is_new("bo's page", 1, BO)) == (False, True)


@on_manual_clock
async def test_a_wish_is_answered_when_the_log_has_it_and_no_sooner(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    room.request(ana, requests.ListRoom(True))
    room.once(ana, "ana's page", 1, lambda: None)
    assert ana.now() == []
    await log.keep_now()
    told, done = ana.now()
    assert (type(told), done) == (EventMessage, Done(1))
    assert [type(some) for some in bo.now()] == [EventMessage]


@on_manual_clock
async def test_who_comes_again_is_answered_behind_what_he_is_shown(clock: ManualClock) -> None:
    room, ana, _ = two(clock, log := SlowLog())
    room.request(ana, requests.ListRoom(True))
    room.enter(again := Person(0))
    room.once(again, "ana's page", 1, lambda: None)
    assert again.now() == []
    await log.keep_now()
    scene, done = again.now()
    assert (scene.listed, done) == (True, Done(1))


@on_manual_clock
async def test_a_room_remembers_requests_of_its_present_players_alone(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    for person, page in ((ana, "ana's page"), (bo, "bo's page")):
        room.once(person, page, 1, lambda: None)
    room.request(bo, requests.Leave())
    await log.keep_now()
    assert set(room._requests._pages) == {"ana's page"}
