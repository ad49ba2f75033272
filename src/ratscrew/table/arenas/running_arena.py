"""One arena in memory: who waits and is here, its tables, and when it is stored.

Players who join and never ask for a table leave again; a table begins without those who do not come, and not at all
with fewer than two. A player who is left over joins a running game. So nobody keeps others out, or waiting, without
being there.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple, Protocol

from ratscrew.errors import Overloaded, Refusal, RefusalReason
from ratscrew.rules.example import may_join
from ratscrew.rules.words import say
from ratscrew.supervision import Supervisor
from ratscrew.table.arenas.anchor import Anchor
from ratscrew.table.arenas.arena import (
    NOBODY,
    PAIR_AFTER_S,
    PLAYERS_MOST,
    SEATS_LEAST,
    SEATS_MOST,
    Arena,
    Player,
    pair,
    pairs_at_s,
)
from ratscrew.table.arenas.stored import OVER_S
from ratscrew.table.arenas.summary import ArenaWait, PlayerState
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effects
from ratscrew.table.record.entries import RoomLocked
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import code_of
from ratscrew.table.room.room import Room

NEW_OF_NETWORK = 60
"""How many players of one network an arena has who have not played yet."""

DROP_AFTER_S = 30.0
"""A player who has joined and never asked for a table leaves the arena after so long."""

TICK_S = 1.0
HERE_S = 10.0
"""A player who has not asked for so long is not paired."""

COME_WITHIN_S = 8.0
"""A game begins when all its players are at their table, or after so long: without the others, if two are there; if
not, the table is dissolved."""

SLAP_IN_AFTER_S = PAIR_AFTER_S
"""How long a player waits for another one before they join a running game, if its rules let players slap in."""

LOOK_AGAIN_S = 10.0
"""How often the log is read for the result of a table that went on at another node."""


class Result(NamedTuple):
    """The result of a game: the winner's player id in its room, None if nobody won, or a player was voted out."""

    winner: int | None


class Asked(NamedTuple):
    """When a player asked for a table, what tells whether they are banned, and a hash of their network."""

    at_s: float
    is_banned: Callable[[], bool]
    network: str | None


class ArenaServer(Protocol):
    """What an arena needs of its server; unit of times: seconds since 1970. See `ArenaRegistry`."""

    speed: float

    def now_s(self) -> float:
        """The time."""

    async def store(self, arena: Arena, epoch: int) -> None:
        """Store an arena. Raises: LogError."""

    def open_table(self, arena: Arena, players: Collection[Player]) -> Room:
        """Open a room for players. Raises: Refusal (too_many_rooms); Overloaded."""

    async def room(self, name: str) -> Room | Elsewhere | None:
        """A room by its full name, or where it is; None if it is gone. Raises: LogError; LimitExceeded."""

    async def result_in_log(self, name: str) -> Result | None:
        """The result of a room's first game; None if that is not over. Raises: LogError."""


