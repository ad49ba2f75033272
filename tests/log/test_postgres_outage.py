"""Lost connections, lost answers, restarts: an append is stored once or reported, and never repeated blindly."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from random import Random

import pytest

from ratscrew.errors import Conflict, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres import event_log, session, writer
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.protocol import End
from ratscrew.testing.postgres_server import PostgresServer
from tests.log.conftest import OpenLog, sql
from tests.log.tcp_proxy import PASSWORD, TIMEOUT_S, Fault, TcpProxy, proxy_to

MARKER = "the marked entry"


@pytest.fixture
def proxy(postgres_server: PostgresServer) -> Iterator[TcpProxy]:
    """A proxy in front of the server."""
    with proxy_to(postgres_server.socket) as proxy:
        yield proxy


@pytest.fixture
def name(address: PostgresAddress) -> str:
    """The name of the log's database."""
    return str(sql(address, "SELECT current_database()")[0][0])


@pytest.fixture
def log(open_log: OpenLog, proxy: TcpProxy, name: str) -> PostgresLog[str]:
    """The log by way of the proxy, with one entry in a game."""
    log = open_log(proxy.address(name))
    log.append("g", 0, ["a"])
    return log


def injected(log: PostgresLog[str], proxy: TcpProxy, fault: Fault, shut: bool = False) -> list[Future[int]]:
    """Append to three games at once, with a fault on the way, and wait until it has happened."""
    proxy.inject(fault, MARKER, shut)
    soon = [log.append_soon(game, after, [MARKER, "and"]) for game, after in (("g", 1), ("new", 0), ("g", 3))]
    assert proxy.happened.wait(TIMEOUT_S)
    return soon


@pytest.mark.parametrize("fault", Fault)
def test_an_append_whose_connection_breaks_at_any_moment_is_stored_once(
    log: PostgresLog[str], proxy: TcpProxy, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "ATTEMPT_S", 0.5)
    soon = injected(log, proxy, fault)
    assert [future.result(TIMEOUT_S) for future in soon] == [3, 2, 5]
    if fault is Fault.LATE:
        proxy.deliver()
    assert log.read("g") == ["a", MARKER, "and", MARKER, "and"]
    assert log.read("new") == [MARKER, "and"]
    assert log.append("g", 5, ["on"]) == 6


@pytest.mark.parametrize("fault", [Fault.AFTER, Fault.LATE])
def test_an_append_that_was_stored_is_acknowledged_although_another_writer_has_gone_on(
    log: PostgresLog[str], proxy: TcpProxy, open_log: OpenLog, fault: Fault
) -> None:
    proxy.inject(fault, MARKER, shut=True)
    soon = log.append_soon("g", 1, [MARKER, "and"])
    assert proxy.happened.wait(TIMEOUT_S)
    if fault is Fault.LATE:
        proxy.deliver()
    assert open_log().append("g", 3, ["theirs"]) == 4
    proxy.reopen()
    assert soon.result(TIMEOUT_S) == 3
    assert log.read("g") == ["a", MARKER, "and", "theirs"]


@pytest.mark.parametrize("fault", [Fault.BEFORE, Fault.LATE])
def test_the_same_entries_of_another_writer_are_a_conflict(
    log: PostgresLog[str], proxy: TcpProxy, open_log: OpenLog, fault: Fault
) -> None:
    proxy.inject(fault, MARKER, shut=True)
    soon = log.append_soon("g", 1, [MARKER, "and"])
    assert proxy.happened.wait(TIMEOUT_S)
    assert open_log().append("g", 1, [MARKER, "and"]) == 3
    if fault is Fault.LATE:
        proxy.deliver()
    proxy.reopen()
    with pytest.raises(Conflict, match="game g: append after 1, but the last entry is 3"):
        soon.result(TIMEOUT_S)
    assert log.read("g") == ["a", MARKER, "and"]


