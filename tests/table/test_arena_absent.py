"""Players of an arena who are not there keep nobody out, and few addresses do not fill the list."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from ratscrew.errors import Refusal
from ratscrew.log.memory import MemoryLog
from ratscrew.table.arenas.arena import NOBODY, PLAYERS_MOST
from ratscrew.table.arenas.arena_registry import ARENAS_KEPT, ARENAS_MOST, ARENAS_OF_NETWORK
from ratscrew.table.arenas.running_arena import COME_WITHIN_S, DROP_AFTER_S, HERE_S, NEW_OF_NETWORK
from ratscrew.table.registry.room_registry import code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here
from tests.table.test_arena import PAW, Server


@on_manual_clock
async def test_players_who_never_ask_for_a_table_leave_and_keep_nobody_out(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 30, 0)
    for number in range(NEW_OF_NETWORK):
        found.note_joined(found.arena.join(f"Ghost{number:03}", PAW, 0).id, "theirs")
    with pytest.raises(Refusal):
        found.check_join("theirs")
    found.check_join("hers")
    ana = found.arena.join("Ana", PAW, 0).id
    found.note_joined(ana, "hers")
    assert found.ask(ana)
    await asyncio.sleep(DROP_AFTER_S + 2)
    assert list(found.arena.players) == [ana]


@on_manual_clock
async def test_in_a_full_arena_those_who_are_not_here_make_space(clock: ManualClock) -> None:
    """They asked once, and have not played; who has played stays."""
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 30, 60)
    for number in range(PLAYERS_MOST):
        player = found.arena.join(f"Ghost{number:03}", PAW, 0)
        found.note_joined(player.id, str(number % 10))
        assert found.ask(player.id)
    found.arena.players[1000].games = 1
    await asyncio.sleep(HERE_S + 2)
    found.check_join("hers")
    assert list(found.arena.players) == [1000]


@pytest.mark.parametrize("networks", [5, 100])
@on_manual_clock
async def test_in_a_full_arena_networks_with_many_who_have_not_played_make_space(
    clock: ManualClock, networks: int
) -> None:
    """All of them are here, and ask for tables."""
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 30, 60)

    def join(name: str, network: str) -> int:
        found.check_join(network)
        player = found.arena.join(name, PAW, 0).id
        found.note_joined(player, network)
        assert found.ask(player)
        return player

    ghosts = [join(f"Ghost{number:03}", str(number % networks)) for number in range(PLAYERS_MOST)]
    found.arena.players[ghosts[-1]].games = 1
    newcomers = [join(f"Ana{number}", f"newcomer {number}") for number in range(10)]
    assert set(newcomers) <= set(found.arena.players)
    assert len(found.arena.players) == PLAYERS_MOST
    assert ghosts[-1] in found.arena.players  # who has played stays
    with pytest.raises(Refusal):
        join("Ghost", "0")


@on_manual_clock
async def test_a_table_begins_without_those_who_do_not_come_and_is_worth_as_many_points(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 30, 0)
    ana, ben, *_ = ids = [found.arena.join(name, PAW, 0).id for name in ("Ana", "Ben", "Ghost", "Shade")]
    for player in ids:
        assert found.ask(player)
    while not found.arena.tables:
        await asyncio.sleep(0.5)
    ((name, players),) = found.arena.tables.items()
    room = here(await server.rooms.find(code_of(name)))
    assert room
    for player in (ana, ben):
        room.enter(Person(players.index(player)))
    await asyncio.sleep(COME_WITHIN_S + 3)
    assert room.table.state.playing
    assert sorted(found.arena.tables[name]) == [NOBODY, NOBODY, ana, ben]
    assert set(found.arena.players) == set(ids)  # a page may have been slow
    found.arena.finish(name, ana, clock.now_us() / 1e6)
    assert found.arena.players[ana].points == 2


@on_manual_clock
async def test_ten_addresses_do_not_fill_the_list_of_arenas(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    for number in range(10):
        for _ in range(2):
            server.arenas.open("Ghosts", "1;classic", 120, 3600, f"198.{number}.7.9", f"198.{number}.7.0/24")
    assert server.arenas.open("Friday", "1;classic", 30, 0, "192.0.2.1", "192.0.2.0/24")


@on_manual_clock
async def test_an_arena_with_players_makes_no_space_for_another(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    for number in range(ARENAS_MOST + ARENAS_KEPT):
        found = server.arenas.open("Full", "1;classic", 120, 0, f"198.{number}.7.9", f"198.{number}.7.0/24")
        found.arena.join("Ana", PAW, 0)
    with pytest.raises(Refusal):
        server.arenas.open("Friday", "1;classic", 30, 0, "192.0.2.1", "192.0.2.0/24")


@on_manual_clock
async def test_a_network_opens_only_so_many_arenas(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    for number in range(ARENAS_OF_NETWORK):
        server.arenas.open("Ghosts", "1;classic", 120, 0, f"2001:db8:0:{number}::", "2001:db8::/48")
    with pytest.raises(Refusal):
        server.arenas.open("Ghosts", "1;classic", 120, 0, "2001:db8:0:99::", "2001:db8::/48")


@pytest.mark.parametrize("addresses", [10, 100])
@on_manual_clock
async def test_arenas_with_players_of_few_networks_leave_space_for_another(clock: ManualClock, addresses: int) -> None:
    """Ten networks, with one or ten addresses each; a player in each arena."""
    server = Server(MemoryLog(), clock)
    for number in range(2 * addresses):
        network = f"198.51.{number % 10}"
        with suppress(Refusal):
            found = server.arenas.open("Ghosts", "1;classic", 120, 0, f"{network}.{number // 20}", f"{network}.0/24")
            found.arena.join("Ghost", PAW, 0)
    for number in range(10):
        assert server.arenas.open("Friday", "1;classic", 30, 0, f"192.0.{number}.1", f"192.0.{number}.0/24")
