"""Idempotency keys: a request that takes a seat runs once, however often a page retries it after a lost response.

A page draws a random `Idempotency-Key` for each action of its player, and sends the same key with each retry. A retry
gets the first response again, with its cookies and proofs. Responses are kept in memory for ten minutes; failures are
not, so the same key can be tried again. A key gives access to the seat of its first response, so it must be as hard to
guess as a cookie. It works from any address, because a phone that changes its network retries too.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from aiohttp import web

from ratscrew.errors import InputError
from ratscrew.rules.words import say
from ratscrew.table.record.clock import Clock
from ratscrew.web.http.cookies import PROOF
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import ProblemResponse

HEADER = "Idempotency-Key"
LASTS_US = 600_000_000

RESPONSES_MOST, RESPONSES_MOST_OF_ADDRESS = 5000, 500
"""Responses in memory, of some 500 bytes each: altogether, and of one address. The oldest is dropped first."""

Handle: TypeAlias = Callable[[web.Request], Awaitable[web.Response]]
Once: TypeAlias = Callable[[Handle], Handle]

_KEY = re.compile(r"[A-Za-z0-9_-]{22,64}", re.ASCII)


class _SavedResponse(NamedTuple):
    """A successful response: its status, its body, and the headers with what the browser is to keep."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...]


class _Record(NamedTuple):
    request: bytes
    address: str
    until_us: int
    saved: asyncio.Future[_SavedResponse | None]


class IdempotentResponses:
    """Responses of one server to requests with a key."""

    def __init__(self, clock: Clock, proxy_policy: ProxyPolicy) -> None:
        self._clock, self._proxy_policy = clock, proxy_policy
        self._records: dict[str, _Record] = {}
        self._of_address = Counter[str]()

    def once(self, handle: Handle) -> Handle:
        """Decorator: a request whose key was used before gets the same response again; others go to `handle`."""

        async def handle_once(request: web.Request) -> web.Response:
            key = key_of(request)
            return await (self._run(key, request, handle) if key else handle(request))

        return handle_once

    async def _run(self, key: str, request: web.Request, handle: Handle) -> web.Response:
        self._remove_expired()
        request_hash = hashlib.sha256(f"{request.method} {request.path}\n".encode() + await request.read()).digest()
        while record := self._records.get(key):
            if record.request != request_hash:
                return ProblemResponse(
                    422, "key_reused", say("Idempotency-Key: this key was used for another request; draw a new one")
                )
            if saved := await asyncio.shield(record.saved):
                return _replay(saved)
        record = _Record(
            request_hash,
            self._proxy_policy.address(request),
            self._clock.now_us() + LASTS_US,
            asyncio.get_running_loop().create_future(),
        )
        self._store(key, record)
        saved = None
        try:
            response = await handle(request)
            if response.status < 400 and isinstance(response.body, bytes):
                cookies = (("Set-Cookie", cookie.OutputString()) for cookie in response.cookies.values())
                proofs = ((PROOF, proof) for proof in response.headers.getall(PROOF, ()))
                saved = _SavedResponse(response.status, response.body, (*cookies, *proofs))
            return response
        finally:
            record.saved.set_result(saved)
            if not saved and self._records.get(key) is record:
                self._remove(key)

    def __len__(self) -> int:
        return len(self._records)

    def _store(self, key: str, record: _Record) -> None:
        if self._of_address[record.address] >= RESPONSES_MOST_OF_ADDRESS:
            self._remove(next(key for key, other in self._records.items() if other.address == record.address))
        if len(self._records) >= RESPONSES_MOST:
            self._remove(next(iter(self._records)))
        self._records[key] = record
        self._of_address[record.address] += 1

    def _remove(self, key: str) -> None:
        address = self._records.pop(key).address
        self._of_address[address] -= 1
        if not self._of_address[address]:
            del self._of_address[address]

    def _remove_expired(self) -> None:
        now_us = self._clock.now_us()
        while self._records and (oldest := next(iter(self._records.items())))[1].until_us <= now_us:
            self._remove(oldest[0])


def key_of(request: web.Request) -> str | None:
    """The idempotency key of a request; None if it has none.

    Raises: InputError for a key that is too short to be random, or has other characters.
    """
    if (key := request.headers.get(HEADER)) is None:
        return None
    if not _KEY.fullmatch(key):
        raise InputError("a key has 22 to 64 random letters, digits, - or _", HEADER)
    return key


def _replay(saved: _SavedResponse) -> web.Response:
    response = web.Response(body=saved.body, status=saved.status, content_type="application/json")
    response.headers.extend(saved.headers)
    return response
