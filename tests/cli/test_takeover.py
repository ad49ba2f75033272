"""One server after the other on the same file and port: clients continue where they were, and miss nothing."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

from aiohttp import ClientConnectionError, ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from tests.cli.process import address, end, said, serving, starting
from tests.web.http_requests import socket_of
from tests.web.pages import messages_in

FAST = ("--speed", "20")
WITHIN_S = 60


async def told(socket: ClientWebSocketResponse, least: int | None = None) -> list[dict[str, Any]]:
    """What comes, but pings, until so much of it tells an event, or (None) until the end of the conversation.

    With each answer to a ping the player says that they are there, or the game would wait for them.
    """
    heard: list[dict[str, Any]] = []
    async with asyncio.timeout(WITHIN_S):
        while least is None or sum(message["t"] == "event" for message in heard) < least:
            message = await socket.receive()
            if message.type is not WSMsgType.TEXT:
                assert least is None, message
                break
            for said in map(json.loads, messages_in(message.data)):
                if said["t"] != "ping":
                    heard.append(said)
                elif not socket.closed:
                    await socket.send_json({"t": "pong", "k": said["k"], "c_ms": 1})
                    await socket.send_json({"t": "come_back"})
    return heard


async def reconnect(session: ClientSession, socket: str) -> ClientWebSocketResponse:
    """A socket, as soon as there is a server again."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                return await session.ws_connect(socket)
            except ClientConnectionError:
                await asyncio.sleep(0.02)


async def test_the_next_server_is_started_before_the_first_is_stopped_and_nobody_misses_anything(
    tmp_path: Path,
) -> None:
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        with serving(tmp_path, "--data", tmp_path, *FAST) as (old, where):
            port = where.rpartition(":")[2]
            async with session.post(f"{where}/api/rooms", json={"name": "Ana", "bots": 3}) as answer:
                joined = await answer.json()
            hello, place = {"t": "hello", "player_ids": [joined["player_id"]]}, f"{where}{socket_of(joined['room'])}"
            socket = await session.ws_connect(place)
            await socket.send_json(hello)
            heard = await told(socket, 6)
            welcome = heard[0]
            with starting(tmp_path, "--data", tmp_path, *FAST, "--port", port, "--takeover", "60") as new:
                assert (await asyncio.to_thread(said, new)).startswith("Waiting at most ")
                heard += await told(socket, 6)
                old.send_signal(signal.SIGTERM)
                heard += await told(socket)
                *_, last, lost, _, _ = (message for message in heard if message["t"] == "event")
                heard = heard[: heard.index(lost)]  # as if three had been on their way
                socket = await reconnect(session, place)
                await socket.send_json(
                    {**hello, "game": welcome["game"], "version": last["v"], "wire": welcome["wire"]}
                )
                heard += await told(socket, 6)
                assert await asyncio.to_thread(address, new) == where
                new.send_signal(signal.SIGTERM)
                assert (await asyncio.to_thread(end, new))[1] == ""
            assert (await asyncio.to_thread(end, old))[1] == ""
    numbers = [message["v"] for message in heard if message["t"] == "event"]
    assert numbers == list(range(welcome["version"] + 1, welcome["version"] + 1 + len(numbers)))
    again = [message for message in heard[1:] if message["t"] in ("welcome", "reconnected", "bye")]
    assert [message["t"] for message in again] == ["reconnected"]


def test_a_file_that_another_server_has_is_left_to_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", tmp_path), starting(tmp_path, "--data", tmp_path) as second:
        out, complaints = end(second)
    assert (second.returncode, out) == (1, "")
    assert complaints == (
        f"ratscrew: another Ratscrew is using {tmp_path / 'ratscrew.sqlite3'}: stop it, name another file"
        " with --data, or wait until it ends with --takeover SECONDS\n"
    )