@pytest.mark.parametrize("fault", [Fault.AFTER, Fault.LATE])
def test_a_game_that_was_begun_is_acknowledged_although_the_answer_was_lost(
    log: PostgresLog[str], proxy: TcpProxy, fault: Fault
) -> None:
    proxy.inject(fault, MARKER, shut=True)
    soon = log.begin_soon("h", [MARKER], End("g", 1))
    assert proxy.happened.wait(TIMEOUT_S)
    if fault is Fault.LATE:
        proxy.deliver()
    proxy.reopen()
    assert soon.result(TIMEOUT_S) == 1
    assert (log.read("g"), log.read("h")) == (["a"], [MARKER])


@pytest.mark.parametrize("fault", [Fault.BEFORE, Fault.LATE])
def test_a_game_is_not_begun_late_if_the_one_before_went_on(
    log: PostgresLog[str], proxy: TcpProxy, open_log: OpenLog, fault: Fault
) -> None:
    proxy.inject(fault, MARKER, shut=True)
    soon = log.begin_soon("h", [MARKER], End("g", 1))
    assert proxy.happened.wait(TIMEOUT_S)
    assert open_log().append("g", 1, ["theirs"]) == 2
    proxy.reopen()
    with pytest.raises(Conflict, match="game h: g has ended, or goes on elsewhere"):
        soon.result(TIMEOUT_S)
    if fault is Fault.LATE:
        proxy.deliver()
    assert (log.read("g"), log.read("h")) == (["a", "theirs"], [])


def test_an_append_in_doubt_waits_until_it_can_be_looked_up(
    log: PostgresLog[str], proxy: TcpProxy, address: PostgresAddress
) -> None:
    """PostgreSQL answers, but refuses the statement: a table has another name for a while."""
    proxy.inject(Fault.AFTER, MARKER, shut=True)
    soon = log.append_soon("g", 1, [MARKER])
    assert proxy.happened.wait(TIMEOUT_S)
    sql(address, "ALTER TABLE ratscrew.entry RENAME TO hidden")
    before = proxy.accepted
    proxy.reopen()
    while proxy.accepted < before + 3 and not soon.done():
        time.sleep(0.01)
    sql(address, "ALTER TABLE ratscrew.hidden RENAME TO entry")
    assert soon.result(TIMEOUT_S) == 2
    assert log.read("g") == ["a", MARKER]


