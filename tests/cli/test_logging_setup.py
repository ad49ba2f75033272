"""Log messages: one line per event with its fields, and no secrets or names."""

from __future__ import annotations

import json
import logging
import re
import signal
import time
from base64 import urlsafe_b64decode
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar

from ratscrew.cli.server.logging_setup import KINDS_MOST, RepeatFilter, TextFormatter, set_up_logging
from ratscrew.game.codec import Codec
from ratscrew.game.events import Played
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.tokens import KEY_LASTS_S, KEYS
from tests.cli.process import end, serving
from tests.cli.test_takeover import told
from tests.web.authenticator import Authenticator
from tests.web.http_requests import socket_of

NAME = "Zebediah"


async def play(folder: Path, *words: str) -> tuple[str, str, str]:
    """The log messages of a server with a player, their token and their room."""
    with serving(folder, "--data", folder, "--speed", "20", *words) as (server, where):
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            async with session.post(f"{where}/api/rooms", json={"name": NAME, "bots": 3}) as answer:
                room, (cookie,) = (await answer.json())["room"], answer.cookies.values()
            async with session.ws_connect(f"{where}{socket_of(room)}") as socket:
                await socket.send_json({"t": "hello", "player_ids": [0]})
                await socket.send_json({"t": "play", "n": 10**9})
                await told(socket, 30)
        server.send_signal(signal.SIGTERM)
        return end(server)[1], cookie.value, room


@pytest.mark.parametrize("words", [(), ("--log-format", "json", "--log-level", "debug")])
async def test_no_card_token_or_name_is_in_the_journal(tmp_path: Path, words: tuple[str, ...]) -> None:
    """In JSON each line is an event with its fields."""
    journal, token, room = await play(tmp_path, *words)
    with closing(SqliteLog(tmp_path / "ratscrew.sqlite3", Codec[Entry](Entry))) as log:
        (game,) = log.games(room)
        played = [entry.event.card for entry in log.read(game) if isinstance(entry.event, Played)]
        key = log.get_or_create(f"{KEYS}{time.time_ns() // 10**9 // KEY_LASTS_S}", bytes)
    assert len(played) > 5
    assert len(key) == 32
    assert not re.findall(rf"\b({'|'.join(map(str, played))})\b", journal)
    assert not [secret for secret in (NAME, token, token.rpartition(".")[2], key.hex()) if secret in journal]
    events = [json.loads(line) for line in journal.splitlines()]
    assert all({"time", "level", "from", "event"} <= event.keys() for event in events)
    found = [(event["level"], event["event"]) for event in events if event["from"].startswith("ratscrew.")]
    assert found == [
        ("INFO", "the server listens"),
        ("INFO", "a seat is taken"),
        ("DEBUG", "refused"),
        ("INFO", "the server stops"),
    ] * bool(words)
    assert [(event["room"], event["seats"]) for event in events if "seats" in event] == [(room, 4)] * bool(words)


def test_a_line_for_people_has_the_fields_as_well() -> None:
    fields = {"name": "ratscrew.web", "levelname": "INFO", "msg": "a seat is taken", "room": "ABCD", "seats": 4}
    line = TextFormatter("%(levelname)s %(name)s: %(message)s").format(logging.makeLogRecord(fields))
    assert line == "INFO ratscrew.web: a seat is taken room=ABCD seats=4"


async def test_no_passkey_is_in_the_messages(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", tmp_path, "--log-level", "debug") as (server, where):
        host = f"localhost:{where.rpartition(':')[2].rstrip('/')}"
        authenticator = Authenticator("localhost", f"http://{host}")
        async with ClientSession(where, cookie_jar=CookieJar(unsafe=True), headers={"Host": host}) as session:
            await session.post("/api/account", json={"name": NAME})
            async with session.post("/api/account/passkey/options") as options:
                made = authenticator.make(await options.json())
            async with session.post("/api/account/passkey", json=made) as added:
                assert added.status == 201
            async with session.post("/api/sign-in/options") as options:
                used = authenticator.use(await options.json())
            async with session.post("/api/sign-in", json=used) as signed_in:
                assert signed_in.status == 200
        server.send_signal(signal.SIGTERM)
        messages = end(server)[1]
    passkey = urlsafe_b64decode(made["id"] + "==")
    assert [secret for secret in (NAME, made["id"], passkey.hex(), used["signature"]) if secret in messages] == []


def test_lines_that_clients_can_cause_are_logged_a_few_times_a_second() -> None:
    """Of each kind: a flood of one does not hide another. `debug` shows everything."""
    now_s = 0.0
    handler = CountingHandler()
    handler.addFilter(RepeatFilter(lambda: now_s))
    logger = logging.Logger("flooded")
    logger.addHandler(handler)
    for number in range(1000):
        now_s = number / 1000
        logger.warning("refused %s", number)
        logger.error("refused %s", number)
        logger.debug("message %s", number)
    logger.info("started")
    lines = [(each.levelname, each.getMessage()) for each in handler.records if each.levelno > logging.DEBUG]
    refused = [(level, f"refused {number}") for number in range(10) for level in ("WARNING", "ERROR")]
    assert lines == [*refused, ("INFO", "started")]
    assert len(handler.records) == 1021
    now_s = 1.0
    logger.warning("refused %s", 1000)
    assert TextFormatter("%(message)s").format(handler.records[-1]) == "refused 1000 repeated=990"


def test_made_up_kinds_of_lines_take_no_memory_and_are_one_kind() -> None:
    handler = CountingHandler()
    handler.addFilter(RepeatFilter(lambda: 0.0))
    logger = logging.Logger("flooded")
    logger.addHandler(handler)
    for number in range(10 * KINDS_MOST):
        logger.warning(f"path {number}")
    assert len(handler.records) == KINDS_MOST + 10


def test_the_servers_log_is_filtered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    level = logging.getLogger().level
    set_up_logging("text", "info")
    try:
        for number in range(50):
            logging.getLogger("ratscrew.web.somewhere").error("%s", number)
    finally:
        logging.getLogger().setLevel(level)
    assert len(capsys.readouterr().err.splitlines()) in (10, 20)  # 20 if a second has begun meanwhile


class CountingHandler(logging.Handler):
    """A handler that keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler`."""
        self.records.append(record)
