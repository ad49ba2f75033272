"""The fence: of appends after the same number exactly one succeeds, whole, and the numbers have no gaps."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import count
from threading import Barrier
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratscrew.errors import Conflict, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.group_commit import Queued
from ratscrew.log.memory import MemoryLog
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.postgres.fence import Append
from ratscrew.log.postgres.reader import PostgresReader
from ratscrew.log.postgres.writer import PostgresWriter
from ratscrew.testing.postgres_server import PostgresServer
from tests.log.conftest import OpenLog, sql

TEXT = Codec[str](str)
WRITERS, GAMES, ROUNDS = 3, 200, 6
TIMEOUT_S = 60


def wins(soon: list[Future[int]]) -> list[bool]:
    """Which appends succeeded; the others are conflicts."""
    errors = [future.exception(TIMEOUT_S) for future in soon]
    assert all(error is None or isinstance(error, Conflict) for error in errors), errors
    return [error is None for error in errors]


def test_of_3600_racing_appends_exactly_one_succeeds_after_each_number(open_log: OpenLog) -> None:
    """Three writers append to 200 games after the same numbers, one to three entries, in an order of their own."""
    logs, chance, last = [open_log() for _ in range(WRITERS)], random.Random(4), dict.fromkeys(range(GAMES), 0)
    expected: dict[int, list[str]] = {game: [] for game in last}
    won = [0] * WRITERS
    for turn in range(ROUNDS):
        start = Barrier(WRITERS)
        texts = {(me, game): [f"{turn} {me}"] * chance.randint(1, 3) for me in range(WRITERS) for game in last}
        orders = [chance.sample(list(last), GAMES) for _ in range(WRITERS)]

        def race(me: int, start: Barrier = start, texts: Any = texts, orders: Any = orders) -> dict[int, bool]:
            start.wait(TIMEOUT_S)
            soon = [logs[me].append_soon(f"g{game}", last[game], texts[me, game]) for game in orders[me]]
            return dict(zip(orders[me], wins(soon), strict=True))

        with ThreadPoolExecutor(WRITERS) as racers:
            found = list(racers.map(race, range(WRITERS)))
        for game in last:
            (winner,) = [me for me in range(WRITERS) if found[me][game]]
            expected[game] += texts[winner, game]
            last[game] = len(expected[game])
            won[winner] += 1
    assert {game: logs[0].read(f"g{game}") for game in last} == expected
    assert sum(won) == GAMES * ROUNDS
    assert sum(each > 0 for each in won) > 1, "they did not race"


def test_the_tail_of_a_stale_append_does_not_get_in_behind_a_collision(open_log: OpenLog) -> None:
    stale, owner = open_log(), open_log()
    stale.append("g", 0, ["a"])
    owner.append("g", 1, ["b"])
    assert wins([stale.append_soon("g", 1, ["x", "y", "z"]), stale.append_soon("g", 4, ["w"])]) == [False, False]
    assert stale.read("g") == ["a", "b"]


def test_a_batch_that_postgresql_ends_because_of_a_deadlock_is_executed_again(
    open_log: OpenLog, address: PostgresAddress
) -> None:
    """Another program locks the same two games in the other order, and is prepared to wait for longer."""
    log, writer = open_log(), PostgresWriter(address)
    for game in "ab":
        log.append(game, 0, ["first"])
    group = [
        Queued(Append(game, 1, [TEXT.encode("second")], time.monotonic() + TIMEOUT_S), Future[int]()) for game in "ab"
    ]
    lock = "UPDATE ratscrew.game SET version = version WHERE name = %s"
    with psycopg.connect(address.url) as other, ThreadPoolExecutor(1) as threads:
        other.execute("SET deadlock_timeout = '1min'")
        other.execute(lock, ("b",))
        committing = threads.submit(writer.commit, group)
        while not sql(address, "SELECT count(*) FROM pg_locks WHERE NOT granted")[0][0]:
            time.sleep(0.01)
        other.execute(lock, ("a",))
        other.commit()
        committing.result(TIMEOUT_S)
    writer.close()
    assert [done.result(0) for _, done in group] == [2, 2]
    assert [log.read(game) for game in "ab"] == [["first", "second"]] * 2
    while not sql(address, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")[0][0]:
        time.sleep(0.01)


# Against a model


@pytest.fixture(scope="module")
def writers(postgres_server: PostgresServer) -> Iterator[tuple[list[PostgresWriter], PostgresReader[str]]]:
    """Two writers of one log, called without a queue, so that the test decides what is in a batch."""
    address = postgres_server.create_log()
    pair = [PostgresWriter(address), PostgresWriter(address)]
    with closing(PostgresReader(address, TEXT)) as reader:
        yield pair, reader
    for writer in pair:
        writer.close()


appends = st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.integers(0, 3))
groups = st.lists(st.tuples(st.integers(0, 1), st.lists(appends, min_size=1, max_size=8)), max_size=6)
examples = count()


@given(groups)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_group_has_the_outcome_of_its_appends_one_after_the_other(
    writers: tuple[list[PostgresWriter], PostgresReader[str]], groups: Any
) -> None:
    pair, reader = writers
    model, prefix = MemoryLog[str](), f"{next(examples)}-"
    for number, (me, group) in enumerate(groups):
        asked = []
        for place, (game, after, size) in enumerate(group):
            texts = [f"{number}.{place}.{each}" for each in range(size)]
            asked.append((prefix + game, after, texts))
        queued = [
            Queued(Append(game, after, [TEXT.encode(text) for text in texts], time.monotonic() + TIMEOUT_S), Future())
            for game, after, texts in asked
        ]
        pair[me].commit(queued)
        for (game, after, texts), (_, done) in zip(asked, queued, strict=True):
            expected, found = model.append_soon(game, after, texts), done.exception(0)
            assert (found is None, str(found)) == (expected.exception() is None, str(expected.exception()))
            assert found or done.result() == expected.result()
    assert sorted(reader.games(prefix)) == sorted(model.games())
    for game in model.games():
        assert reader.read(game) == model.read(game)


def test_an_append_larger_than_a_batch_is_stored_whole(open_log: OpenLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ratscrew.log.postgres.fence.MAX_ENTRIES", 3)
    log, texts = open_log(), [str(number) for number in range(10)]
    soon = [log.append_soon("g", 0, texts), log.append_soon("h", 0, texts[:2]), log.append_soon("g", 10, texts)]
    assert [future.result(TIMEOUT_S) for future in soon] == [10, 2, 20]
    assert (log.read("g"), log.read("h")) == (texts * 2, texts[:2])


def test_every_batch_has_a_number_of_its_own(address: PostgresAddress) -> None:
    for _ in range(2):
        with closing(PostgresLog(address, TEXT)) as log:
            for _ in range(3):
                log.append(f"g{len(log.games())}", 0, ["a", "b"])
                with suppress(LogError):
                    log.append("g0", 7, ["x"])
    rows = sql(address, "SELECT count(DISTINCT batch), count(*) FROM ratscrew.entry")
    assert rows == [(6, 12)]
