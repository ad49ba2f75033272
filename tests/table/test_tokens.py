"""A token is valid for what it was signed for, until it expires, and for nothing else; keys rotate and expire."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode
from collections.abc import Callable

import pytest

from ratscrew.errors import LogError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.registry.tokens import KEY_LASTS_S, KEYS, LASTS_S, TokenContent, Tokens

ROOM, NOW_S = "BEAR-5f3a", 1_800_000_000
DAY_S = 24 * 3600


def at(seconds: float) -> int:
    """So long after the first moment, on the table's clock."""
    return round((NOW_S + seconds) * 1_000_000)


def fresh() -> Tokens:
    """Tokens of a server of its own."""
    return Tokens(MemoryLog[str](), at(0))


@pytest.mark.parametrize("player_ids", [(0,), (7,), (0, 12, 3)])
def test_a_token_says_whose_seats_and_until_when(player_ids: tuple[int, ...]) -> None:
    tokens = fresh()
    token = tokens.sign("seat", ROOM, player_ids, at(0))
    assert tokens.read("seat", ROOM, token, at(1)) == TokenContent(player_ids, NOW_S + 14 * DAY_S)


def test_a_token_ends() -> None:
    tokens = fresh()
    token = tokens.sign("seat", ROOM, [0], at(0))
    assert tokens.read("seat", ROOM, token, at(14 * DAY_S - 1))
    assert tokens.read("seat", ROOM, token, at(14 * DAY_S)) is None


def test_a_token_opens_no_other_room() -> None:
    tokens = fresh()
    token = tokens.sign("seat", ROOM, [0], at(0))
    assert tokens.read("seat", "BEAR-5f3b", token, at(0)) is None
    assert fresh().read("seat", ROOM, token, at(0)) is None


@pytest.mark.parametrize(
    "forge",
    [
        lambda token: "",
        lambda token: "0",
        lambda token: "..",
        lambda token: token[:-1],
        lambda token: token + "0",
        lambda token: token.swapcase(),
        lambda token: "1" + token[1:],
        lambda token: token.replace(".1", ".2", 1),
        lambda token: token.partition(".")[2],
        lambda token: token.rpartition(".")[0] + "." + "A" * 43,
        lambda token: "Ω" * 34,
        lambda token: "\udcff" + token,
    ],
)
def test_a_token_that_is_not_quite_right_is_none(forge: Callable[[str], str]) -> None:
    tokens = fresh()
    assert tokens.read("seat", ROOM, forge(tokens.sign("seat", ROOM, [0], at(0))), at(0)) is None


def test_the_key_changes_and_what_the_last_one_has_signed_is_good_to_its_end() -> None:
    log = MemoryLog[str]()
    signed = at(-NOW_S % KEY_LASTS_S - 1)  # in the last second of a key
    tokens = Tokens(log, signed)
    token = tokens.sign("seat", ROOM, [0], signed)
    later = signed + (LASTS_S["seat"] - 1) * 1_000_000
    assert tokens.read("seat", ROOM, token, later)
    assert tokens.sign("seat", ROOM, [0], signed).rpartition(".")[2] == token.rpartition(".")[2]
    tokens.refresh(signed + 1_000_000)
    assert tokens.read("seat", ROOM, token, later)
    assert tokens.sign("seat", ROOM, [0], later).rpartition(".")[2] != token.rpartition(".")[2]
    assert (
        len({log.get_or_create(f"seat-key-{signed // 1_000_000 // KEY_LASTS_S + more}", bytes) for more in (0, 1)}) == 2
    )


def test_a_key_of_long_ago_signs_nothing_any_more() -> None:
    """With a stolen key one can write a token with any end."""
    log, thief, now = MemoryLog[str](), MemoryLog[str](), NOW_S // KEY_LASTS_S
    Tokens(log, at(-3 * KEY_LASTS_S))
    stolen = log.get(KEYS)[f"{KEYS}{now - 3}"]
    thief.put(f"{KEYS}{now}", stolen)
    forged = Tokens(thief, at(0)).sign("seat", ROOM, [0], at(0))
    tokens = Tokens(log, at(0))
    assert tokens.read("seat", ROOM, forged, at(0)) is None
    log.put(f"{KEYS}{now}", stolen)
    tokens.refresh(at(0))
    assert tokens.read("seat", ROOM, forged, at(0))  # that key, were it a key of now, would do


