"""Passkeys bring an account back. The authenticator is written from the specification, without the server's library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import CookieJar
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.accounts.passkeys import LASTS_US, PASSKEYS_MOST
from ratscrew.limits.limits import Limits
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.authenticator import Authenticator, text
from tests.web.http_requests import Client, ask, get

HOST, ORIGIN = "localhost", "http://localhost:8000"
NESTED = text(b"\x81" * 2000)
"""Lists in lists, in CBOR."""


@pytest.fixture
def clock() -> ManualClock:
    """The clock of the server."""
    return ManualClock(1)


@pytest.fixture
async def server(log: MemoryLog[Entry], clock: ManualClock, tmp_path: Path) -> AsyncIterator[TestServer]:
    """A server with a community, which browsers call localhost:8000."""
    limits = Limits(clock, times=1000)
    app = make_app(log, clock, StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions(), limits=limits)
    some = TestServer(app)
    async with some:
        yield some


def browser(server: TestServer, host: str = "localhost:8000") -> Client:
    """A browser without an account."""
    return TestClient(server, cookie_jar=CookieJar(unsafe=True), headers={"Host": host})


@pytest.fixture
async def owner(server: TestServer) -> AsyncIterator[Client]:
    """The browser of Ana, who keeps her games."""
    async with browser(server) as some:
        assert (await ask(some, {"name": "Ana"}, "/api/account"))[0] == 201
        yield some


@pytest.fixture
async def stranger(server: TestServer) -> AsyncIterator[Client]:
    """A browser without an account."""
    async with browser(server) as some:
        yield some


async def options(client: Client, path: str) -> dict[str, Any]:
    """The options for an authenticator."""
    answer = await client.post(f"{path}/options")
    assert answer.status == 200
    return dict(await answer.json())


async def add(client: Client, authenticator: Authenticator | None = None) -> Authenticator:
    """Add a passkey to a browser's account."""
    made = authenticator or Authenticator(HOST, ORIGIN)
    answer = made.make(await options(client, "/api/account/passkey"))
    status, found = await ask(client, answer, "/api/account/passkey")
    assert status == 201, found
    return made


async def sign_in(client: Client, authenticator: Authenticator) -> tuple[int, Any]:
    """Sign in with a passkey."""
    return await ask(client, authenticator.use(await options(client, "/api/sign-in")), "/api/sign-in")


async def test_a_passkey_brings_the_account_back_in_a_browser_that_never_had_it(
    owner: Client, stranger: Client
) -> None:
    authenticator = await add(owner)
    _, own = await get(owner, "/api/account")
    assert (own["account"]["passkeys"], own["account"]["devices"]) == (1, 1)
    status, found = await sign_in(stranger, authenticator)
    assert (status, found["account"]["name"], found["account"]["devices"]) == (200, own["account"]["name"], 2)
    assert (await get(stranger, "/api/account"))[1] == found


async def test_a_challenge_is_good_once(owner: Client, stranger: Client) -> None:
    authenticator = await add(owner)
    answer = authenticator.use(await options(stranger, "/api/sign-in"))
    assert (await ask(stranger, answer, "/api/sign-in"))[0] == 200
    assert await ask(stranger, answer, "/api/sign-in") == (
        403,
        problem("passkey", "this challenge was used already: begin again"),
    )


async def test_a_challenge_is_good_for_five_minutes(owner: Client, stranger: Client, clock: ManualClock) -> None:
    authenticator = await add(owner)
    answers = [authenticator.use(await options(stranger, "/api/sign-in")) for _ in range(2)]
    clock.advance(LASTS_US - 1)
    assert (await ask(stranger, answers[0], "/api/sign-in"))[0] == 200
    clock.advance(1)
    assert (await ask(stranger, answers[1], "/api/sign-in"))[0] == 403
    assert (await sign_in(stranger, authenticator))[0] == 200


async def test_used_challenges_are_deleted_when_they_are_over(
    owner: Client, stranger: Client, clock: ManualClock, log: MemoryLog[Entry]
) -> None:
    authenticator = await add(owner)
    for _ in range(3):
        clock.advance(LASTS_US)
        assert (await sign_in(stranger, authenticator))[0] == 200
    assert len(log.get("community/passkey-used/")) == 1


