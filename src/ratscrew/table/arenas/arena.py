"""An arena's players, points and pairs. No I/O, no clock: times are seconds since 1970, given by the caller.

A win at a table of n players gives n points, so that a game is worth as much at each table. After two wins in a row
points count twice, until the player does not win.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct, field

from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.rules.link import from_link
from ratscrew.rules.words import say
from ratscrew.table.names.names import alike
from ratscrew.table.record.entries import Appearance

SEATS_MOST, SEATS_LEAST = 4, 2
"""How many players a table of an arena has."""

PLAYERS_MOST = 300
"""Players of one arena."""

NOBODY = 0
"""In place of a player who did not come to a table: the ids of players are higher."""

STREAK = 2
"""After so many wins in a row the next one counts twice."""

PAIR_AFTER_S = 6.0
"""How long two players who wait have others join them, before there are tables for all who wait."""

MANY = 8
"""With so many waiting players there are enough to choose from."""

Minutes = Annotated[int, Meta(ge=1, le=120)]


class Player(Struct):
    """A player of an arena, with the points so far; `streak` is the number of wins in a row, `last` the last table.

    `account` is a hash of the player's account, by which it is found again at another device; '' without one.
    """

    id: int
    name: str
    appearance: Appearance
    points: int = 0
    games: int = 0
    wins: int = 0
    streak: int = 0
    last: tuple[int, ...] = ()
    account: str = ""

    @property
    def doubles(self) -> bool:
        """Whether the next win counts twice."""
        return self.streak >= STREAK


class Arena(Struct):
    """An arena: its room's full name, its title and rules, when it begins and ends, and who plays at which table.

    `tables` are the running games: the players' ids by the room's full name, in the order of their seats; negative for
    a player who has left the game. `hourly`: the arena has opened by itself.
    """

    room: str
    title: str
    house: str
    begins_s: float
    ends_s: float
    players: dict[int, Player] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    next_id: int = 1000
    hourly: bool = False

    def join(self, name: str, appearance: Appearance, now_s: float, account: str = "") -> Player:
        """Add a player.

        Raises: Refusal (room_full; name_taken; room_closed: it is over).
        """
        if now_s >= self.ends_s:
            raise Refusal(RefusalReason.ROOM_CLOSED, say("This arena is over"))
        if len(self.players) >= PLAYERS_MOST:
            raise Refusal(RefusalReason.ROOM_FULL, say("This arena has {most} players already", most=PLAYERS_MOST))
        if self.has_name(name):
            raise Refusal(
                RefusalReason.NAME_TAKEN, say("Somebody here has that name already, or one that looks like it")
            )
        player = self.players[self.next_id] = Player(self.next_id, name, appearance, account=account)
        self.next_id += 1
        return player

    def has_name(self, name: str) -> bool:
        """Whether a player has this name, or one that looks the same."""
        return any(alike(player.name, name) for player in self.players.values())

    def player_of(self, account: str) -> Player | None:
        """The player with this account's hash."""
        return next((player for player in self.players.values() if account and player.account == account), None)

    def seats_of(self, accounts: Collection[str]) -> list[tuple[str, int]]:
        """The tables at which players with these hashes of accounts play now, by full name, and their seats there."""
        return [
            (room, seat)
            for room, players in self.tables.items()
            for seat, player in enumerate(players)
            if (known := self.players.get(player)) and known.account in accounts
        ]

    def forget(self, accounts: Collection[str]) -> bool:
        """Delete the names of players with these hashes of accounts; whether there are any."""
        found = [player for player in self.players.values() if player.account in accounts]
        for player in found:
            player.name = player.account = ""
        return bool(found)

    def table_of(self, player: int) -> str | None:
        """The room in which a player plays now."""
        return next((room for room, players in self.tables.items() if player in players), None)

    def note_absent(self, room: str, absent: Collection[int]) -> None:
        """Players did not come to their table, which begins without them."""
        self.tables[room] = tuple(NOBODY if player in absent else player for player in self.tables[room])

    def note_late(self, room: str, player: int) -> None:
        """A player joins a running game."""
        self.tables[room] = (*self.tables[room], player)

    def note_left(self, room: str, player: int, now_s: float) -> None:
        """A player has left a running game for good: they have lost it, and may play elsewhere."""
        players = self.tables[room]
        self.tables[room] = tuple(-each if each == player else each for each in players)
        if now_s <= self.ends_s and (left := self.players.get(player)):
            left.games, left.streak, left.last = left.games + 1, 0, players

    def dissolve(self, room: str) -> None:
        """A table does not begin: its players wait again, and do not meet at once if there are others."""
        players = self.tables.pop(room, ())
        for player in (each for number in players if (each := self.players.get(number))):
            player.last = players

    def finish(self, room: str, winner: int | None, now_s: float) -> None:
        """A game is over: give its points, once. Games that end after the arena do not count."""
        players = self.tables.pop(room, ())
        if now_s > self.ends_s:
            return
        for each in players:
            if (player := self.players.get(each)) is None:
                continue
            player.games += 1
            player.last = players
            if each == winner:
                came = sum(other != NOBODY for other in players)
                player.points += came * (2 if player.doubles else 1)
                player.wins += 1
                player.streak += 1
            else:
                player.streak = 0

    def standings(self) -> list[Player]:
        """All players, the best first: by points, then by wins, then by fewer games."""
        return sorted(self.players.values(), key=lambda each: (-each.points, -each.wins, each.games, each.id))


