"""The server as a process: it says where it is, answers there, and stops when it is asked to."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from ratscrew.cards import cards
from ratscrew.cli.server.serving import community_options, proxy_policy, read_deal
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.presets import PRESETS, house
from ratscrew.table.record.entries import Entry
from tests.cli.process import PROGRAM, children, end, get, said, serving

UPGRADE = (
    b"GET /api/rooms/BEAR/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_answers_where_it_says_and_stops_soon_when_asked_to(tmp_path: Path, number: signal.Signals) -> None:
    """It stops though a client keeps a socket open and sends nothing; the played game is in the file."""
    with serving(tmp_path, "--data", str(tmp_path)) as (server, address):
        assert get(f"{address}/api/health") == {"ok": True, "rooms": 0}
        joined = get(f"{address}/api/rooms", {"name": "Ana", "bots": 1, "strength": "sharp"})
        assert get(f"{address}/api/health") == {"ok": True, "rooms": 1}
        assert get(f"{address}/api/ready") == {"ready": True, "why": None}
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=30) as browser:
            browser.sendall(UPGRADE)
            assert browser.recv(12) == b"HTTP/1.1 101"
            server.send_signal(number)
            out, complaints = end(server)  # while the socket is open
    assert (server.returncode, complaints) == (0, "")
    assert out.splitlines() == [
        f"Games are saved in {tmp_path / 'ratscrew.sqlite3'}. Stop with Ctrl-C; they continue at the next start.",
        "Stopping.",
    ]
    with closing(SqliteLog(tmp_path / "ratscrew.sqlite3", Codec[Entry](Entry))) as log:
        (game,) = log.games(f"{joined['room']}-")
        assert len(log.read(game)) == 5


def test_a_stop_that_comes_with_the_first_output_is_obeyed(tmp_path: Path) -> None:
    """A process that waits for the address may stop the server as soon as it is printed."""
    with serving(tmp_path, "--data", str(tmp_path)) as (server, _):
        server.send_signal(signal.SIGTERM)
        out, complaints = end(server)
    assert (server.returncode, complaints) == (0, "")
    assert out.endswith("Stopping.\n")


def test_it_starts_the_process_that_renders_at_the_first_request_for_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", str(tmp_path)) as (server, address):
        get(f"{address}/api/rooms", {"name": "Ana", "bots": 1})
        get(f"{address}/api/house?text=1;classic")  # as the start page does
        assert children(server.pid) == []
        get(f"{address}/api/house?text=1;classic;turn_ms=5000")
        assert len(children(server.pid)) == 1


def test_its_figures_can_be_read_where_it_says_and_nowhere_else(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", tmp_path, "--metrics", "0") as (server, address):
        found = re.fullmatch(r"Metrics: (http://127\.0\.0\.1:\d+/metrics)\n", said(server))
        assert found
        get(f"{address}/api/rooms", {"name": "Ana", "bots": 1})
        with urlopen(found[1], timeout=30) as answer:
            assert b"\nratscrew_rooms 1.0\n" in answer.read()
        with pytest.raises(HTTPError, match="404"):
            get(f"{address}/metrics")
        server.send_signal(signal.SIGTERM)
        assert end(server)[1] == ""
    assert server.returncode == 0


# How clients reach it


def test_names_of_the_server_are_compared_as_browsers_send_them() -> None:
    told = proxy_policy(False, None, hosts=["Cards.Example.org.", "bücher.example"])
    assert told.hosts == {"cards.example.org", "xn--bcher-kva.example"}


@pytest.mark.parametrize("host", ["http://cards.example.org", "cards.example.org:8765", "", "a b", "*", "a..b"])
def test_a_name_that_is_none_is_reported_with_one_that_is(host: str) -> None:
    with pytest.raises(RatscrewError, match=r"--hosts .*: this is not a host name such as cards\.example\.org"):
        proxy_policy(False, None, hosts=[host])


@pytest.mark.parametrize(
    ("on", "hourly", "says"),
    [
        (True, "2;nothing", "--hourly-arena 2;nothing: "),
        (True, "1;classic;max_players=2", "--hourly-arena .*: 2 players at most: an arena's tables have up to 4"),
        (False, "1;classic", "--hourly-arena needs the community"),
    ],
)
def test_an_hourly_arena_that_cannot_be_is_reported(on: bool, hourly: str, says: str) -> None:
    with pytest.raises(RatscrewError, match=says):
        community_options(on, (), hourly)


def test_without_a_proxy_there_are_no_headers_of_one() -> None:
    for arguments in ((False, "X-Rtt-Us", 1), (False, None, 2)):
        with pytest.raises(RatscrewError, match="add --proxy"):
            proxy_policy(*arguments)


# Dealing as in a game that is written down

WRITTEN = """\
ratscrew 1
house 1;wiki
hand 1 9S 2C 4H
hand 2 9H KC 3D
lead 2
"""


def test_a_written_deal_is_dealt_to_as_many_seats_in_the_house_that_is_played(tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(WRITTEN)
    dealt = read_deal(tmp_path / "deal.txt")(house("blog"), 2)
    assert dealt == Dealt(house("blog"), (cards("9S 2C 4H"), cards("9H KC 3D")), Standing("play", 1))


def test_for_other_seats_nothing_is_laid_out(tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(WRITTEN)
    assert read_deal(tmp_path / "deal.txt")(house(), 3) is None


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read: "),
        (b"\xff\xfe", "cannot be read: "),
        (b"", "line 1: a game begins with the line 'ratscrew 1'"),
        (b"ratscrew 1\nhand 1 9S 1H", "line 2: '1H' is not a card"),
    ],
)
def test_a_deal_that_cannot_be_read_is_reported_in_a_sentence(tmp_path: Path, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / "deal.txt").write_bytes(content)
    with pytest.raises(RatscrewError, match=says):
        read_deal(tmp_path / "deal.txt")


def test_every_game_of_a_server_with_a_deal_is_dealt_so(tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(WRITTEN)
    asked = {"name": "Ana", "bots": 1}
    with serving(tmp_path, "--data", str(tmp_path), "--deal", str(tmp_path / "deal.txt")) as (server, address):
        rooms = {name: get(f"{address}/api/rooms", asked | {"house": f"1;{name}"})["room"] for name in PRESETS}
        server.send_signal(signal.SIGTERM)
        assert end(server)[1] == ""
    with closing(SqliteLog(tmp_path / "ratscrew.sqlite3", Codec[Entry](Entry))) as log:
        for name, room in rooms.items():
            (game,) = log.games(room)
            dealt = Dealt(house(name), (cards("9S 2C 4H"), cards("9H KC 3D")), Standing("play", 1))
            assert log.read(game)[3].event == dealt


def test_a_server_whose_deal_cannot_be_read_does_not_start(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("the page")
    words = ["serve", "--port", "0", "--data", str(tmp_path), "--deal", str(tmp_path / "nowhere.txt")]
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "page"), *words]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout, answer.stderr.count("\n")) == (1, "", 1)
    assert answer.stderr.startswith(f"ratscrew: {tmp_path / 'nowhere.txt'} cannot be read: ")
