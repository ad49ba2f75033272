"""What pages have said already: each number of a page counts once, and few pages are remembered."""

from __future__ import annotations

import pytest

from ratscrew.table import wishes
from ratscrew.table.message import Done, Told
from ratscrew.table.said import PAGES_MOST, Said
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, SlowLog, two


@pytest.mark.parametrize(
    ("said", "anew"),
    [
        ([1, 2, 3], [True, True, True]),
        ([1, 1, 2, 1, 2], [True, False, True, False, False]),
        ([5, 4, 6], [True, False, True]),
    ],
    ids=["in order", "twice", "out of order"],
)
def test_a_page_says_each_number_once_and_in_order(said: list[int], anew: list[bool]) -> None:
    memory = Said()
    assert [memory.anew("ana's page", s) for s in said] == anew


def test_each_page_counts_for_itself() -> None:
    memory = Said()
    assert [memory.anew(page, 1) for page in ("ana", "bo", "ana")] == [True, True, False]


def test_who_has_said_nothing_for_longest_is_forgotten_first() -> None:
    memory = Said()
    memory.anew("ana", 1), memory.anew("bo", 1)
    memory.anew("ana", 2)
    for number in range(PAGES_MOST - 1):
        memory.anew(f"page {number}", 1)
    assert (memory.anew("ana", 2), memory.anew("bo", 1)) == (False, True)


@on_manual_clock
async def test_a_wish_is_answered_when_the_log_has_it_and_no_sooner(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    room.ask(ana, "list", None, wishes.list_room, True)
    room.answered(ana, 1)
    assert ana.now() == []
    await log.keep_now()
    told, done = ana.now()
    assert (type(told), done) == (Told, Done(1))
    assert [type(some) for some in bo.now()] == [Told]


@on_manual_clock
async def test_who_comes_again_is_answered_behind_what_he_is_shown(clock: ManualClock) -> None:
    room, ana, _ = two(clock, log := SlowLog())
    room.ask(ana, "list", None, wishes.list_room, True)
    room.enter(again := Person(0))
    room.answered(again, 1)
    assert again.now() == []
    await log.keep_now()
    scene, done = again.now()
    assert (scene.listed, done) == (True, Done(1))
