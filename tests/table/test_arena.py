"""Arenas: points by worked examples, pairs by score, and no point lost by a restart."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from ratscrew.cards import cards
from ratscrew.errors import LogError, Refusal, RefusalReason, RulesError
from ratscrew.game.engine import replay
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.house import Rules
from ratscrew.table.arenas.arena import MANY, PAIR_AFTER_S, PLAYERS_MOST, Arena, Player, pair
from ratscrew.table.arenas.arena_registry import ARENAS_OF_ADDRESS, ArenaRegistry, Result, RunningArena
from ratscrew.table.arenas.stored import ARENA, STATE, state_name
from ratscrew.table.record import requests
from ratscrew.table.record.entries import Appearance, Entry, is_game_event
from ratscrew.table.registry.room_registry import RoomRegistry, code_of
from ratscrew.table.state.dealer import Laid
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import Person, here

PAW = Appearance(1, "paw")


def arena(*names: str, ends_s: float = 1000) -> Arena:
    """An arena with these players; the first one's number is 1000."""
    made = Arena("TEST1-1", "Friday", "1;classic", 0, ends_s)
    for name in names:
        made.join(name, PAW, 0)
    return made


# Points


def test_a_win_gives_as_many_points_as_players_and_twice_as_many_after_two_wins_in_a_row() -> None:
    """At tables of 4, 2 and 3: 4 + 2 + 2·3 = 12; then a game lost, and a win among two: 14."""
    made = arena("Ana", "Ben", "Cleo", "Dan")
    for players, winner in (((1000, 1001, 1002, 1003), 1000), ((1000, 1001), 1000), ((1002, 1000, 1003), 1000)):
        made.tables["R"] = players
        made.finish("R", winner, 10)
    ana = made.players[1000]
    assert (ana.points, ana.wins, ana.games, ana.doubles) == (12, 3, 3, True)
    for winner in (1001, 1000):
        made.tables["R"] = (1000, 1001)
        made.finish("R", winner, 10)
    assert (ana.points, ana.streak, made.players[1001].points) == (14, 1, 2)


def test_a_game_without_a_winner_gives_nobody_a_point_and_ends_streaks() -> None:
    made = arena("Ana", "Ben")
    made.players[1000].streak = 2
    made.tables["R"] = (1000, 1001)
    made.finish("R", None, 10)
    assert [(each.points, each.games, each.streak) for each in made.players.values()] == [(0, 1, 0), (0, 1, 0)]


