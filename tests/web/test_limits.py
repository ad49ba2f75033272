"""Rate limits: normal play never reaches one, and a client over a limit learns when to retry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import LimitExceeded
from ratscrew.limits import limits
from ratscrew.limits.guessing import GuessLimiter
from ratscrew.limits.limits import IGNORED_MOST, LIMITS, Bucket, Limit, LimitName, Limits, MessageRateLimiter
from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import make_app
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from tests.web.http_requests import ASKED, Client

SECOND_US = 1_000_000

# The bucket


@given(st.integers(1, 20), st.integers(1, 100), st.lists(st.integers(0, 50), min_size=1, max_size=50))
def test_within_no_stretch_of_time_is_more_let_through_than_the_limit_says(
    most: int, every_us: int, steps: list[int]
) -> None:
    bucket, now_us, taken = Bucket(Limit(most, every_us / 1e6), 0), 0, list[int]()
    for step in steps:
        now_us += step
        if not bucket.take(now_us):
            taken.append(now_us)
    for first, begin in enumerate(taken):
        for last, end in enumerate(taken[first:], first):
            assert last - first + 1 <= most + (end - begin) / every_us + 1e-6


@given(st.integers(1, 20), st.integers(1, 100), st.lists(st.integers(0, 50), max_size=100))
def test_who_comes_back_when_he_was_told_is_let_through_and_not_sooner(
    most: int, every_us: int, steps: list[int]
) -> None:
    bucket, now_us = Bucket(Limit(most, every_us / 1e6), 0), 0
    for step in [*steps, *[0] * most]:
        now_us += step
        bucket.take(now_us)
    wait_us = bucket.take(now_us)
    assert 0 < wait_us <= every_us
    assert bucket.take(now_us + wait_us - 1)
    assert not bucket.take(now_us + wait_us)


def test_what_nobody_uses_any_more_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_EVICT_AT", 100)
    clock = ManualClock(1)
    some = Limits(clock)
    for number in range(10_000):
        clock.advance(SECOND_US)
        some.take("seats", f"192.0.{number // 250}.{number % 250}")
    assert len(some._buckets) <= 400  # those of the last minute


# What honest people ask for


def talked(seconds: int, a_second: int, size: int, stalled_s: int = 0) -> None:
    """Send so much each second; a stalled connection delivers all of it at its end."""
    clock = ManualClock(1)
    limiter = MessageRateLimiter(clock, Limits(clock).bucket("address_messages", "192.0.2.1"))
    kept = 0
    for second in range(seconds):
        kept += a_second
        if stalled_s and second > 30 and second % 60 < stalled_s:
            clock.advance(SECOND_US)
            continue
        for _ in range(kept):
            clock.advance(SECOND_US // a_second if kept == a_second else 0)
            assert not limiter.wait_us(size, clock.now_us())
        kept = 0


def test_eight_hands_on_one_tablet_are_heard_whatever_they_slap() -> None:
    """Ten slaps a second of each hand, 20 beats, and what page and browser measure: far below what is allowed."""
    talked(seconds=120, a_second=8 * 10 + 20 + 10, size=130)


def test_a_page_whose_line_stands_still_for_ten_seconds_is_heard_when_all_of_it_comes_at_once() -> None:
    talked(seconds=180, a_second=60, size=130, stalled_s=10)


def test_a_class_behind_one_address_opens_joins_and_plays_without_waiting() -> None:
    """Thirty come within ten seconds, mistype once each, open a lesson every minute, and each page has two sockets."""
    clock = ManualClock(1)
    some, guesses = Limits(clock), GuessLimiter(clock)
    pupils, address = range(30), "192.0.2.1"
    for minute in range(20):
        for _ in pupils:
            some.take("rooms", address)
            if minute == 0:
                some.take("seats", address)
                guesses.charge(address)
            for _ in range(2):
                some.take("sockets", address)
            for _ in range(50):
                some.take("requests", address)
            clock.advance(SECOND_US // 3)
        clock.advance(50 * SECOND_US)


# Over HTTP

REQUESTS: list[tuple[LimitName, str, str, Any]] = [
    ("requests", "GET", "/", None),
    ("rooms", "POST", "/api/rooms", ASKED),
    ("rooms", "POST", "/api/quick", {"name": "Ana"}),
    ("rooms", "POST", "/api/lessons", {"name": "Ana", "lesson": "doubles"}),
    ("seats", "POST", "/api/rooms/BEAR/seats", {"name": "Ana"}),
    ("heavy", "POST", "/api/house", {"choices": {}}),
    ("heavy", "GET", "/api/house?text=1;classic", None),
    ("heavy", "GET", "/api/drill?house=1;classic&cards=1&seed=1", None),
    ("heavy", "GET", "/api/games/BEAR-1-1", None),
    ("heavy", "GET", "/api/games/BEAR-1-1.txt", None),
]


@pytest.mark.parametrize(("what", "method", "path", "body"), REQUESTS, ids=lambda value: str(value)[:30])
async def test_who_asks_too_much_is_told_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, what: LimitName, method: str, path: str, body: Any
) -> None:
    monkeypatch.setitem(LIMITS, what, Limit(2, 7.5))
    statuses = [(await client.request(method, path, json=body)).status for _ in range(2)]
    assert 429 not in statuses
    answer = await client.request(method, path, json=body)
    assert (answer.status, answer.headers["Retry-After"]) == (429, "8")
    said = {"code": "slow_down", "problems": ["too many requests: try again in 8 s"], "wait_s": 8}
    assert await answer.json() == said
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("proxied", [False, True])
async def test_another_address_is_another_matter_and_only_a_proxy_tells_it(
    proxied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, "requests", Limit(1, 60))
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(tmp_path), proxy_policy=ProxyPolicy(proxied))
    async with TestClient(TestServer(app)) as client:
        told = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2, 1)]
        found = [(await client.get("/api/health", headers=headers)).status for headers in told]
    assert found == ([200, 200, 429] if proxied else [200, 429, 429])


# On a socket


def test_who_talks_on_and_on_is_passed_over_and_then_shown_out() -> None:
    clock = ManualClock(1)
    limiter = MessageRateLimiter(clock, Limits(clock).bucket("address_messages", "192.0.2.1"))
    first = LIMITS["messages"].first or 0
    waits_us = [limiter.wait_us(50, clock.now_us()) for _ in range(first + IGNORED_MOST)]
    assert [bool(wait_us) for wait_us in waits_us] == [False] * first + [True] * IGNORED_MOST
    with pytest.raises(LimitExceeded):
        limiter.wait_us(50, clock.now_us())


def test_where_an_address_says_too_much_as_a_whole_those_are_heard_who_say_little() -> None:
    clock = ManualClock(1)
    some = Limits(clock)
    loud, quiet = (MessageRateLimiter(clock, some.bucket("address_messages", "192.0.2.1")) for _ in range(2))
    clock.advance(60 * SECOND_US)
    while not some.bucket("address_messages", "192.0.2.1").wait_us(clock.now_us()):
        some.bucket("address_messages", "192.0.2.1").take(clock.now_us())
    heard = sum(not loud.wait_us(50, clock.now_us()) for _ in range(700))
    assert heard <= LIMITS["messages"].most // 2 + 1
    assert not any(quiet.wait_us(50, clock.now_us()) for _ in range(300))
