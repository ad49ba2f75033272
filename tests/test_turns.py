"""Keys take turns in a queue, and calls are spread over periods of the event loop."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.turns import FairQueue, Turns


def queue_of(*items: str) -> FairQueue[str]:
    """A queue of these items; the first letter of each is its key."""
    queue = FairQueue[str]()
    for item in items:
        queue.put(item[0], item)
    return queue


def popped(queue: FairQueue[str]) -> list[str]:
    """All items of a queue, in their order."""
    return [queue.pop() for _ in range(len(queue))]


def test_keys_take_turns_and_the_items_of_one_are_in_order() -> None:
    queue = queue_of("a1", "a2", "a3", "b1", "c1", "b2", "a1")
    assert (len(queue), list(queue.of("a")), list(queue.of("d"))) == (6, ["a1", "a2", "a3"], [])
    assert popped(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]
    with pytest.raises(StopIteration):
        queue.pop()


def test_a_preferred_key_comes_first_and_one_put_last_after_all_others() -> None:
    queue = queue_of("a1", "b1", "b2", "c1")
    assert queue.pop("bc".__contains__) == "b1"
    queue.put_last("a")
    queue.put_last("d")
    assert popped(queue) == ["c1", "b2", "a1"]


def test_the_newest_item_of_the_key_with_most_makes_space() -> None:
    queue = queue_of("a1", "b1", "b2", "b3", "a2")
    assert queue.displace("b") is None
    assert queue.displace("a") is None
    assert queue.displace("c") == "b3"
    assert (len(queue), popped(queue)) == (4, ["a1", "b1", "a2", "b2"])


def test_an_item_is_removed_once_and_clear_removes_all() -> None:
    queue = queue_of("a1", "b1", "b2")
    queue.remove("a", "a1")
    queue.remove("a", "a1")
    queue.remove("b", "a1")
    assert (len(queue), list(queue.of("a"))) == (2, [])
    queue.clear()
    assert (len(queue), popped(queue)) == (0, [])


@on_manual_clock
async def test_each_period_has_its_calls_and_lasts_from_their_end(clock: ManualClock) -> None:
    turns, told, began_us = Turns(2, 1.0), list[tuple[str, int]](), clock.now_us()

    def call(name: str) -> None:
        told.append((name, round((clock.now_us() - began_us) / 1e6)))
        if name == "a3":
            turns.call(partial(call, "c1"), "c")  # due while its turn is over: it waits
            raise ValueError("it keeps no other from its turn")

    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    for name in ("a1", "a2", "a3", "a4", "b1"):
        turns.call(partial(call, name), name[0])
    assert turns.waiting == 3
    await asyncio.sleep(10)
    assert told == [("a1", 0), ("a2", 0), ("a3", 1), ("b1", 2), ("a4", 2), ("c1", 3)]
    turns.call(partial(call, "d1"), "d")
    assert told[-1] == ("d1", 10)


@on_manual_clock
async def test_calls_that_wait_are_not_made_after_the_end_but_new_ones_are(clock: ManualClock) -> None:
    turns, told = Turns(1, 1.0), list[str]()
    for name in ("first", "second"):
        turns.call(partial(told.append, name))
    turns.close()
    await asyncio.sleep(5)
    assert (told, turns.waiting) == (["first"], 0)
    for name in ("third", "fourth"):
        turns.call(partial(told.append, name))
    await asyncio.sleep(5)
    assert told == ["first", "third", "fourth"]


@on_manual_clock
async def test_a_call_may_end_those_that_wait(clock: ManualClock) -> None:
    errors = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
    turns, made = Turns(2, 1.0), list[str]()
    for name in ("a", "b"):
        turns.call(partial(made.append, name))
    turns.call(turns.close)
    turns.call(partial(made.append, "c"), "behind")
    await asyncio.sleep(5)
    assert (made, errors) == (["a", "b"], [])