@on_manual_clock
async def test_an_arena_gives_no_points_for_a_game_in_which_a_player_was_voted_out(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic;turn_ms=1000", 60, 0)
    players = [found.arena.join(name, PAW, 0).id for name in ("Ana", "Ben", "Cleo")]
    for player in players:
        found.ask(player)
    await asyncio.sleep(PAIR_AFTER_S + 3)
    (name,) = found.arena.tables
    room = here(await server.rooms.find(code_of(name)))
    assert room
    pages = [Person(seat) for seat in range(3)]
    for page in pages:
        room.enter(page)
    await asyncio.sleep(3)
    assert room.table.game
    for page in pages[:2]:
        room.request(page, requests.Vote(2, True))
    assert room.table.seats[2].gone
    while not room.table.game.over:
        await asyncio.sleep(60)
    for page in pages[:2]:
        room.request(page, requests.Ready(True))
    await asyncio.sleep(60)
    assert [(each.points, each.games) for each in found.arena.players.values()] == [(0, 1)] * 3
    assert room.table.state.round == 1  # nobody begins another game at this table
    assert (await server.arenas.result_in_log(name)) == Result(None)


def test_a_game_counts_once_and_not_after_the_end() -> None:
    made = arena("Ana", "Ben")
    made.tables.update({"R": (1000, 1001), "S": (1000, 1001)})
    made.finish("R", 1000, 10)
    made.finish("R", 1000, 11)
    made.finish("S", 1000, 1001)
    assert (made.players[1000].points, made.tables) == (2, {})


def test_a_name_like_another_one_is_refused_and_so_is_who_comes_after_the_end() -> None:
    made = arena("Ana")
    for name, now_s, reason in (("АNA", 1, RefusalReason.NAME_TAKEN), ("Ben", 1000, RefusalReason.ROOM_CLOSED)):
        with pytest.raises(Refusal) as refused:
            made.join(name, PAW, now_s)
        assert refused.value.reason == reason


def test_a_full_arena_takes_no_more_players() -> None:
    made = arena(*(f"Player {number}" for number in range(PLAYERS_MOST)))
    with pytest.raises(Refusal) as refused:
        made.join("One more", PAW, 0)
    assert refused.value.reason == RefusalReason.ROOM_FULL


def test_the_standings_are_by_points_then_wins_then_fewer_games() -> None:
    made = arena("Ana", "Ben", "Cleo", "Dan")
    for player, (points, wins, games) in zip(
        made.players.values(), ((4, 1, 3), (6, 2, 5), (4, 2, 9), (4, 1, 2)), strict=True
    ):
        player.points, player.wins, player.games = points, wins, games
    assert [each.name for each in made.standings()] == ["Ben", "Cleo", "Dan", "Ana"]


# Pairs


def waiting(number: int, since_s: float = 0) -> list[tuple[Player, float]]:
    """So many players; number n has n points."""
    return [(Player(each, str(each), PAW, points=each), since_s) for each in range(number)]


def test_nobody_is_paired_before_there_are_many_or_one_has_waited_long() -> None:
    assert pair(waiting(MANY - 1), PAIR_AFTER_S - 0.1) == []
    assert len(pair(waiting(MANY), 0)) == 2
    assert len(pair(waiting(2), PAIR_AFTER_S)) == 1
    assert pair(waiting(1), 1000) == []


@pytest.mark.parametrize("players", range(2, 30))
def test_everybody_gets_one_table_of_two_to_four(players: int) -> None:
    tables = pair(waiting(players), PAIR_AFTER_S)
    assert sorted(player.id for table in tables for player in table) == list(range(players))
    assert all(2 <= len(table) <= 4 for table in tables)


def test_players_with_similar_points_meet() -> None:
    assert [sorted(player.points for player in table) for table in pair(waiting(8), 0)] == [[4, 5, 6, 7], [0, 1, 2, 3]]


def test_players_do_not_meet_again_at_once_if_there_are_others() -> None:
    queue = waiting(8)
    for player, _ in queue[:4]:
        player.last, player.points = (0, 1, 2, 3), 5
    for table in pair(queue, 0):
        assert len([player for player in table if player.id < 4]) <= 3
    first = pair(queue, 0)[0]
    assert len([player for player in first if player.id < 4]) <= 1


def test_players_of_one_network_do_not_meet_if_there_are_others() -> None:
    """Two devices of one person, however similar their points, and whoever has met before."""
    networks = {7: "home", 6: "home", 5: "b", 4: "c", 3: "d", 2: "e", 1: "f", 0: None}
    queue = waiting(8)
    for player, _ in queue[:6]:
        player.last = (7,)
    for table in pair(queue, 0, networks):
        assert {player.id for player in table} & {6, 7} not in ({6, 7}, set())


def test_players_of_one_network_meet_if_there_is_nobody_else() -> None:
    assert [len(table) for table in pair(waiting(8), 0, dict.fromkeys(range(8), "school"))] == [4, 4]
    assert [[player.id for player in table] for table in pair(waiting(2), PAIR_AFTER_S, {0: "home", 1: "home"})] == [
        [1, 0]
    ]


# A whole arena


def short_games() -> Laid:
    """Games of two cards: each time the next seat leads with a jack, which the seat after it cannot answer."""
    numbers = count()

    def deal(rules: Rules, seats: int) -> Dealt:
        lead = next(numbers) % seats
        hands = [cards("") for _ in range(seats)]
        hands[lead], hands[(lead + 1) % seats] = cards("JH 2H 3H"), cards("5C")
        return Dealt(rules, tuple(hands), Standing("play", lead))

    return deal


class Server:
    """A server with its arenas, and the pages of their players."""

    def __init__(self, log: MemoryLog[Entry], clock: ManualClock) -> None:
        self.log, self.rooms = log, RoomRegistry(log, clock, short_games())
        self.arenas = ArenaRegistry(log, self.rooms, clock.now_us)
        self.results: dict[str, tuple[int, ...]] = {}

    async def find(self, name: str) -> RunningArena:
        """The arena, as for a request."""
        room = here(await self.rooms.find(code_of(name)))
        assert room
        found = await self.arenas.find(room)
        assert found
        return found

    async def go_on(self, name: str, seconds: float) -> None:
        """All players ask for a table and go there, and turn their cards."""
        for _ in range(round(seconds * 2)):
            found = await self.find(name)
            for player in list(found.arena.players):
                state = found.ask(player)
                if (
                    state
                    and state.room
                    and state.seat is not None
                    and (room := here(await self.rooms.find(state.room)))
                ):
                    if room.table.state.round == 0 and not room.table.seats[state.seat].here:
                        room.enter(Person(state.seat))
                    elif (
                        room.table.state.playing and room.table.game and (subscriber := room.subscriber_at(state.seat))
                    ):
                        room.play(subscriber, room.table.game.n)
            await asyncio.sleep(0.5)


def total(made: Arena) -> int:
    """All points of an arena."""
    return sum(player.points for player in made.players.values())


def games_in(log: MemoryLog[Entry], made: Arena) -> list[tuple[int, int]]:
    """Every finished game of the log: how many played, and the seat that won."""
    found = []
    for game in log.games():
        events = [entry.event for entry in log.read(game) if is_game_event(entry.event)]
        if events and (end := replay(events)).over and end.winner is not None:
            found.append((len(end.hands), end.winner))
    return found


@on_manual_clock
async def test_an_arena_is_played_to_its_end(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    made = server.arenas.open("Friday", "1;classic;turn_ms=5000", 2, 10).arena
    for name in ("Ana", "Ben", "Cleo", "Dan", "Eve"):
        made.join(name, PAW, 0)
    await server.go_on(made.room, 9)
    assert not made.tables  # it has not begun
    await server.go_on(made.room, 110)
    assert [each.title for each in await server.arenas.listed()] == ["Friday"]
    await server.go_on(made.room, 12)
    assert sum(player.wins for player in made.players.values()) >= 8
    assert total(made) >= sum(size for size, _ in games_in(log, made)[:8])
    assert await server.arenas.listed() == []
    points = total(made)
    await server.go_on(made.room, 20)
    assert (total(made), made.tables) == (points, {})


@on_manual_clock
async def test_an_arena_goes_on_after_errors_and_logs_the_first_of_a_row(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server(MemoryLog[Entry](), clock)
    found = server.arenas.open("Friday", "1;classic;turn_ms=5000", 2, 10)
    errors = [KeyError("a bug"), LogError("away"), LogError("away")]
    store = server.arenas.store

    async def fail(arena: Arena, epoch: int) -> None:
        if errors:
            raise errors.pop(0)
        await store(arena, epoch)

    monkeypatch.setattr(server.arenas, "store", fail)
    await asyncio.sleep(10)
    assert (errors, found.ended) == ([], False)
    assert [each.title for each in await server.arenas.listed()] == ["Friday"]
    (record,) = [record for record in caplog.records if record.name.startswith("ratscrew")]
    assert record.getMessage() == f"the background task 'arena {found.arena.room}' failed; it continues"


@pytest.mark.parametrize("seconds", [12, 17.5, 21, 26.5, 33])
@on_manual_clock
async def test_a_restart_in_the_middle_loses_no_point_and_gives_none_twice(clock: ManualClock, seconds: float) -> None:
    """After each restart the points are those of the games in the log, counted here by themselves."""
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    name = server.arenas.open("Friday", "1;classic;turn_ms=5000", 5, 0).arena.room
    for player in ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida"):
        (await server.find(name)).arena.join(player, PAW, 0)
    (await server.find(name)).note_changed()
    for _ in range(3):
        await server.go_on(name, seconds)
        server.arenas.close()  # as a crash: nothing is stored any more
        server.rooms.close()
        server = Server(log, clock)
    await server.go_on(name, 30)
    made = (await server.find(name)).arena
    ended = games_in(log, made)
    counted = sum(player.wins for player in made.players.values())
    assert len(ended) - len(made.tables) <= counted <= len(ended)
    assert counted >= 4
    plain = sum(size for size, _ in ended)
    assert total(made) >= plain - 4 * len(made.tables)


@on_manual_clock
async def test_an_address_opens_only_so_many_arenas_and_their_rules_take_four_players(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    for number in range(ARENAS_OF_ADDRESS):
        server.arenas.open(f"Nr {number}", "1;classic", 5, 0, "192.0.2.1")
    with pytest.raises(Refusal) as refused:
        server.arenas.open("One more", "1;classic", 5, 0, "192.0.2.1")
    assert refused.value.reason == RefusalReason.TOO_MANY_ROOMS
    server.arenas.open("Elsewhere", "1;classic", 5, 0, "192.0.2.2")
    with pytest.raises(RulesError):
        server.arenas.open("Two", "1;classic;max_players=2", 5, 0)


@on_manual_clock
async def test_a_player_who_is_banned_after_asking_is_not_paired(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 5, 0)
    ana, ben, cleo = (found.arena.join(name, PAW, 0).id for name in ("Ana", "Ben", "Cleo"))
    banned = set[int]()
    for player in (ana, ben, cleo):
        assert found.ask(player, lambda player=player: player in banned)  # type: ignore[misc]
    banned.add(ben)
    await asyncio.sleep(PAIR_AFTER_S + 3)
    assert list(found.arena.tables.values()) == [(ana, cleo)]


@on_manual_clock
async def test_an_arena_is_stored_until_a_week_after_its_end(clock: ManualClock) -> None:
    server = Server(MemoryLog(), clock)
    found = server.arenas.open("Friday", "1;classic", 5, 0)
    found.arena.join("Ana", PAW, 0)
    await found.save()
    found.stop()
    for days, there in ((6.9, True), (0.2, False)):
        clock.advance(round(days * 24 * 3600 * 1e6))
        await server.arenas.tidy()
        assert bool(server.log.get(ARENA)) == there


@on_manual_clock
async def test_of_the_states_that_owners_have_stored_the_latest_owners_counts(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    found = server.arenas.open("Friday", "1;classic", 5, 0)
    await found.save()
    name = found.arena.room
    for epoch, points in ((9, 90), (10, 100), (2, 20)):
        found.arena.players[1000] = Player(1000, "Ana", PAW, points=points)
        log.put(state_name(name, epoch), STATE.encode(found.arena))
    server.arenas.close()
    server.rooms.close()
    assert total((await Server(log, clock).find(name)).arena) == 100


@on_manual_clock
async def test_a_deleted_account_is_in_no_state_that_another_owner_has_stored(clock: ManualClock) -> None:
    server = Server(MemoryLog[Entry](), clock)
    found = server.arenas.open("Friday", "1;classic", 5, 0)
    found.arena.players[1000] = Player(1000, "Ana", PAW, account="hash of Ana's")
    server.log.put(state_name(found.arena.room, found.epoch + 1), STATE.encode(found.arena))
    await found.save()
    await server.arenas.forget_accounts(["hash of Ana's"])
    (kept,) = server.log.get(ARENA).values()
    assert b"Ana" not in kept
    server.arenas.close()
    server.rooms.close()


@on_manual_clock
async def test_a_deleted_name_is_in_no_stored_arena(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    server = Server(log, clock)
    found = server.arenas.open("Friday", "1;classic", 5, 0)
    player = found.arena.join("Wolfgang", PAW, 0)
    found.note_changed()
    await found.save()
    assert any(b"Wolfgang" in value for value in log.get("arena").values())
    room = here(await server.rooms.find(code_of(found.arena.room)))
    assert room
    await server.arenas.delete_names(room, [player.id])
    assert not any(b"Wolfgang" in value for value in log.get("arena").values())
