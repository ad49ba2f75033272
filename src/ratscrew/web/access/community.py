"""The community of a server: accounts, results of games as they end, and ratings. Nothing of it exists if it is off.

Each game that is over is read from the log in a thread, and its result is stored; ratings follow from the results.
Nodes of a cluster read each other's results. A whole season is read and rated in a thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

from aiohttp import web

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.device_keys import DeviceKeys
from ratscrew.accounts.passkeys import Passkeys
from ratscrew.accounts.past_seasons import SeasonStanding, archive_seasons, read_archive, standings
from ratscrew.accounts.played import BIN_MS
from ratscrew.accounts.ratings import RATED, Rating, Ratings
from ratscrew.accounts.results import GameResult, hour_of, read_results, result_pieces, season_of
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import LogError
from ratscrew.log.protocol import EventLog
from ratscrew.table.core.account_links import link_account
from ratscrew.table.history.settling import excluded, store_game
from ratscrew.table.names.names import looks
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.restoring import Breaks
from ratscrew.table.room.room import Room
from ratscrew.table.room.room_events import GameOver
from ratscrew.web.access.account_cookie import AccountCookie
from ratscrew.web.access.moderation import Moderation
from ratscrew.web.access.presence import OnlineAccounts
from ratscrew.web.http.browser_cookies import BrowserCookies
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.schema.community_schema import Leaderboard, RatingRow

RETRY_S = 1.0
"""When a result that could not be stored is tried again."""

READ_EVERY_S = 10.0
"""How often a node reads the results of others."""

NAMES_KEPT, NAME_US = 20_000, 10_000_000
"""How many public names are kept in memory, and for how long: another node may have deleted one."""

Reactions = defaultdict[str, Counter[int]]
"""All players' reactions by pattern, in bins of `BIN_MS`."""

RATED_AT_ONCE = 20
"""Results that are rated between two breaks of the thread that rates a whole season, in some milliseconds."""

_HOUR_US = 3600 * 1_000_000
_logger = logging.getLogger(__name__)


class CommunityOptions(NamedTuple):
    """What an operator chooses: further rated rules, and the rules of the hourly arena, all by their short texts."""

    rated: tuple[str, ...] = ()
    hourly: str | None = None


