"""A token opens what it was signed for, as long as it lasts, and nothing else; keys change and go."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode
from collections.abc import Callable

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.tokens import KEY_LASTS_S, LASTS_S, Claim, Tokens, Use

ROOM, NOW_S = "BEAR-5f3a", 1_800_000_000
DAY_S = 24 * 3600


def at(seconds: float) -> int:
    """So long after the first moment, on the table's clock."""
    return round((NOW_S + seconds) * 1_000_000)


def fresh() -> Tokens:
    """Tokens of a server of its own."""
    return Tokens(MemoryLog[str]().keep)


@pytest.mark.parametrize("whos", [(0,), (7,), (0, 12, 3)])
def test_a_token_says_whose_seats_and_until_when(whos: tuple[int, ...]) -> None:
    tokens = fresh()
    token = tokens.sign("seat", ROOM, whos, at(0))
    assert tokens.read("seat", ROOM, token, at(1)) == Claim(whos, NOW_S + 14 * DAY_S)


@pytest.mark.parametrize(("use", "lasts_s"), [("seat", 14 * DAY_S), ("pass", 600)])
def test_a_token_ends(use: Use, lasts_s: int) -> None:
    tokens = fresh()
    token = tokens.sign(use, ROOM, [0], at(0))
    assert tokens.read(use, ROOM, token, at(lasts_s - 1))
    assert tokens.read(use, ROOM, token, at(lasts_s)) is None


def test_a_token_opens_no_other_room_and_serves_no_other_use() -> None:
    tokens = fresh()
    token = tokens.sign("seat", ROOM, [0], at(0))
    assert tokens.read("seat", "BEAR-5f3b", token, at(0)) is None
    assert tokens.read("pass", ROOM, token, at(0)) is None
    assert tokens.read("seat", ROOM, tokens.sign("pass", ROOM, [0], at(0)), at(0)) is None
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
    tokens = Tokens(log.keep)
    signed = at(-NOW_S % KEY_LASTS_S - 1)  # in the last second of a key
    token = tokens.sign("seat", ROOM, [0], signed)
    later = signed + (LASTS_S["seat"] - 1) * 1_000_000
    assert tokens.read("seat", ROOM, token, later)
    assert tokens.sign("seat", ROOM, [0], signed).rpartition(".")[2] == token.rpartition(".")[2]
    assert len({log.keep(f"seat-key-{signed // 1_000_000 // KEY_LASTS_S + more}", bytes) for more in (0, 1)}) == 2


def test_a_key_of_long_ago_signs_nothing_any_more() -> None:
    """Who has found one can write a token that ends as late as he likes."""
    kept: dict[str, bytes] = {}

    def keep(name: str, make: Callable[[], bytes]) -> bytes:
        return kept.setdefault(name, make())

    tokens, long_ago = Tokens(keep), at(-3 * KEY_LASTS_S)
    tokens.sign("seat", ROOM, [0], long_ago)
    stolen = dict(kept)
    forged = Tokens(lambda name, _: next(reversed(stolen.values()))).sign("seat", ROOM, [0], at(0))
    assert tokens.read("seat", ROOM, forged, at(0)) is None
    kept.update(dict.fromkeys(kept, next(reversed(stolen.values()))))
    assert tokens.read("seat", ROOM, forged, at(0))  # that key, were it a key of now, would do


def test_a_token_is_signed_with_sha256() -> None:
    """Written by hand: the key of a use in a room is made of the kept one, and signs what is before the last point."""
    log = MemoryLog[str]()
    signed = Tokens(log.keep).sign("seat", ROOM, [4], at(0))
    claim, _, mac = signed.rpartition(".")
    key = hmac.digest(log.keep(f"seat-key-{NOW_S // KEY_LASTS_S}", bytes), f"seat/{ROOM}".encode(), hashlib.sha256)
    assert claim == f"4.{NOW_S + 14 * DAY_S}"
    assert urlsafe_b64decode(f"{mac}=") == hmac.digest(key, claim.encode(), hashlib.sha256)
