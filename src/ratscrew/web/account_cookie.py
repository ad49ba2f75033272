"""The cookie with a browser's device key, and which account a request comes from."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict

from aiohttp import web

from ratscrew.community.accounts import Account, Accounts
from ratscrew.table.clock import Clock
from ratscrew.table.players.device_keys import Device, DeviceKeys
from ratscrew.web.proxy_policy import ProxyPolicy

COOKIE = "account"
LASTS_S = 400 * 24 * 3600
"""How long a browser keeps the key after its last use: browsers allow no more."""

_KEY = re.compile(rf"(?:^|; ?){COOKIE}=([0-9a-f]{{16}}\.[0-9a-f]{{16}}\.[\w-]{{20,100}})(?=;|$)", re.ASCII)

_CACHED, _CACHED_US = 5000, 10_000_000
"""How many answers of the store are kept, and for how long: another node may have deleted the account meanwhile."""


class AccountCookie:
    """Issues and reads the cookie. It is `HttpOnly`, and is sent to `/api` of this server only."""

    def __init__(self, accounts: Accounts, keys: DeviceKeys, clock: Clock, proxy_policy: ProxyPolicy) -> None:
        self._accounts, self._keys, self._clock, self._proxy_policy = accounts, keys, clock, proxy_policy
        self._cache: OrderedDict[Device, tuple[Account | None, int]] = OrderedDict()

    def issue(self, request: web.Request, response: web.StreamResponse, account_id: str, device: str) -> None:
        """Give this browser an account, as a device."""
        response.set_cookie(
            COOKIE,
            self._keys.sign(account_id, device),
            path="/api",
            max_age=LASTS_S,
            httponly=True,
            secure=self._proxy_policy.is_encrypted(request),
            samesite=self._proxy_policy.same_site(request),
        )

    def remove(self, request: web.Request, response: web.StreamResponse) -> None:
        """Take the account from this browser."""
        response.del_cookie(COOKIE, path="/api", httponly=True, samesite=self._proxy_policy.same_site(request))

    def device(self, request: web.Request) -> Device | None:
        """The device that a request claims to come from, by a valid key. Does no look-up."""
        found = _KEY.search(request.headers.get("Cookie", ""))
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