@pytest.mark.parametrize(
    ("host", "origin"), [("evil.example", ORIGIN), (HOST, "http://evil.example:8000"), (HOST, "https://localhost:8000")]
)
async def test_a_response_for_another_site_is_refused(owner: Client, stranger: Client, host: str, origin: str) -> None:
    authenticator = await add(owner)
    authenticator.host, authenticator.origin = host, origin
    assert (await sign_in(stranger, authenticator))[0] == 403
    asked = await options(owner, "/api/account/passkey")
    assert (await ask(owner, Authenticator(host, origin).make(asked), "/api/account/passkey"))[0] == 422


async def test_a_challenge_of_another_kind_or_account_or_server_is_refused(owner: Client, stranger: Client) -> None:
    authenticator = await add(owner)
    for asked in (await options(owner, "/api/account/passkey"), {"challenge": "a" * 40}, {"challenge": ""}):
        assert (await ask(stranger, authenticator.use(asked), "/api/sign-in"))[0] == 403
    ben = stranger
    await ask(ben, {"name": "Ben"}, "/api/account")
    for asked in (await options(ben, "/api/sign-in"), await options(owner, "/api/account/passkey")):
        answer = Authenticator(HOST, ORIGIN).make({"user": "any", **asked})
        assert (await ask(ben, answer, "/api/account/passkey"))[0] == 422
    assert (await get(owner, "/api/account"))[1]["account"]["passkeys"] == 1


async def test_another_key_does_not_sign_in(owner: Client, stranger: Client) -> None:
    one, other = await add(owner), Authenticator(HOST, ORIGIN)
    asked = await options(stranger, "/api/sign-in")
    right = one.use(asked)
    for part in ("id", "user", "signature"):
        wrong = {**right, part: other.use(asked)[part]}
        assert (await ask(stranger, wrong, "/api/sign-in"))[0] == 403, part
    assert (await get(stranger, "/api/account"))[1]["account"] is None
    assert (await ask(stranger, right, "/api/sign-in"))[0] == 200  # the wrong ones have not used it up


async def test_removed_passkeys_and_those_of_deleted_accounts_bring_nothing_back(
    owner: Client, stranger: Client, log: MemoryLog[Entry]
) -> None:
    authenticator = await add(owner)
    assert (await (await owner.delete("/api/account/passkey")).json())["account"]["passkeys"] == 0
    assert (await sign_in(stranger, authenticator))[0] == 403
    await add(owner, authenticator)
    assert (await owner.delete("/api/account")).status == 200
    assert (await sign_in(stranger, authenticator))[0] == 403
    assert log.get("community/passkey-of/") == {}


async def test_an_account_has_ten_passkeys_at_most(owner: Client) -> None:
    for _ in range(PASSKEYS_MOST):
        await add(owner)
    asked = await options(owner, "/api/account/passkey")
    assert len(set(asked["exclude"])) == 10
    status, found = await ask(owner, Authenticator(HOST, ORIGIN).make(asked), "/api/account/passkey")
    assert (status, found) == (
        422,
        problem("rules", "You can have at most 10 passkeys: remove them first"),
    )


async def test_a_server_without_a_name_says_so(server: TestServer) -> None:
    async with browser(server, "127.0.0.1:8000") as some:
        answer = await some.post("/api/sign-in/options")
        assert answer.status == 422
        assert "such as localhost" in await answer.text()


async def test_a_browser_without_an_account_adds_no_passkey(stranger: Client) -> None:
    assert (await stranger.post("/api/account/passkey/options")).status == 403
    answer = Authenticator(HOST, ORIGIN).make({"challenge": "", "user": "ana"})
    assert (await ask(stranger, answer, "/api/account/passkey"))[0] == 403
    assert (await stranger.delete("/api/account/passkey")).status == 403


@pytest.mark.parametrize("junk", ["", "!", "é", "AA", "oA", "_" * 900, NESTED, text(b"[" * 900)])
async def test_junk_gets_a_clear_error(owner: Client, stranger: Client, junk: str) -> None:
    authenticator = await add(owner)
    right = authenticator.use(await options(stranger, "/api/sign-in"))
    for part in right:
        status, found = await ask(stranger, {**right, part: junk}, "/api/sign-in")
        assert (status, found["code"]) == (403, "passkey"), part
    made = Authenticator(HOST, ORIGIN).make(await options(owner, "/api/account/passkey"))
    for part in ("client_data", "attestation"):
        status, found = await ask(owner, {**made, part: junk}, "/api/account/passkey")
        assert status == 422, part
        assert len(found["problems"][0]) < 300


def problem(code: str, sentence: str) -> dict[str, Any]:
    """The body of a refusal."""
    return {"code": code, "problems": [sentence]}