class RunningArena:
    """One arena in memory, with its task."""

    def __init__(self, arena: Arena, anchor: Room, registry: ArenaServer) -> None:
        self.arena, self.epoch, self._registry = arena, anchor.epoch, registry
        self.address = ""
        self.network = ""
        self._waiting: dict[int, float] = {}
        self._networks: dict[int, str] = {}
        self._silent_s: dict[int, float] = {}
        self._asked: dict[int, Asked] = {}
        self._opened: dict[str, float] = {}
        self._look_again_s: dict[str, float] = {}
        self._shown = dict(arena.tables)
        self._joinable: list[str] = []
        self._changed, self._saving = True, asyncio.Lock()
        self.ended = False
        anchor.enter(Anchor(self.stop))
        # a supervisor of its own: if one arena fails, all other games go on, and the server stays ready
        run = Supervisor().run_every(TICK_S / registry.speed, f"arena {arena.room}", self._tick, at_once=True)
        self.task = asyncio.get_running_loop().create_task(run)

    def stop(self) -> None:
        """End it in memory: its room goes to another node, or the server stops."""
        self.ended = True
        self.task.cancel()

    def note_changed(self) -> None:
        """Store it soon."""
        self._changed = True

    def check_join(self, network: str) -> None:
        """Check that another player of a network may join; in a full arena others make space.

        First those who are not here; then, as long as a network has more players who have not played, its last one.

        Raises: Refusal (room_full).
        """
        now_s = self._registry.now_s()
        if len(self.arena.players) >= PLAYERS_MOST:
            asked_s = {player: asked.at_s for player, asked in self._asked.items()}
            self._drop(p for p in self._new_players() if now_s - asked_s.get(p, now_s - HERE_S) > HERE_S)
        new = [player for player in self._new_players() if player in self._networks]
        counts = Counter(self._networks[player] for player in new)
        if counts[network] >= NEW_OF_NETWORK:
            many = say("many players of your network have joined: let them play first")
            raise Refusal(RefusalReason.ROOM_FULL, many)
        if len(self.arena.players) >= PLAYERS_MOST and counts:
            largest, most = counts.most_common(1)[0]
            if most > counts[network] + 1:
                self._drop([max(player for player in new if self._networks[player] == largest)])

    def note_joined(self, player: int, network: str) -> None:
        """A player of a network has joined, and leaves again unless the player asks for a table."""
        self._networks[player], self._silent_s[player] = network, self._registry.now_s()
        self._changed = True

    def _new_players(self) -> list[int]:
        """The players who have not played, and do not now."""
        playing = {player for players in self.arena.tables.values() for player in players}
        return [each.id for each in self.arena.players.values() if not each.games and each.id not in playing]

    def _drop(self, players: Iterable[int]) -> None:
        """These players leave the arena."""
        for player in list(players):
            self._changed |= self.arena.players.pop(player, None) is not None
            for known in (self._networks, self._silent_s, self._waiting, self._asked):
                known.pop(player, None)

    def player_of(self, player: int, account: str) -> int:
        """Which player a browser is that joined as `player` and has an account with this hash now.

        An account has one player: so another one, who joined before it had the account, does not wait any more.
        """
        if (known := self.arena.player_of(account)) is None:
            if not self.arena.players[player].account:
                self.arena.players[player].account = account
                self._changed = True
            return player
        if known.id != player:
            self._waiting.pop(player, None)
        return known.id

    def ask(
        self, player: int, is_banned: Callable[[], bool] = lambda: False, network: str | None = None
    ) -> PlayerState | None:
        """A player asks for a table: it waits from now on, or has one. None if there is no such player.

        `is_banned` is called again before the player is paired: then the player does not wait any more. `network` is a
        hash of the player's network.
        """
        now_s = self._registry.now_s()
        ranked = self.arena.standings()
        rank = next((number for number, each in enumerate(ranked, 1) if each.id == player), None)
        if rank is None:
            return None
        self._asked[player] = Asked(now_s, is_banned, network)
        self._silent_s.pop(player, None)
        room = self.arena.table_of(player)
        if room is None and now_s < self.arena.ends_s:
            self._waiting.setdefault(player, now_s)
        each = self.arena.players[player]
        seat = self.arena.tables[room].index(player) if room and player in self._shown.get(room, ()) else None
        shown = room if seat is not None else None
        wait = self._wait_of(player, now_s) if player in self._waiting else None
        return PlayerState(player, rank, each.points, each.doubles, shown and code_of(shown), seat, shown, wait)

    def _wait_of(self, player: int, now_s: float) -> ArenaWait:
        """Why a player waits, and how long at most."""
        arena = self.arena
        if now_s < arena.begins_s:
            return ArenaWait("start", arena.begins_s - now_s)
        if (paired_s := pairs_at_s(self._waiting.values())) is not None:
            return ArenaWait("tables", max(0.0, paired_s - now_s))
        if self._joinable:
            return ArenaWait("slap_in", max(0.0, self._waiting[player] + SLAP_IN_AFTER_S - now_s))
        watch = next(iter(arena.tables), None)
        return ArenaWait("games" if watch else "players", arena.ends_s - now_s, watch and code_of(watch))

    async def save(self) -> None:
        """Store it, if it has changed.

        Raises: LogError.
        """
        async with self._saving:  # or an earlier state could be stored last
            if self._changed:
                self._changed = False
                tables = dict(self.arena.tables)
                try:
                    await self._registry.store(self.arena, self.epoch)
                except BaseException:
                    self._changed = True
                    raise
                self._shown = tables

    async def _tick(self) -> None:
        try:
            await self._advance(self._registry.now_s())
        finally:
            if self._registry.now_s() > self.arena.ends_s + OVER_S:
                self.stop()

    async def _advance(self, now_s: float) -> None:
        self._drop(
            player
            for player, since_s in self._silent_s.items()
            if now_s - since_s > DROP_AFTER_S * self._registry.speed
        )
        looked_at = [(name, await self._look_at(name, now_s)) for name in list(self.arena.tables)]
        joinable = {name: room for name, room in looked_at if room and self._takes_late(name, room)}
        self._joinable = list(joinable)
        if self.arena.begins_s <= now_s < self.arena.ends_s:
            self._pair(now_s)
            self._join_late(joinable, now_s)
        await self.save()

    async def _look_at(self, name: str, now_s: float) -> Room | None:
        """Begin a table's game when its players are there; give its points when it is over. Returns its room here."""
        room = await self._registry.room(name)
        if isinstance(room, Elsewhere):  # it went on there when this arena's or its own node ended
            if now_s >= self._look_again_s.get(name, 0.0):
                self._look_again_s[name] = now_s + LOOK_AGAIN_S
                if (result := await self._registry.result_in_log(name)) is not None:
                    self._finish(name, result.winner, now_s)
            return None
        game = room.table.game if room else None
        if room is None:
            self.arena.tables.pop(name, None)
            self._changed = True
        elif game is None:
            opened_s = self._opened.setdefault(name, now_s)
            seats = [seat for seat in room.table.seats if not seat.gone]
            here = sum(seat.here for seat in seats)
            if len(seats) < SEATS_LEAST or (here < SEATS_LEAST and now_s > opened_s + COME_WITHIN_S):
                self._dissolve(name, room)
            elif here == len(seats):
                room.change(_begin)
            elif now_s > opened_s + COME_WITHIN_S:
                self._begin_without(name, {seat.player_id for seat in seats if not seat.here})
                room.change(_free_absent)
                room.change(_begin)
        elif game.over and room.table.state.round == 1:
            seat = game.winner
            winner = None if seat is None or room.table.state.voted_out else room.table.seats[seat].player_id
            self._finish(name, winner, now_s)
        elif room.table.state.round > 1:  # they have begun another game since the last look
            result = await self._registry.result_in_log(name)
            self._finish(name, result.winner if result else None, now_s)
        else:
            self._note_left(name, {seat.player_id for seat in room.table.seats if seat.gone}, now_s)
        return room

    def _dissolve(self, name: str, room: Room) -> None:
        """A table does not begin, because fewer than two players came: those who did wait for another one."""
        self.arena.dissolve(name)
        self._opened.pop(name, None)
        self._changed = True
        room.close()

    def _note_left(self, name: str, left: Collection[int], now_s: float) -> None:
        """Players with these numbers in a table's room have left its game; one that all have left does not count."""
        players = self.arena.tables[name]
        for player in {players[number] for number in left if number < len(players)}:
            if player > NOBODY:
                self.arena.note_left(name, player, now_s)
                self._changed = True
        if not any(player > NOBODY for player in self.arena.tables[name]):
            self.arena.tables.pop(name)

    def _takes_late(self, name: str, room: Room) -> bool:
        """Whether a player can join the running game of a table, who becomes the next one of its players."""
        table = room.table
        most = min(SEATS_MOST, table.state.most)
        return (
            table.state.playing
            and table.state.round == 1
            and not table.rated
            and may_join(table.state.rules)
            and table.attended
            and len(table.seats) < most
            and len(self.arena.tables.get(name, ())) == table.state.next_player_id
        )

    def _join_late(self, joinable: Mapping[str, Room], now_s: float) -> None:
        """A player for whom there is nobody to play with joins the running game with the fewest players."""
        if len(self._waiting) != 1 or not joinable:
            return
        ((number, since_s),) = self._waiting.items()
        if now_s < since_s + SLAP_IN_AFTER_S:
            return
        player = self.arena.players[number]
        name = min(joinable, key=lambda each: len(joinable[each].table.seats))
        with suppress(Refusal):
            joinable[name].join(player.name, player.appearance)
            self.arena.note_late(name, number)
            del self._waiting[number]
            self._changed = True

    def _begin_without(self, name: str, absent: Collection[int]) -> None:
        """Begin a table without the players who have not come; `absent` are their numbers in its room."""
        players = self.arena.tables[name]
        self.arena.note_absent(name, {players[number] for number in absent if number < len(players)})
        self._changed = True

    def _finish(self, name: str, winner: int | None, now_s: float) -> None:
        """Give the points of a table; `winner` is the number of a player in its room, from 0."""
        players = self.arena.tables[name]
        self.arena.finish(name, players[winner] if winner is not None and winner < len(players) else None, now_s)
        for times in (self._opened, self._look_again_s):
            times.pop(name, None)
        self._changed = True

    def _pair(self, now_s: float) -> None:
        """Open tables for the players who wait and are here."""
        for player in list(self._waiting):
            asked = self._asked[player]
            if now_s - asked.at_s > HERE_S * self._registry.speed or asked.is_banned():
                del self._waiting[player]
        waiting = [(self.arena.players[player], since_s) for player, since_s in self._waiting.items()]
        networks = {player: self._asked[player].network for player in self._waiting}
        for table in pair(waiting, now_s, networks):
            try:
                room = self._registry.open_table(self.arena, table)
            except (Refusal, Overloaded):  # the server has no space: they wait
                return
            self.arena.tables[room.table.room] = tuple(player.id for player in table)
            for each in table:
                self._waiting.pop(each.id, None)
            self._changed = True


def lock(table: Table, now_us: int) -> Effects:
    """Nobody else can join."""
    return table.record([RoomLocked(True)], now_us)


def _free_absent(table: Table, now_us: int) -> Effects:
    """The seats of those who have not come are free."""
    return table.free_absent_seats(now_us)


def _begin(table: Table, now_us: int) -> Effects:
    with suppress(Refusal):
        return table.next_game(now_us)
    return []
