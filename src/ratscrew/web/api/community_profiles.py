"""HTTP handlers of leaderboards and profiles. A player's figures are computed in the worker process."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterable

from aiohttp import web
from msgspec.structs import replace

from ratscrew.accounts.device_keys import is_id
from ratscrew.accounts.played import EVERYONE, Recent, Summary, encoded_games
from ratscrew.accounts.results import seasons
from ratscrew.limits.fair_lock import FairLock
from ratscrew.rules.words import say
from ratscrew.table.history.game_names import GameNames
from ratscrew.web.access.community import Community
from ratscrew.web.api.community_handlers import CommunityHandlers
from ratscrew.web.http.responses import ProblemResponse, json_response
from ratscrew.web.rendering.rendered import Renderer
from ratscrew.web.rendering.rendering import SUMMARY, Rendered, profile_figures
from ratscrew.web.rendering.worker import Execute
from ratscrew.web.schema import community_schema as schema

LEADERS_MOST = 100
"""How many players a leaderboard shows."""

HISTORY_MOST = 200
"""How many games a profile shows in its chart of the rating."""

KEPT_US = 10_000_000
"""How long a leaderboard is shown from memory: it reads a name for each player."""


class ProfileHandlers(CommunityHandlers):
    """Handlers of what all players may see of each other."""

    def __init__(
        self,
        community: Community | None,
        game_names: GameNames,
        renderer: Renderer,
        address: Callable[[web.Request], str],
    ) -> None:
        super().__init__(community)
        self._game_names, self._renderer, self._address, self._reading = game_names, renderer, address, FairLock()

    async def leaderboard(self, request: web.Request) -> web.Response:
        """The best players of a season under some rules."""
        community = self._community
        rules, season = request.query.get("rules", community.rated[0]), request.query.get("season", community.season)
        now_us = community.clock.now_us()
        until_us, board = community.boards.get((rules, season), (0, None))
        if board is None or until_us <= now_us:
            async with self._reading.hold(self._address(request)):  # one at a time: others find it then
                until_us, board = community.boards.get((rules, season), (0, None))
                if board is None or until_us <= now_us:
                    board = await asyncio.to_thread(self._board, rules, season)
            if board is None:
                return ProblemResponse(404, "no_season", say("There is no such season, or these rules aren't rated"))
            community.boards[rules, season] = now_us + KEPT_US, board  # as many as there are rated rules and seasons
        return json_response(board)

    def _board(self, rules: str, season: str) -> schema.Leaderboard | None:
        community = self._community
        found = sorted({*seasons(community.log), community.season}, reverse=True)
        if rules not in community.rated or season not in found:
            return None
        best = community.standings(rules, season, 2 * LEADERS_MOST)  # some of them may have deleted their accounts
        names = community.names(each.account for each in best)
        players = [
            schema.Leader(each.account, names[each.account], each.points, each.provisional, each.games)
            for each in best
            if each.account in names
        ]
        return schema.Leaderboard(season, rules, tuple(found), community.rated, tuple(players[:LEADERS_MOST]))

    async def profile(self, request: web.Request) -> web.Response:
        """A player's profile."""
        community, player = self._community, request.match_info["id"]
        account = await asyncio.to_thread(community.accounts.get, player) if is_id(player) else None
        if account is None:
            return ProblemResponse(404, "no_player", say("There is no such player"))

        async def job(execute: Execute) -> Rendered:
            games = await asyncio.to_thread(encoded_games, community.log, player)
            return await execute(profile_figures, games, EVERYONE.encode(dict(community.reactions)))

        key = (profile_figures.__name__, player, community.season, len(community.ratings))
        rendered = await self._renderer.render(request, key, job)
        if rendered.status != 200:
            return web.Response(
                status=rendered.status, body=gzip.decompress(rendered.packed), content_type="application/json"
            )
        figures = self._shown(SUMMARY.decode(gzip.decompress(rendered.packed)), player, await self._viewer(request))
        names = await asyncio.to_thread(community.names, _others(figures))
        name, since_us, ratings = account.public_name, account.since_us, community.rows(player)
        found = schema.Profile(player, name, since_us, ratings, self._history(player), figures, names)
        return json_response(found)

    async def _viewer(self, request: web.Request) -> str | None:
        """The account that asks."""
        account = await self._community.cookie.account(request)
        return account.id if account else None

    def _shown(self, figures: Summary, player: str, viewer: str | None) -> Summary:
        """The figures as an account may see them: a game that not everybody could watch leads nowhere for strangers."""

        def shown(recent: Recent) -> Recent:
            may_see = recent.listed or viewer == player or viewer in recent.others
            return replace(recent, game=self._game_names.public(recent.game) if may_see and recent.game else None)

        return replace(figures, recent=tuple(map(shown, figures.recent)))

    def _history(self, player: str) -> tuple[schema.RatingHistory, ...]:
        community = self._community
        histories = [(rules, community.ratings.history(rules, player)[-HISTORY_MOST:]) for rules in community.rated]
        return tuple(
            schema.RatingHistory(rules, tuple(schema.RatedGame(each.end_us, each.rating.points) for each in changes))
            for rules, changes in histories
            if changes
        )


def _others(figures: Summary) -> Iterable[str]:
    yield from (rival.account for rival in figures.rivals)
    for recent in figures.recent:
        yield from recent.others
