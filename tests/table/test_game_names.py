"""Public names of games: no code in them, nothing leads from one to another, and they survive a restart."""

from __future__ import annotations

import base64

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.commit_reveal import promise
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.code_registry import code_of
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.testing.clock import ManualClock

GAME = "WOLF4821-0x66151abcdef12-1"


def names() -> GameNames:
    return GameNames(bytes(range(32)))


def test_a_public_name_tells_no_code_and_leads_back_on_this_server_only() -> None:
    public = names().public(GAME)
    assert names().in_log(public) == names().in_log(public.lower()) == GAME
    hidden = base64.b32decode(public.rpartition("-")[0] + "=" * (-len(public.rpartition("-")[0]) % 8))
    assert all(part not in public and part.encode() not in hidden for part in ("WOLF", "4821", "66151abcdef12"))
    other = GameNames(bytes(32))
    assert other.public(GAME) != public
    assert other.in_log(public) == public, "no game has this name there"


def test_a_public_name_leads_to_no_other_game_of_the_room() -> None:
    first, second = (names().public(f"{GAME[:-1]}{number}") for number in (1, 2))
    assert first[:-2] != second[:-2]
    assert names().in_log(f"{first[:-1]}2") == f"{first[:-1]}2"


@pytest.mark.parametrize("old", ["WOLF4821-66151abcdef12-1", "WRITTEN-0123456789ab-1", "", "-", "x", "ü-1", "=-1"])
def test_any_other_name_stays_as_it_is(old: str) -> None:
    assert (names().public(old), names().in_log(old), GameNames().in_log(old)) == (old, old, old)


def test_the_name_in_the_log_is_no_public_one() -> None:
    assert names().in_log(GAME) is None


async def test_a_table_shows_public_names_and_promises_its_shuffles_by_them() -> None:
    log, clock = MemoryLog[Entry](), ManualClock(1_000_000)
    registry = RoomRegistry(log, clock)
    room = registry.open(RoomRequest("Ana", 0, wait=True))
    table, code = room.table, code_of(room.table.room)
    assert code not in table.log.public
    assert registry.game_names.in_log(table.log.public) == table.log.game
    promised = table.state.promised
    assert promised
    assert promised.seed
    assert promised.hash == promise(registry.game_names.public(f"{table.room}-1"), promised.seed)
    again = RoomRegistry(log, clock)
    assert again.game_names.in_log(table.log.public) == table.log.game, "the key is in the log"
