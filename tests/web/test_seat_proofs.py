"""A page whose browser takes no cookies keeps the proofs of its seats itself; no other page gets one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiohttp import DummyCookieJar

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http.cookies import PROOF, READ_MOST
from tests.web.http_requests import Client, socket_of
from tests.web.pages import Page, full_server, stream_page
from tests.web.streams import StreamSocket, stream_of

WAITING = {"name": "Ana", "bots": 1, "wait": True}
"""A room whose game has not begun: no page waits for a card that is on its way."""


async def sit(client: Client, proofs: str = "", path: str = "/api/rooms", body: Any = WAITING) -> tuple[Any, list[str]]:
    """Take a seat as a page that keeps its proofs; the answer, and the proofs that came with it."""
    answer = await client.post(path, json=body, headers={PROOF: proofs})
    assert (answer.ok, answer.cookies) == (True, {})
    return await answer.json(), answer.headers.getall(PROOF)


async def seat_of(client: Client, room: str, proofs: str | None, *who: int) -> int | None:
    """The seat of a page at a new socket."""
    page = Page(await client.ws_connect(socket_of(room), autoping=False))
    await page.send("hello", player_ids=who, proofs=proofs)
    you: int | None = (await page.receive("welcome"))["you"]
    await page.socket.close()
    return you


@pytest.fixture
async def blocked(client: Client) -> Client:
    """A client that takes no cookies."""
    client.session._cookie_jar = DummyCookieJar()
    return client


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/rooms", WAITING),
        ("/api/quick", {"name": "Ana"}),
        ("/api/lessons", {"name": "Ana", "lesson": "turn"}),
    ],
)
async def test_a_page_that_asks_for_proofs_holds_its_seat_by_them(blocked: Client, path: str, body: Any) -> None:
    joined, (proof,) = await sit(blocked, path=path, body=body)
    assert await seat_of(blocked, joined["room"], proof, 0) == 0
    assert await seat_of(blocked, joined["room"], None, 0) is None
    assert await seat_of(blocked, joined["room"], proof[:-9] + "A" * 9, 0) is None


async def test_a_page_with_cookies_gets_no_proof(client: Client) -> None:
    answer = await client.post("/api/rooms", json=WAITING)
    assert (PROOF in answer.headers, len(answer.cookies)) == (False, 1)


async def test_a_proof_is_for_its_room_and_its_player_only(blocked: Client) -> None:
    one, (proof,) = await sit(blocked)
    other, (others,) = await sit(blocked)
    assert await seat_of(blocked, other["room"], proof, 0) is None
    assert await seat_of(blocked, one["room"], f"{others} {proof}", 0) == 0
    assert await seat_of(blocked, one["room"], proof, 1) is None


async def test_requests_for_a_seat_are_proved_by_the_header(blocked: Client) -> None:
    joined, (proof,) = await sit(blocked)
    path, body = f"/api/rooms/{joined['room']}/pass", {"player_ids": [0]}
    statuses = [(await blocked.post(path, json=body, headers={PROOF: text})).status for text in ("", "x", proof)]
    assert statuses == [403, 403, 201]


@on_manual_clock
async def test_an_event_stream_is_opened_by_its_first_message_and_its_requests_by_the_header(
    clock: ManualClock, tmp_path: Path
) -> None:
    async with full_server(clock, MemoryLog[Entry](), tmp_path) as client:
        client.session._cookie_jar = DummyCookieJar()
        joined, (proof,) = await sit(client)
        stream = StreamSocket(client, stream_of(joined["room"]), {PROOF: proof})
        page = stream_page(stream)
        await page.send("hello", player_ids=[0], proofs=proof)
        assert (await page.receive("welcome"))["you"] == 0
        assert await stream.post(1, '{"t":"react","reaction":"wow"}') == 204
        assert await stream.post(2, '{"t":"react","reaction":"wow"}', **{PROOF: ""}) == 404


async def test_a_repeated_request_gets_its_proof_again(blocked: Client) -> None:
    key = {"Idempotency-Key": "k" * 22, PROOF: ""}
    first, again = [await blocked.post("/api/rooms", json=WAITING, headers=key) for _ in range(2)]
    assert first.headers.getall(PROOF) == again.headers.getall(PROOF)
    assert await first.read() == await again.read()


async def test_so_many_proofs_are_checked_and_no_more(blocked: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    joined, (proof,) = await sit(blocked)
    forged = " ".join(f"{i}.1797098157.{'x' * 43}" for i in range(READ_MOST - 1))
    assert await seat_of(blocked, joined["room"], f"{forged} {proof}", 0) == 0
    assert await seat_of(blocked, joined["room"], f"{forged} 99.1797098157.{'x' * 43} {proof}", 0) is None