def test_a_token_is_signed_with_sha256() -> None:
    """Written by hand: the key of a use in a room is made of the kept one, and signs what is before the last point."""
    log = MemoryLog[str]()
    signed = Tokens(log, at(0)).sign("seat", ROOM, [4], at(0))
    claim, _, mac = signed.rpartition(".")
    key = hmac.digest(
        log.get_or_create(f"seat-key-{NOW_S // KEY_LASTS_S}", bytes), f"seat/{ROOM}".encode(), hashlib.sha256
    )
    assert claim == f"4.{NOW_S + 14 * DAY_S}"
    assert urlsafe_b64decode(f"{mac}=") == hmac.digest(key, claim.encode(), hashlib.sha256)


# A clock that was wrong

TEN_DAYS_INTO_A_KEY_S = -NOW_S % KEY_LASTS_S + 10 * DAY_S


def signature(token: str) -> str:
    """What only the key's owner can write."""
    return token.rpartition(".")[2]


@pytest.mark.parametrize("back_days", [1, 31, 40, 400])
def test_a_clock_that_was_set_back_makes_no_seat_unreadable(back_days: int) -> None:
    log = MemoryLog[str]()
    now_us = at(TEN_DAYS_INTO_A_KEY_S)
    token = Tokens(log, now_us).sign("seat", ROOM, [3], now_us)
    early_us = now_us - back_days * DAY_S * 1_000_000
    early = Tokens(log, early_us, alive_us=now_us)
    assert early.read("seat", ROOM, token, early_us)
    renewed = early.sign("seat", ROOM, [3], early_us)
    assert early.read("seat", ROOM, renewed, early_us)
    corrected = Tokens(log, now_us, alive_us=early_us)
    assert corrected.read("seat", ROOM, token, now_us)


@pytest.mark.parametrize("alive_known", [True, False])
def test_what_was_renewed_by_a_clock_ahead_is_read_after_its_correction(alive_known: bool) -> None:
    """Twenty days ahead lie beyond the end of a key."""
    log = MemoryLog[str]()
    now_us = at(TEN_DAYS_INTO_A_KEY_S + 15 * DAY_S)
    Tokens(log, now_us)
    ahead_us = now_us + 20 * DAY_S * 1_000_000
    ahead = Tokens(log, ahead_us, alive_us=now_us if alive_known else None)
    renewed = ahead.sign("seat", ROOM, [3], ahead_us)
    assert ahead.read("seat", ROOM, renewed, ahead_us)
    assert Tokens(log, now_us, alive_us=ahead_us).read("seat", ROOM, renewed, now_us)


def test_no_key_signs_that_is_ahead_of_the_time_at_which_the_server_was_alive_last() -> None:
    """By its clock the server was off for 35 days; that may be true or not. Only the time that it runs counts."""
    log = MemoryLog[str]()
    alive_us = at(TEN_DAYS_INTO_A_KEY_S)
    before = Tokens(log, alive_us)
    now_us = alive_us + 35 * DAY_S * 1_000_000
    after = Tokens(log, now_us, alive_us=alive_us)
    mac = signature(after.sign("seat", ROOM, [3], now_us))
    assert mac == signature(before.sign("seat", ROOM, [3], now_us))
    assert after.read("seat", ROOM, after.sign("seat", ROOM, [3], now_us), now_us)
    later_us = now_us + 21 * DAY_S * 1_000_000
    after.refresh(later_us)
    assert signature(after.sign("seat", ROOM, [3], now_us)) == mac
    assert signature(after.sign("seat", ROOM, [3], later_us)) != signature(before.sign("seat", ROOM, [3], later_us))


def test_a_key_that_could_not_be_refreshed_goes_on_signing() -> None:
    class Away(MemoryLog[str]):
        away = False

        def get(self, prefix: str = "") -> dict[str, bytes]:
            if self.away:
                raise LogError("away")
            return super().get(prefix)

    log = Away()
    tokens = Tokens(log, at(0))
    log.away = True
    later_us = at(70 * DAY_S)
    with pytest.raises(LogError):
        tokens.refresh(later_us)
    assert tokens.read("seat", ROOM, tokens.sign("seat", ROOM, [3], later_us), later_us) == TokenContent(
        (3,), later_us // 10**6 + 14 * DAY_S
    )
