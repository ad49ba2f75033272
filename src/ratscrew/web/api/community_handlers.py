"""What the handlers of the community share: its routes exist with one only, and most need an account."""

from __future__ import annotations

from aiohttp import web

from ratscrew.accounts.accounts import Account
from ratscrew.errors import NoAccount
from ratscrew.web.access.community import Community


class CommunityHandlers:
    """Handlers whose routes do not exist without a community."""

    def __init__(self, community: Community | None) -> None:
        self._community_or_none = community

    @property
    def _community(self) -> Community:
        assert self._community_or_none
        return self._community_or_none

    async def _account(self, request: web.Request) -> Account:
        """The account of this browser.

        Raises: NoAccount; LogError.
        """
        if (account := await self._community.cookie.account(request)) is None:
            raise NoAccount
        return account
