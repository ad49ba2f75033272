"""The cookie with a browser's device key, and which account a request comes from."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from aiohttp import web

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.device_keys import Device, DeviceKeys
from ratscrew.table.record.clock import Clock
from ratscrew.web.http.browser_cookies import BrowserCookies

COOKIE, PATH = "account", "/api"
LASTS_S = 400 * 24 * 3600
"""How long a browser keeps the key after its last use: browsers allow no more."""

_KEY = r"([0-9a-f]{16}\.[0-9a-f]{16}\.[\w-]{20,100})"

_CACHED, _CACHED_US = 5000, 10_000_000
"""How many answers of the store are kept, and for how long: another node may have deleted the account meanwhile."""


class AccountCookie:
    """Issues and reads the cookie, which is sent to `/api` only."""

    def __init__(self, accounts: Accounts, keys: DeviceKeys, clock: Clock, cookies: BrowserCookies) -> None:
        self._accounts, self._keys, self._clock, self._cookies = accounts, keys, clock, cookies
        self._cache: OrderedDict[Device, tuple[Account | None, int]] = OrderedDict()

    def issue(self, request: web.Request, response: web.StreamResponse, account_id: str, device: str) -> None:
        """Give this browser an account, as a device."""
        key = self._keys.sign(account_id, device)
        self._cookies.set(request, response, self._cookies.name(COOKIE), key, PATH, LASTS_S)

    def remove(self, request: web.Request, response: web.StreamResponse) -> None:
        """Take the account from this browser."""
        self._cookies.delete(request, response, self._cookies.name(COOKIE), PATH)

    def device(self, request: web.Request) -> Device | None:
        """The device that a request claims to come from, by a valid key. Does no look-up."""
        found = next(self._cookies.find(request, COOKIE, _KEY), None)
        return self._keys.read(found[1]) if found else None

    async def account(self, request: web.Request) -> Account | None:
        """The account that a request comes from; None without one, and after it was deleted.

        Raises: LogError.
        """
        if (device := self.device(request)) is None:
            return None
        now_us = self._clock.now_us()
        known = self._cache.get(device)
        if known is None or known[1] <= now_us:
            found = await asyncio.to_thread(self._accounts.holds, *device)
            known = self._cache[device] = (found, now_us + _CACHED_US)
            self._cache.move_to_end(device)
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return known[0]

    def forget(self, account_id: str) -> None:
        """An account has changed: ask the store again."""
        for device in [device for device in self._cache if device.account == account_id]:
            del self._cache[device]