class Community:
    """Accounts, ratings and friends of one server, with its `rooms`.

    Raises: LogError if the store cannot be read.
    """

    def __init__(
        self,
        log: EventLog[Entry],
        clock: Clock,
        proxy_policy: ProxyPolicy,
        cookies: BrowserCookies,
        rated: Collection[str] = (),
        rooms: Iterable[Room] = (),
    ) -> None:
        self.log, self.clock = log, clock
        self.online = OnlineAccounts(log, rooms, clock.now_us)
        self.rated = tuple(dict.fromkeys((*RATED, *rated)))
        self.accounts = Accounts(log, looks)
        self.passkeys = Passkeys(log)
        self.cookie = AccountCookie(self.accounts, DeviceKeys(log), clock, cookies)
        self.moderation = Moderation(log, clock, proxy_policy, self.cookie, cookies)
        self.season = season_of(clock.now_us())
        self.ratings = Ratings(self.rated)
        self.reactions = Reactions(Counter)
        self._names: dict[str, tuple[str | None, int]] = {}
        self.boards: dict[tuple[str, str], tuple[int, Leaderboard]] = {}
        """Leaderboards by rules and season, and until when they are shown from memory."""
        self._networks: WeakKeyDictionary[Room, dict[str, int]] = WeakKeyDictionary()
        self._ended = asyncio.Queue[str](100_000)
        self._loaded, self._archived = False, ""

    def rating(self, account: Account | None, rules: str = RATED[0]) -> Rating:
        """The rating of an account in this season; that of a new player without one. Does no look-up."""
        return self.ratings.rating(rules, account.id if account else "")

    def rows(self, account_id: str) -> tuple[RatingRow, ...]:
        """The ratings of an account in this season, under the rules under which it has any."""
        rated = [(rules, self.ratings.rating(rules, account_id)) for rules in self.rated]
        return tuple(RatingRow(rules, one.points, one.provisional, one.games) for rules, one in rated if one.games)

    def rename(self, account_id: str, pseudonym: str) -> None:
        """An account was deleted: its pseudonym is in the results. Nothing is read or rated again."""
        self.ratings.rename(account_id, pseudonym)
        self.forget_name(account_id)

    def forget_name(self, account_id: str) -> None:
        """A name has changed or was deleted: read it anew, and the leaderboards that show it."""
        self._names.pop(account_id, None)
        for key, (_, board) in list(self.boards.items()):
            if any(player.id == account_id for player in board.players):
                del self.boards[key]

    def standings(self, rules: str, season: str, most: int) -> list[SeasonStanding]:
        """The standings of a season, the best first; may have fewer than `most`. Waits for the log."""
        if season == self.season:
            return standings(self.ratings, rules, most)
        return read_archive(self.log, season, rules)[:most]

    def names(self, accounts: Iterable[str]) -> dict[str, str]:
        """The public names of accounts, without those that were deleted. Waits for the log."""
        now_us = self.clock.now_us()
        found: dict[str, str] = {}
        for account in dict.fromkeys(accounts):
            name, until_us = self._names.get(account, (None, 0))
            if until_us <= now_us:
                if len(self._names) >= NAMES_KEPT:
                    self._names.clear()
                known = self.accounts.get(account)
                name = known.public_name if known else None
                self._names[account] = name, now_us + NAME_US
            if name:
                found[account] = name
        return found

    async def link(self, request: web.Request, room: Room, player_ids: Iterable[int], network: str) -> None:
        """Note in a room's log that these players are the account of this browser, if it has one.

        Raises: LogError.
        """
        if account := await self.cookie.account(request):
            await self.link_account(room, player_ids, account, network)

    async def link_account(self, room: Room, player_ids: Iterable[int], account: Account, network: str) -> None:
        """Note in a room's log that these players have this account, and under the account that it was in the room.

        Raises: LogError.
        """
        name = f"{PREFIX}room/{account.id}/{room.table.room}/"
        await asyncio.to_thread(self.log.put, name, b"1")  # first: so a deletion finds all games
        if room.closed:
            return
        first_link = not any(seat.account for seat in room.table.seats)
        numbers = self._networks.setdefault(room, {})
        first = max((seat.network for seat in room.table.seats if seat.network is not None), default=-1) + 1
        number = numbers.setdefault(network, max([first, *(other + 1 for other in numbers.values())]))
        room.change(partial(link_account, player_ids=tuple(player_ids), account=account.id, network=number))
        if first_link:
            room.note_over()

    def note_over(self, event: GameOver) -> None:
        """A game is over: its result is stored soon, if it may be of interest. Reads nothing."""
        if event.linked and not self._ended.full():
            self._ended.put_nowait(event.game)

    async def settle_games(self) -> None:
        """Store the results of the games that are over, and rate them, until the task is cancelled."""
        while True:
            game = await self._ended.get()
            while True:
                try:
                    result = await asyncio.to_thread(self.settle, game)
                    break
                except LogError as error:
                    _logger.warning("the result of game %s is not stored yet: %s", game, error)
                    await asyncio.sleep(RETRY_S)
            if result:
                self.add([result])

    def settle(self, game: str) -> GameResult | None:
        """Read a game that has ended, and store its result. Waits for the log.

        Raises: LogError.
        """
        return store_game(self.log, game)

    def add(self, results: Iterable[GameResult]) -> None:
        """Rate results; those of another season are not this season's."""
        new = [each for each in results if season_of(each.end_us) == self.season and each.game not in self.ratings]
        self.ratings.add(new)
        _count(self.reactions, new)

    async def read(self) -> None:
        """Read the results of this season: all of them at first, then the latest ones of other nodes.

        Raises: LogError.
        """
        now_us = self.clock.now_us()
        out = await asyncio.to_thread(excluded, self.log)
        if season_of(now_us) != self.season or out != self.ratings.excluded or not self._loaded:
            await self._load(season_of(now_us), out)
        for hour in (hour_of(now_us - _HOUR_US), hour_of(now_us)):
            self.add(await asyncio.to_thread(_results, self.log, self.season, hour))
        settled = season_of(now_us - _HOUR_US)
        if settled != self._archived:
            await asyncio.to_thread(archive_seasons, self.log, settled, self.rated, out)
            self._archived = settled

    async def _load(self, season: str, out: Collection[str]) -> None:
        """Read and rate a whole season; after a failure it is read again."""
        self._loaded = True  # unless an account is deleted meanwhile
        try:
            found = await asyncio.to_thread(_whole_season, self.log, season, self.rated, out)
        except LogError:
            self._loaded = False
            raise
        self.season, (self.ratings, self.reactions) = season, found


def _results(values: Values, season: str, hour: str = "") -> list[GameResult]:
    return list(read_results(values, season, hour))


def _whole_season(
    values: Values, season: str, rated: Collection[str], out: Collection[str]
) -> tuple[Ratings, Reactions]:
    """The ratings of a season, and all players' reactions in it. The thread takes breaks for the event loop."""
    ratings, reactions, breaks = Ratings(rated, out), Reactions(Counter), Breaks()

    def add(results: list[GameResult]) -> None:
        ratings.add(results)
        _count(reactions, results)

    for piece in result_pieces(values, season, RATED_AT_ONCE):
        breaks.run(partial(add, piece))
    return ratings, reactions


def _count(reactions: Reactions, results: Iterable[GameResult]) -> None:
    for result in results:
        for pattern, times in result.reactions.items():
            reactions[pattern].update(ms // BIN_MS for ms in times)
