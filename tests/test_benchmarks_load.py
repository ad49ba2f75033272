"""The load benchmark counts every frame, and says when its own players were too slow. Speed is not checked."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from benchmarks.checkout_server import CheckoutServer
from benchmarks.counting_socket import CountingSocket, Tally
from benchmarks.dialects import E2F18C2, PRESENT, dialect_of
from benchmarks.four_players import Language
from benchmarks.load import parse
from benchmarks.load_generator import LoadGenerator, LoadProcessUsage, too_slow

ROOT = Path(__file__).parents[1]


def run(*options: str) -> dict[str, Any]:
    """The report of a short run."""
    command = [sys.executable, "-W", "error", "-m", "benchmarks.load", *options, "--json"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _keep(received: list[bytes], _: bytes, body: bytes, __: float) -> None:
    received.append(body)


class FakeTransport:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written = list[bytes]()

    def write(self, data: bytes) -> None:
        """Keep it."""
        self.written.append(data)

    def close(self) -> None:
        """Do nothing."""


async def test_every_frame_is_counted_however_it_arrives() -> None:
    frames = {
        "told:played": b'{"t":"told","v":7,"e":{"e":"played","n":3}}',
        "welcome": b'{"t":"welcome","wire":"' + b"x" * 300 + b'"}',
        "control ping": b"17",
        "control close": b"",
    }
    codes = {"control ping": 0x89, "control close": 0x88}
    stream = b""
    for kind, body in frames.items():
        size = bytes((len(body),)) if len(body) < 126 else b"\x7e" + len(body).to_bytes(2, "big")
        stream += bytes((codes.get(kind, 0x81),)) + size + body
    for step in (1, 2, 5, len(stream)):
        tally, received, transport = Tally(), list[bytes](), FakeTransport()
        socket = CountingSocket(tally, Language(E2F18C2).kind_of, partial(_keep, received), "/", "")
        socket.connection_made(cast(asyncio.BaseTransport, transport))
        everything = b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + stream * 2
        for at in range(0, len(everything), step):
            socket.data_received(everything[at : at + step])
        assert {kind.decode(): count for kind, (count, _) in tally.received.items()} == dict.fromkeys(frames, 2)
        assert sum(size for _, size in tally.received.values()) == 2 * len(stream)
        assert received == [frames["told:played"], frames["welcome"]] * 2
        assert {kind.decode(): each for kind, each in tally.sent.items()} == {"control pong": [2, 16]}
        assert b"".join(transport.written[1:]) == b"\x8a\x82\x00\x00\x00\x0017" * 2


def test_kinds_of_both_dialects_have_the_present_names() -> None:
    assert dialect_of(ROOT) is PRESENT
    for dialect, event, measured in (
        (E2F18C2, "told", "weighed"),
        (PRESENT, PRESENT.tag("event").decode(), "measured"),
    ):
        body = f'{{"t":"{event}","v":12,"e":{{"e":"{measured}","n":4}}}}'.encode()
        assert dialect.kind(Language(dialect).kind_of(body)) == "event:measured"
        assert body[Language(dialect).version_at :].startswith(b"12,")


def test_a_checkout_with_other_messages_is_named(tmp_path: Path) -> None:
    types = tmp_path / "client" / "src" / "wire.ts"
    types.parent.mkdir(parents=True)
    types.write_text('t: "something else"')
    with pytest.raises(ValueError, match="other messages"):
        dialect_of(tmp_path)


def has_control_frames(kinds: Mapping[str, Sequence[int]]) -> bool:
    return any(kinds.get(kind, (0, 0))[0] for kind in ("control ping", "control pong"))


async def test_counts_by_kind_agree_with_the_metrics_of_the_server() -> None:
    rooms, pages = 3, 12
    server = CheckoutServer("process", more=["--metered"])
    players = await LoadGenerator.start(2, [])
    try:
        opened = await players.open(server.port, server.dialect.name, rooms, 10, 30)
        assert (opened.rooms, opened.snapshot_ms["count"], opened.refused) == (rooms, pages, 0)
        await players.begin(0)
        await asyncio.sleep(8)
        for _ in range(10):  # control pings come every few seconds, to all pages at about the same moment
            measured = await players.measure(2)
            if all(has_control_frames(kinds) for kinds in (measured.into, measured.out)):
                break
        into, out, counts = await players.close()
        metrics = (await server.report())["metrics"]
    finally:
        await players.end()
        server.close()
    assert counts["gaps"] == counts["lost connections"] == 0
    sent, received = ({kind: count for kind, (count, _) in kinds.items()} for kinds in (into, out))
    verdicts = sum(value for name, value in metrics.items() if name.startswith("ratscrew_verdicts_total"))
    refusals = sum(value for name, value in metrics.items() if name.startswith("ratscrew_refusals_total"))
    assert received.get("event:judged", 0) == 4 * verdicts
    assert received.get("refused", 0) == refusals
    assert metrics["ratscrew_http_responses_total 101"] == sent["hello"] == 2 * pages
    replies = metrics["ratscrew_reply_seconds_count play"]  # none for a card that is played while a slap awaits one
    assert max(1, sent["play"] - sent.get("slap", 0)) <= replies <= sent["play"]
    assert sent["start"] == rooms
    assert received["welcome"] == 2 * pages  # on joining, and when the game began
    assert received["event:played"] == 4 * counts["cards"] > 0
    assert received["reveal_at"] > 0
    assert "painted" not in sent
    assert sent["control pong"] == received["control ping"] > 2 * pages
    assert sent["pong"] == received["ping"] > 0
    for kinds, everything in ((measured.into, into), (measured.out, out)):
        assert all(abs(count) <= abs(everything[kind][0]) for kind, (count, _) in kinds.items())
        assert has_control_frames(kinds)


async def test_players_who_are_too_slow_are_named() -> None:
    players = await LoadGenerator.start(1, [])
    try:
        await players.block(0.05)
        found = await players.measure(1)
    finally:
        await players.end()
    (reason,) = too_slow(found.processes)
    assert "process 0" in reason
    assert "late" in reason


def test_processes_on_one_core_are_too_slow_together() -> None:
    busy, calm = LoadProcessUsage(0, 40.0, 1.0), LoadProcessUsage(1, 60.0, 1.0)
    assert too_slow([busy, calm]) == []
    assert too_slow([busy, calm, busy]) == ["players used 80 % of core 0"]
    assert too_slow([LoadProcessUsage(None, 60.0, 1.0)] * 2) == []


def test_a_room_is_measured_beside_a_bare_echo_with_its_traffic() -> None:
    found = run("--rooms", "2", "--seconds", "3", "--echo", "2")
    (room,), (echo,) = found["measured"]["present"], found["measured"]["bare echo, traffic of present"]
    for each in (room, echo):
        assert each["gaps"] == each["lost_connections"] == 0
        assert each["delay_ms"]["count"] > 0
        assert len(each["players"]) >= 2
        assert each["rooms_by_cpu"] == pytest.approx(1000 / each["cpu_ms_per_room_second"])
    for rate in ("frames_in_per_room_second", "frames_out_per_room_second", "kb_per_room_second"):
        assert echo[rate] == pytest.approx(room[rate], rel=0.3)
    assert room["control_frames_per_room_second"] > 0
    assert found["ratios_to_echo"]["present"] > 0
    assert found["opened"]["present"]["connected_rooms"] == 2


def test_two_checkouts_are_measured_in_turn_and_at_once() -> None:
    short = ("--rooms", "1", "--seconds", "0.5", "--rounds", "1", "--echo", "0", "--processes", "1")
    for more in ((), ("--at-once",)):
        found = run(*short, "--against", str(ROOT), *more)
        assert {name: len(rounds) for name, rounds in found["measured"].items()} == {"present": 1, str(ROOT): 1}
        assert found["ratios"]["cpu_ms_per_room_second"] > 0


def test_rooms_are_searched_and_measured_beside_idle_connections() -> None:
    short = ("--rooms", "1", "--seconds", "0.5", "--processes", "1")
    searched = run("--search", "--most", "1", *short)
    assert searched["searched"]["holds"] in (0, 1)
    found = run("--idle", "8", *short)
    assert list(found["measured"]) == ["alone", "beside 8 idle"]
    assert (found["idle"]["connections"], found["idle"]["lost"]) == (8, 0)
    assert found["idle"]["snapshot_ms"]["count"] == 8


def test_the_usual_number_of_rooms_is_large_enough_to_compare_versions() -> None:
    assert parse([]).rooms >= 100
    assert parse(["--idle", "10000"]).rooms == 25
    assert parse([]).processes >= 2
