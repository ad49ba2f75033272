"""Arenas of a few players, some of whom vanish: those who stay play on, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from ratscrew.errors import Refusal
from ratscrew.log.memory import MemoryLog
from ratscrew.table.arenas.arena import PAIR_AFTER_S
from ratscrew.table.arenas.running_arena import COME_WITHIN_S, HERE_S, SLAP_IN_AFTER_S, RunningArena
from ratscrew.table.record import requests
from ratscrew.table.registry.room_registry import code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here
from tests.table.test_arena import PAW, Server

SLAP_IN, NEXT_GAME = "1;classic;turn_ms=1000", "1;classic;turn_ms=1000;late_join=no"
HOW = ("never asks", "stops asking", "never comes", "socket closed", "leaves")
"""How a player vanishes: at each stage of the way from the arena to a game."""

WAITS_MOST_S = PAIR_AFTER_S + HERE_S + COME_WITHIN_S + SLAP_IN_AFTER_S + 5
"""The stated times one after the other: a table is made, its player does not come, and the next one is made."""


class Crowd:
    """The players of an arena, each of whom does what their page does, until they vanish."""

    def __init__(self, server: Server, found: RunningArena, vanish: dict[int, str]) -> None:
        self.server, self.found, self.vanish = server, found, vanish
        self.pages: dict[tuple[int, str], Person] = {}
        self.waits_s = Counter[int]()
        self.reasons: set[str] = set()
        self.gone: set[int] = set()

    async def step(self, player: int) -> None:
        """Ask for a table, go there, and play."""
        how = self.vanish.get(player)
        if player in self.gone or how == "never asks":
            return
        state = self.found.ask(player)
        assert state
        if how == "stops asking":
            self.gone.add(player)
        if state.room is None or state.seat is None:
            assert state.wait or self.found.arena.table_of(player)  # a table that is not stored yet
            if state.wait:
                self.reasons.add(state.wait.why)
            self.waits_s[player] += 1
            return
        room = here(await self.server.rooms.find(state.room))
        assert room
        if how == "never comes":
            self.gone.add(player)
            return
        (seat,) = room.table.state.seats_of([state.seat]) or (None,)
        page = self.pages.get((player, state.room))
        if seat is not None and not room.table.seats[seat].here:
            page = self.pages[player, state.room] = Person(seat)
            room.enter(page)
        elif page and page.seats and room.table.state.playing and room.table.game:
            if how == "socket closed":
                room.exit(page)
                self.gone.add(player)
            elif how == "leaves":
                room.request(page, requests.Leave())
                self.gone.add(player)
            else:
                room.play(page, room.table.game.n)
        if room.table.state.playing:
            self.waits_s[player] = 0

    async def play(self, seconds: int) -> None:
        """Let time pass; nobody who is there waits for longer than the stated times."""
        for _ in range(seconds):
            for player in list(self.found.arena.players):
                await self.step(player)
            there = {player for player in self.found.arena.players if player not in self.vanish}
            waiting = {player: s for player, s in self.waits_s.items() if player in there and s > WAITS_MOST_S}
            assert not waiting or len(there) < 2, (waiting, self.found.arena.tables)
            await asyncio.sleep(1)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("seed", range(4))
@on_manual_clock
async def test_whoever_vanishes_the_others_play_on_within_the_stated_time(
    clock: ManualClock, players: int, seed: int
) -> None:
    chance = Random(seed * 100 + players)
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", SLAP_IN, 30, chance.choice([0, 10]))
    ids = []
    crowd = Crowd(server, found, {})
    for number in range(players):
        ids.append(found.arena.join(f"Player {number}", PAW, server.arenas.now_s()).id)
        found.note_joined(ids[-1], f"network {number}")
        if number >= 2 and chance.random() < 0.5:
            crowd.vanish[ids[-1]] = chance.choice(HOW)
        await crowd.play(chance.randint(0, 9))
    await crowd.play(240)
    stayed = [each for each in ids if each not in crowd.vanish]
    for each in stayed:
        assert found.arena.players[each].games or found.arena.table_of(each), (each, found.arena)


@on_manual_clock
async def test_three_who_come_within_seconds_play_at_one_table(clock: ManualClock) -> None:
    """The first has waited for a while when the second and the third come."""
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", SLAP_IN, 30, 0)
    crowd = Crowd(server, found, {})
    for name, wait_s in (("Ana", 20), ("Ben", 4), ("Cleo", 4)):
        found.arena.join(name, PAW, 0)
        await crowd.play(wait_s)
    assert [sorted(players) for players in found.arena.tables.values()] == [[1000, 1001, 1002]]


@on_manual_clock
async def test_a_player_who_is_left_over_slaps_in_and_reads_when(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic;turn_ms=60000", 30, 0)
    crowd = Crowd(server, found, {})
    found.arena.join("Ana", PAW, 0), found.arena.join("Ben", PAW, 0)
    await crowd.play(8)
    cleo = found.arena.join("Cleo", PAW, 0).id
    state = found.ask(cleo)
    assert state
    assert state.wait
    assert (state.wait.why, state.wait.most_s) == ("slap_in", SLAP_IN_AFTER_S)
    for _ in range(round(SLAP_IN_AFTER_S) + 2):
        state = found.ask(cleo)
        await asyncio.sleep(1)
    assert state
    assert (state.room is not None, state.seat, state.wait) == (True, 2, None)
    (name,) = found.arena.tables
    assert found.arena.tables[name][2] == cleo
    room = here(await server.rooms.find(code_of(name)))
    assert room
    assert [seat.name for seat in room.table.seats][2] == "Cleo"
    assert room.table.game
    assert len(room.table.game.hands) == 3


@on_manual_clock
async def test_where_nobody_can_slap_in_the_player_reads_it_and_can_watch(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic;turn_ms=60000;late_join=no", 30, 0)
    crowd = Crowd(server, found, {})
    found.arena.join("Ana", PAW, 0), found.arena.join("Ben", PAW, 0)
    await crowd.play(8)
    cleo = found.arena.join("Cleo", PAW, 0).id
    state = found.ask(cleo)
    assert state
    assert state.wait
    assert state.wait.why == "games"
    assert state.wait.watch == code_of(next(iter(found.arena.tables)))
    await asyncio.sleep(30)
    assert found.arena.table_of(cleo) is None


@on_manual_clock
async def test_a_player_alone_reads_that_they_wait_for_another_one(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", SLAP_IN, 30, 10)
    ana = found.arena.join("Ana", PAW, 0).id
    reasons = []
    for _ in range(3):
        state = found.ask(ana)
        assert state
        assert state.wait
        reasons.append((state.wait.why, round(state.wait.most_s)))
        await asyncio.sleep(10)
    assert reasons == [("start", 10), ("players", 1800), ("players", 1790)]


@on_manual_clock
async def test_a_table_to_which_one_player_comes_does_not_begin_and_they_wait_for_another(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", SLAP_IN, 30, 0)
    ana, ben = (found.arena.join(name, PAW, 0).id for name in ("Ana", "Ben"))
    crowd = Crowd(server, found, {ben: "never comes"})
    await crowd.play(9)
    (name,) = found.arena.tables
    page = crowd.pages[ana, code_of(name)]
    await crowd.play(round(COME_WITHIN_S) + 2)
    assert (found.arena.tables, page.got[-1]) == ({}, "leave: closed")
    assert found.arena.players[ana].games == 0
    state = found.ask(ana)
    assert state
    assert state.wait


@on_manual_clock
async def test_a_player_who_leaves_a_game_for_good_has_lost_it_and_plays_elsewhere(clock: ManualClock) -> None:
    """And the winner's points count them."""
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic;turn_ms=60000", 30, 0)
    ids = [found.arena.join(name, PAW, 0).id for name in ("Ana", "Ben", "Cleo")]
    crowd = Crowd(server, found, {})
    await crowd.play(8)
    (name,) = found.arena.tables
    room = here(await server.rooms.find(code_of(name)))
    assert room
    assert room.table.state.playing
    at = found.arena.tables[name].index(ids[0])
    room.request(crowd.pages[ids[0], code_of(name)], requests.Leave())
    await asyncio.sleep(2)
    left = found.arena.players[ids[0]]
    assert (found.arena.table_of(ids[0]), left.games, left.wins) == (None, 1, 0)
    assert found.arena.tables[name][at] == -ids[0]
    state = found.ask(ids[0])
    assert state
    assert state.room is None
    found.arena.finish(name, ids[1], server.arenas.now_s())
    assert (found.arena.players[ids[1]].points, left.games) == (3, 1)
    with pytest.raises(Refusal):
        found.arena.join("Ana", PAW, 0)
