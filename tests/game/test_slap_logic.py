"""Slaps as small ints: what the engine, the bots and the kernel share, worked by hand."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from ratscrew.game.slap_logic import (
    CLOSED,
    COUNTS,
    EMPTY_PILE,
    FOREHEAD,
    FOREVER,
    HAND_BURNED,
    LOCKED_OUT,
    NOT_PLAYING,
    REDNECKS,
    SLAP_IN,
    SLAP_INS,
    SLAP_WINDOWS,
    TOO_LATE,
    WITHDRAW,
    SlapHouse,
    SlapTable,
    slap_bar,
    slap_refusal,
)
from ratscrew.game.turn_logic import LAST_CHANCE, PLAY, SETTLING, WON
from ratscrew.rules.house import Rules

HOUSE = SlapHouse(slappable=1, slap_window=0, slap_in=2, redneck=0, withdraw_ms=0)
TABLE = SlapTable(phase=PLAY, failed=0, challenger=-1, cards=1, n=7, last=1, two_active=1)
SEAT: dict[str, Any] = {"held": 5, "out": 0, "newcomer": 0, "missed": 0, "locked": 0, "hand_burned": 0}
MANNERS: dict[str, Any] = {"touched": 0, "convicted": 0}


@pytest.mark.parametrize(
    ("house", "table", "person", "why"),
    [
        ({}, {}, {}, COUNTS),
        ({}, {}, {"out": 1}, NOT_PLAYING),
        ({}, {"phase": SETTLING}, {}, TOO_LATE),
        ({}, {"cards": 0}, {}, EMPTY_PILE),
        ({}, {}, {"locked": 8}, LOCKED_OUT),
        ({}, {}, {"locked": 7}, COUNTS),
        ({}, {}, {"locked": FOREVER}, LOCKED_OUT),
        ({}, {}, {"hand_burned": 1}, HAND_BURNED),
        ({"slap_window": 1}, {"phase": WON, "failed": 1}, {}, CLOSED),
        ({"slap_window": 1}, {"challenger": 1}, {}, COUNTS),
        ({"slap_window": 2}, {"challenger": 1}, {}, CLOSED),
        ({"slap_window": 2}, {"phase": LAST_CHANCE, "challenger": 0}, {}, COUNTS),
        ({}, {}, {"held": 0}, COUNTS),
        ({"slap_in": 0}, {}, {"held": 0}, SLAP_IN),
        ({"slap_in": 1}, {}, {"held": 0}, COUNTS),
        ({"slap_in": 1}, {"two_active": 0}, {"held": 0}, SLAP_IN),
        ({"slap_in": 1, "slap_window": 2}, {"two_active": 0, "challenger": 1}, {"held": 0}, CLOSED),
        ({"slap_in": 0}, {"phase": LAST_CHANCE}, {"held": 0}, COUNTS),
        ({}, {}, {"held": 0, "missed": 3}, SLAP_IN),
        ({}, {}, {"held": 2, "missed": 3}, COUNTS),
        ({"slap_in": 3}, {"two_active": 0}, {"held": 0}, COUNTS),
        ({"slap_in": 4}, {"two_active": 0}, {"held": 0}, COUNTS),
        ({"slap_in": 0}, {}, {"held": 0, "newcomer": 1}, COUNTS),
        ({"slap_in": 1}, {"two_active": 0}, {"held": 0, "newcomer": 1}, COUNTS),
        ({"slap_in": 0}, {}, {"held": 0, "newcomer": 1, "out": 1}, NOT_PLAYING),
        ({"slap_in": 0}, {}, {"held": 0, "newcomer": 1, "locked": 8}, LOCKED_OUT),
        ({"slap_in": 0}, {"phase": LAST_CHANCE, "challenger": 1}, {"held": 0, "newcomer": 1}, SLAP_IN),
        ({}, {"phase": LAST_CHANCE, "challenger": 1}, {}, SLAP_IN),
        ({"redneck": 2}, {}, {}, FOREHEAD),
        ({"redneck": 2}, {}, {"touched": 1}, COUNTS),
        ({"redneck": 1}, {}, {}, COUNTS),
        ({"redneck": 1}, {}, {"convicted": 1}, FOREHEAD),
        ({"withdraw_ms": 101}, {"last": 0}, {}, WITHDRAW),
        ({"withdraw_ms": 100}, {"last": 0}, {}, COUNTS),
        ({"withdraw_ms": 101}, {}, {}, COUNTS),
    ],
)
def test_a_slap_100_ms_after_the_card_counts_or_not(
    house: dict[str, int], table: dict[str, int], person: dict[str, int], why: int
) -> None:
    there = HOUSE._replace(**house), TABLE._replace(**table), 0
    assert slap_refusal(*there, **{**SEAT, **MANNERS, **person}, waited_ms=100) == why
    passing = (CLOSED, FOREHEAD, WITHDRAW)
    seen = {name: person.get(name, usual) for name, usual in SEAT.items()}
    assert slap_bar(*there, **seen) == (why if why not in passing else SLAP_IN if house.get("slap_in") else COUNTS)


def test_options_are_numbered_in_the_order_of_the_house() -> None:
    kinds = get_type_hints(Rules)
    orders = {"slap_window": SLAP_WINDOWS, "slap_in": SLAP_INS, "redneck": REDNECKS}
    assert {name: set(get_args(kinds[name])) for name in orders} == {name: set(order) for name, order in orders.items()}
