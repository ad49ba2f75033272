"""Idempotency keys: a retry after a lost response gets the same seat, and no second one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http import idempotency
from ratscrew.web.http.idempotency import HEADER
from tests.web.http_requests import Client
from tests.web.pages import full_server, open_room

KEY, OTHER_KEY = "k" * 22, "o" * 22
BODIES: dict[str, dict[str, Any]] = {
    "/api/rooms": {"name": "Ana", "bots": 0, "wait": True},
    "/api/quick": {"name": "Ana"},
    "/api/lessons": {"name": "Ana", "lesson": "turn"},
}


def server(clock: ManualClock, folder: Path, log: MemoryLog[Entry] | None = None) -> Any:
    """A whole server; its test client loses every cookie."""
    jar: Any = aiohttp.DummyCookieJar()
    return full_server(clock, MemoryLog() if log is None else log, folder, jar=jar)


async def post(client: Client, path: str, key: str | None = KEY, **body: Any) -> tuple[int, Any, list[str]]:
    """The status, the JSON and the cookies of an answer."""
    answer = await client.post(path, json=body, headers={HEADER: key} if key else {})
    return answer.status, await answer.json(), answer.headers.getall("Set-Cookie", [])


@pytest.mark.parametrize("path", BODIES)
@on_manual_clock
async def test_the_same_request_again_gets_the_same_answer_and_cookie(
    clock: ManualClock, path: str, tmp_path: Path
) -> None:
    log = MemoryLog[Entry]()
    async with server(clock, tmp_path, log) as client:
        first = await post(client, path, **BODIES[path])
        assert first[0] == 201
        assert first[2]
        assert await post(client, path, **BODIES[path]) == first
        assert len({game.partition("-")[0] for game in log.games()}) == 1


@on_manual_clock
async def test_a_player_whose_answer_was_lost_sits_down_by_asking_again(clock: ManualClock, tmp_path: Path) -> None:
    async with server(clock, tmp_path) as client:
        path = f"/api/rooms/{(await open_room(client))['room']}/seats"
        first = await post(client, path, name="Bo")
        assert await post(client, path, name="Bo") == first
        status, told, _ = await post(client, path, OTHER_KEY, name="Bo")
        assert (status, told["code"]) == (409, "name_taken")
        assert (await post(client, path, None, name="Cy"))[1]["player_id"] == first[1]["player_id"] + 1


@on_manual_clock
async def test_two_that_come_at_once_are_one(clock: ManualClock, tmp_path: Path) -> None:
    async with server(clock, tmp_path) as client:
        path = f"/api/rooms/{(await open_room(client))['room']}/seats"
        answers = await asyncio.gather(*(post(client, path, name="Bo") for _ in range(5)))
        assert [answer == answers[0] for answer in answers] == [True] * 5
        assert answers[0][0] == 201


@on_manual_clock
async def test_a_lost_seat_is_found_again_after_a_restart_for_ten_minutes(clock: ManualClock, tmp_path: Path) -> None:
    log = MemoryLog[Entry]()
    async with server(clock, tmp_path, log) as client:
        room = (await open_room(client))["room"]
        _, first, _ = await post(client, path := f"/api/rooms/{room}/seats", name="Bo")
    for again in (1, 2):
        async with server(clock, tmp_path, log) as client:
            status, told, cookies = await post(client, path, name="Bo")
            assert (status, told, len(cookies)) == ((201, first, 1) if again == 1 else (409, told, 0))
        clock.advance(600_000_000)
    sat = [entry.event.name for game in log.games() for entry in log.read(game) if isinstance(entry.event, Sat)]
    assert sat.count("Bo") == 1


@on_manual_clock
async def test_a_failure_is_tried_again_with_the_same_key(clock: ManualClock, tmp_path: Path) -> None:
    async with server(clock, tmp_path) as client:
        room = (await open_room(client))["room"]
        path = f"/api/rooms/{room}/seats"
        assert (await post(client, "/api/rooms/BEAR0001/seats", name="Bo"))[0] == 404
        assert (await post(client, path, name="Ana"))[0] == 409
        assert (await post(client, path, name="Bo"))[0] == 201


@on_manual_clock
async def test_a_key_serves_one_request_and_is_hard_to_guess(clock: ManualClock, tmp_path: Path) -> None:
    async with server(clock, tmp_path) as client:
        path = f"/api/rooms/{(await open_room(client))['room']}/seats"
        assert (await post(client, path, name="Bo"))[0] == 201
        for other in ({"path": path, "name": "Cy"}, {"path": "/api/quick", "name": "Bo"}):
            status, told, cookies = await post(client, **other)
            assert (status, told["code"], cookies) == (422, "key_reused", [])
        for key in ("1", "k" * 21, "k" * 65, "k" * 21 + " k", "ö" * 22):
            status, told, _ = await post(client, path, key, name="Di")
            assert (status, told["code"]) == (400, "request")


@on_manual_clock
async def test_answers_are_remembered_for_ten_minutes_and_in_a_bounded_number(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "RESPONSES_MOST_OF_ADDRESS", 3)
    async with server(clock, tmp_path) as client:
        keys = [f"{number}".rjust(22, "k") for number in range(5)]
        first = [await post(client, "/api/rooms", key, **BODIES["/api/rooms"]) for key in keys]
        again = [await post(client, "/api/rooms", key, **BODIES["/api/rooms"]) for key in keys[2:]]
        assert again == first[2:]
        assert await post(client, "/api/rooms", keys[0], **BODIES["/api/rooms"]) != first[0]
        clock.advance(600_000_000)
        assert await post(client, "/api/rooms", keys[4], **BODIES["/api/rooms"]) != first[4]
