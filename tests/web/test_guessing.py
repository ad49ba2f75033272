"""Wrong room codes: how many guesses the limits allow, and that other players still get in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from random import Random

import pytest

from ratscrew.errors import LimitExceeded
from ratscrew.limits import guessing
from ratscrew.limits.guessing import ADDRESS, NETWORK, GuessLimiter
from ratscrew.table.registry.codes import GUESSES_PER_ROOM, WORDS, new_code
from ratscrew.table.registry.networks import network_of
from ratscrew.testing.clock import ManualClock

TEN_MINUTES_US = 600_000_000
ASK_AGAIN_US = 5_000_000
"""How long an address that is refused waits: long enough that the test is quick, and too short to lose any try."""


def allowed(limiter: GuessLimiter, address: str) -> bool:
    """Whether an address may ask for a code now; a wrong one."""
    try:
        limiter.charge(address)
    except LimitExceeded:
        return False
    return True


@pytest.fixture
def networks_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network of each address is computed once: the same addresses ask a million times."""
    monkeypatch.setattr(guessing, "network_of", cache(network_of))


def guesses_in_ten_minutes(addresses: Sequence[str]) -> int:
    """How many wrong codes these addresses can ask for if each asks as often as it may."""
    clock = ManualClock(1)
    limiter, asked = GuessLimiter(clock), 0
    for _ in range(TEN_MINUTES_US // ASK_AGAIN_US):
        for address in addresses:
            asked += sum(takewhile(bool, (allowed(limiter, address) for _ in range(5))))
        clock.advance(ASK_AGAIN_US)
    return asked


@pytest.mark.usefixtures("networks_known")
@pytest.mark.parametrize(
    ("addresses", "most"),
    [
        # Of one /24: 100 of the network at once, and one more each 10 s.
        ([f"127.66.0.{number}" for number in range(1, 21)], 100 + 60),
        # Each of a network of its own: 600 at once and one a second of everybody, then 3 first tries of each address.
        ([f"10.{number}.0.1" for number in range(20)], 600 + 600 + 20 * 3),
        ([f"10.{number // 250}.{number % 250}.1" for number in range(1000)], 600 + 600 + 1000 * 3),
    ],
)
def test_guessers_who_ask_as_fast_as_they_may_find_none_of_100_private_rooms(addresses: list[str], most: int) -> None:
    """A guess finds a room with a probability below 1 in 500,000: 1,260 guesses find 0.0025, 4,200 find 0.0084."""
    asked = guesses_in_ten_minutes(addresses)
    assert most * 0.8 < asked <= most
    assert asked / GUESSES_PER_ROOM < 0.01


def test_the_codes_of_100_rooms_are_as_hard_to_guess_as_the_limits_assume() -> None:
    """Drawn as the server draws them, then guessed by the best strategy, that is at the length of most of the rooms."""
    chance, codes = Random(7), set[str]()
    for _ in range(100):
        codes.add(
            new_code(
                lambda code: code not in codes,
                lambda digits: sum(len(code) == 4 + digits for code in codes),
                chance.randrange,
            )
        )
    for digits in (4, 5):
        rooms = sum(len(code) == 4 + digits for code in codes)
        assert rooms == {4: 12, 5: 88}[digits]
        assert rooms / (len(WORDS) * 10**digits) < 1 / GUESSES_PER_ROOM
        tried = {f"{chance.choice(WORDS)}{chance.randrange(10**digits):0{digits}}" for _ in range(4200)}
        assert not tried & codes


def test_when_everybody_has_to_wait_an_address_that_has_not_guessed_still_has_three_tries() -> None:
    clock = ManualClock(1)
    limiter = GuessLimiter(clock)
    guessers = [f"10.{number // 250}.{number % 250}.1" for number in range(1000)]
    for address in guessers * 4:
        allowed(limiter, address)
    assert not any(allowed(limiter, address) for address in guessers)
    assert [allowed(limiter, "192.0.2.1") for _ in range(5)] == [True] * 3 + [False] * 2
    limiter.charge("192.0.2.9").refund()
    assert [allowed(limiter, "192.0.2.9") for _ in range(4)] == [True] * 3 + [False]


def test_an_address_and_its_network_have_their_own_budgets() -> None:
    clock = ManualClock(1)
    limiter = GuessLimiter(clock)
    assert sum(allowed(limiter, "192.0.2.1") for _ in range(200)) == ADDRESS.most
    assert sum(allowed(limiter, f"192.0.2.{number}") for number in range(2, 250)) == NETWORK.most - ADDRESS.most
    assert allowed(limiter, "192.0.3.1")
    clock.advance(30_000_000)
    assert [allowed(limiter, "192.0.2.1") for _ in range(2)] == [True, False]


def test_right_codes_cost_nothing() -> None:
    limiter = GuessLimiter(ManualClock(1))
    for _ in range(5000):
        charge = limiter.charge("192.0.2.1")
        charge.refund()
        charge.refund()
    assert sum(allowed(limiter, "192.0.2.1") for _ in range(200)) == ADDRESS.most


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2::", "2001:db8:1::/48"),
        ("", ""),
        ("unix", "unix"),
    ],
)
def test_a_network_is_24_bits_of_an_old_address_and_48_of_a_new_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_what_is_remembered_of_guessers_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound unknown addresses share a budget, so many addresses are no way around it."""
    monkeypatch.setattr(guessing, "REMEMBERED_MOST", 30)
    clock = ManualClock(1)
    limiter = GuessLimiter(clock)
    asked = sum(allowed(limiter, f"10.{number}.0.1") for number in range(250))
    assert len(limiter) <= 30 + 3
    assert asked <= 10 + ADDRESS.most
    clock.advance(24 * 3600 * 1_000_000)
    assert allowed(limiter, "10.99.9.1")
    assert len(limiter) == 3