def test_connections_that_are_ended_again_and_again_lose_and_repeat_nothing(
    open_log: OpenLog, address: PostgresAddress
) -> None:
    """As by an administrator, while appends are under way."""
    log, others = open_log(), "datname = current_database() AND pid <> pg_backend_pid()"
    for number in range(0, 300, 3):
        soon = [log.append_soon("g", number + each, [str(number + each)]) for each in range(3)]
        if number % 15 == 0:
            sql(address, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        assert [future.result(TIMEOUT_S) for future in soon] == [number + 1, number + 2, number + 3]
        assert log.last("g") == str(number + 2)
    assert log.read("g") == [str(number) for number in range(300)]


@pytest.mark.parametrize("seed", range(3))
def test_whatever_breaks_every_append_has_the_outcome_that_its_writer_gets(
    proxy: TcpProxy, name: str, open_log: OpenLog, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Two writers take turns; others get in between, and messages from broken connections arrive at any later time."""
    monkeypatch.setattr(writer, "ATTEMPT_S", 0.3)
    chance, stored = Random(seed), dict[int, str]()
    logs, other = [open_log(proxy.address(name)) for _ in range(2)], open_log()

    def note(last: int, texts: list[str]) -> None:
        assert not stored.keys() & set(range(last - len(texts) + 1, last + 1))
        stored.update(zip(range(last - len(texts) + 1, last + 1), texts, strict=True))

    for turn in range(40):
        texts = [f"{turn}.{number}" for number in range(chance.randint(1, 3))]
        if fault := chance.choice([None, *Fault]):
            proxy.inject(fault, f'"{turn}.0"', shut=True)
        soon = chance.choice(logs).append_soon("g", len(stored), texts)
        if fault:
            assert proxy.happened.wait(TIMEOUT_S)
            if chance.random() < 0.5:
                proxy.deliver()
            after = len(other.read("g"))
            if chance.random() < 0.5:
                note(other.append("g", after, [f"{turn}.other"]), [f"{turn}.other"])
            proxy.reopen()
        error = soon.exception(TIMEOUT_S)
        assert error is None or isinstance(error, Conflict)
        if error is None:
            note(soon.result(), texts)
    proxy.deliver()
    assert other.read("g") == [stored[number] for number in range(1, len(stored) + 1)]


# Restarts


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_restart_within_the_bound_delays_appends_and_reads(
    open_log: OpenLog,
    address: PostgresAddress,
    postgres_server: PostgresServer,
    how: signal.Signals,
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = open_log()
    log.append("g", 0, ["a"])
    log.read("g")
    postgres_server.stop(how)
    soon = [log.append_soon("g", 1, ["b"]), log.append_soon("g", 2, ["c"])]
    postgres_server.start()
    assert [future.result(TIMEOUT_S) for future in soon] == [2, 3]
    log.append("other", 0, ["x"])
    assert caplog.messages == [f"{address}: appends wait for a new connection", f"{address}: appends go on"]
    assert log.read("g") == ["a", "b", "c"]
    log.put("key", b"value")
    log.redact("g", str.upper)
    assert (log.get(), log.read("g")) == ({"key": b"value"}, ["A", "B", "C"])


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second instead of fifteen."""
    for module in (event_log, session, writer):
        monkeypatch.setattr(module, "MAX_OUTAGE_S", 0.5)
    monkeypatch.setattr(event_log, "PUT_TIMEOUT_S", 0.5)


@pytest.mark.usefixtures("impatient")
def test_beyond_the_bound_everything_fails_with_the_address_and_then_goes_on(
    log: PostgresLog[str], proxy: TcpProxy, name: str, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session.SessionPool.run, "__defaults__", (0.5,))
    postgres_server.stop()
    attempts: list[Callable[[], object]] = [
        lambda: log.append("g", 1, ["b"]),
        lambda: log.append("new", 0, ["b"]),
        lambda: log.read("g"),
        lambda: log.put("key", b"value"),
        lambda: log.get_or_create("key", bytes),
    ]
    for attempt in attempts:
        with pytest.raises(LogError) as caught:
            attempt()
        assert type(caught.value) is LogError
        assert str(caught.value).startswith(f"{proxy.address(name)}: PostgreSQL cannot be reached: ")
        assert PASSWORD not in str(caught.value)
    postgres_server.start()
    assert (log.append("g", 1, ["b"]), log.append("new", 0, ["b"])) == (2, 1)
    assert (log.read("g"), log.get()) == (["a", "b"], {})


@pytest.mark.usefixtures("impatient")
def test_an_append_in_doubt_says_that_it_may_be_stored(log: PostgresLog[str], proxy: TcpProxy) -> None:
    proxy.inject(Fault.AFTER, MARKER, shut=True)
    with pytest.raises(LogError, match="whether the entries are stored is unknown: read the game again"):
        log.append("g", 1, [MARKER])
    proxy.reopen()
    assert log.read("g") == ["a", MARKER]
    assert log.append("g", 2, ["on"]) == 3


def test_close_waits_for_a_server_that_is_there(open_log: OpenLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CLOSE_WITHIN_S", 0)
    log = open_log()
    soon = [log.append_soon("g", number, ["x" * 1000]) for number in range(500)]
    log.close()
    assert [future.result(0) for future in soon] == list(range(1, 501))


def test_close_does_not_wait_for_a_server_that_is_away(
    open_log: OpenLog, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "CLOSE_WITHIN_S", 0.2)
    monkeypatch.setattr(event_log, "MAX_OUTAGE_S", 1_000)
    log = open_log()
    postgres_server.stop()
    try:
        soon = log.append_soon("g", 0, ["a"])
        log.close()
        assert isinstance(soon.exception(0), LogError)
    finally:
        postgres_server.start()


def test_a_server_that_is_not_there_is_named_at_the_start() -> None:
    address = PostgresAddress(f"postgresql://me:{PASSWORD}@127.0.0.1:1/games")
    with pytest.raises(LogError) as caught:
        PostgresLog(address, Codec[str](str))
    assert str(caught.value).startswith("postgresql://127.0.0.1:1/games: PostgreSQL cannot be reached: ")
    assert PASSWORD not in str(caught.value)