def check_house(house: str) -> None:
    """Check that an arena can have these rules, given by their short text.

    Raises: RulesError.
    """
    rules = from_link(house)
    if rules.max_players and rules.max_players < SEATS_MOST:
        raise RulesError(
            [
                say(
                    "{most} players at most: an arena's tables have up to {seats}",
                    most=rules.max_players,
                    seats=SEATS_MOST,
                )
            ]
        )


def too_many_arenas() -> Refusal:
    """The refusal of another arena."""
    return Refusal(RefusalReason.TOO_MANY_ROOMS, say("There are enough arenas now: join one of them"))


def pair(
    waiting: Iterable[tuple[Player, float]], now_s: float, networks: Mapping[int, str | None] | None = None
) -> list[list[Player]]:
    """Tables of two to four for the waiting players, each with the time since which they wait.

    Players with similar points meet. Nobody is paired before there are enough to choose from, or two have waited long:
    so a third who comes with them does not wait for a whole game.
    If others are there, players of one network do not meet: they may be one person at two devices. `networks` are those
    of the players' ids. Nor do players of one table meet again at once.
    """
    known = networks or {}
    queue = list(waiting)
    paired_s = pairs_at_s(since_s for _, since_s in queue)
    if paired_s is None or (len(queue) < MANY and now_s < paired_s):
        return []
    ranked = [player for player, _ in sorted(queue, key=lambda each: (-each[0].points, each[1], each[0].id))]
    tables = []
    for size in _sizes(len(ranked)):
        table = [ranked.pop(0)]
        while len(table) < size:
            best = min(
                ranked[: 2 * SEATS_MOST], key=lambda other: (_is_beside(other, table, known), _met(other, table))
            )
            ranked.remove(best)
            table.append(best)
        tables.append(table)
    return tables


def pairs_at_s(since_s: Iterable[float]) -> float | None:
    """When few waiting players get tables, by the times since which they wait; None for fewer than two."""
    in_turn = sorted(since_s)
    return in_turn[SEATS_LEAST - 1] + PAIR_AFTER_S if len(in_turn) >= SEATS_LEAST else None


def _sizes(count: int) -> Sequence[int]:
    """How many players sit at each table: four, and at the last ones fewer, but never one alone."""
    full, rest = divmod(count, SEATS_MOST)
    if rest == 1:
        return [SEATS_MOST] * (full - 1) + [3, 2] if full else []
    return [SEATS_MOST] * full + ([rest] if rest else [])


def _is_beside(player: Player, table: Sequence[Player], networks: Mapping[int, str | None]) -> bool:
    network = networks.get(player.id)
    return network is not None and any(networks.get(other.id) == network for other in table)


def _met(player: Player, table: Sequence[Player]) -> bool:
    return any(player.id in other.last for other in table)
