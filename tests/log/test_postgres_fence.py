"""The fence: of appends after the same number exactly one succeeds, whole, and the numbers have no gaps."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from itertools import count
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
from ratscrew.log.protocol import End
from ratscrew.testing.postgres_server import PostgresServer
from tests.log.conftest import OpenLog, sql

TEXT = Codec[str](str)
WRITERS, GAMES, ROUNDS = 3, 200, 6
BEGIN_FIRST = "INSERT INTO ratscrew.game (name, place, version) VALUES ('g0', 0, 1)"
TIMEOUT_S = 60


def wins(soon: list[Future[int]]) -> list[bool]:
    """Which appends succeeded; the others are conflicts."""
    errors = [future.exception(TIMEOUT_S) for future in soon]
    assert all(error is None or isinstance(error, Conflict) for error in errors), errors
    return [error is None for error in errors]


def test_of_3600_racing_appends_exactly_one_succeeds_after_each_number(address: PostgresAddress) -> None:
    """Three writers append to 200 games after the same numbers, one to three entries, in an order of their own.

    Each has all 200 in one statement. All three see the same numbers, and wait for another transaction at the first.
    """
    chance, last = random.Random(4), dict.fromkeys(range(GAMES), 0)
    expected: dict[int, list[str]] = {game: [] for game in last}
    with ExitStack() as stack:
        reader = stack.enter_context(closing(PostgresReader(address, TEXT)))
        writers = [stack.enter_context(closing(PostgresWriter(address))) for _ in range(WRITERS)]
        racers = stack.enter_context(ThreadPoolExecutor(WRITERS))
        for turn in range(ROUNDS):
            texts = {(me, game): [f"{turn} {me}"] * chance.randint(1, 3) for me in range(WRITERS) for game in last}
            groups = [
                {game: queued(f"g{game}", last[game], texts[me, game]) for game in chance.sample(list(last), GAMES)}
                for me in range(WRITERS)
            ]
            with psycopg.connect(address.url) as starter:
                starter.execute("SELECT FROM ratscrew.game WHERE name = 'g0' FOR UPDATE" if turn else BEGIN_FIRST)
                racing = [
                    racers.submit(writer.commit, list(group.values()))
                    for writer, group in zip(writers, groups, strict=True)
                ]
                while waiting_for_locks(address) < WRITERS:
                    assert not any(race.done() for race in racing)
                    time.sleep(0.001)
                starter.rollback()
            for race in racing:
                race.result(TIMEOUT_S)
            found = [dict(zip(group, wins([each.done for each in group.values()]), strict=True)) for group in groups]
            for game in last:
                (winner,) = [me for me in range(WRITERS) if found[me][game]]
                expected[game] += texts[winner, game]
                last[game] = len(expected[game])
        assert {game: reader.read(f"g{game}") for game in last} == expected


def queued(game: str, after: int, texts: list[str]) -> Queued[Append]:
    """An append as it waits for its writer."""
    bodies = [TEXT.encode(text) for text in texts]
    return Queued(Append(game, after, bodies, time.monotonic() + TIMEOUT_S), Future[int]())


def waiting_for_locks(address: PostgresAddress) -> int:
    """How many statements wait for a lock."""
    return int(sql(address, "SELECT count(*) FROM pg_locks WHERE NOT granted")[0][0])


def test_the_tail_of_a_stale_append_does_not_get_in_behind_a_collision(open_log: OpenLog) -> None:
    stale, owner = open_log(), open_log()
    stale.append("g", 0, ["a"])
    owner.append("g", 1, ["b"])
    assert wins([stale.append_soon("g", 1, ["x", "y", "z"]), stale.append_soon("g", 4, ["w"])]) == [False, False]
    assert stale.read("g") == ["a", "b"]


@pytest.mark.parametrize("waits", [False, True])
def test_what_is_behind_a_failed_append_is_not_stored_although_its_number_fits(open_log: OpenLog, waits: bool) -> None:
    """The owner has written as many entries as the stale writer, which goes on behind its own."""
    stale, owner = open_log(), open_log()
    stale.append("g", 0, ["a"])
    owner.append("g", 1, ["b", "c"])
    first = stale.append_soon("g", 1, ["x", "y"])
    if waits:
        assert wins([first]) == [False]
    second = stale.append_soon("g", 3, ["z"], behind=first)
    third = stale.append_soon("g", 4, ["w"], behind=second)
    assert wins([first, second, third, stale.begin_soon("h", ["v"], End("g", 5), behind=third)]) == [False] * 4
    assert (stale.read("g"), stale.games()) == (["a", "b", "c"], ["g"])
    assert stale.append("g", 3, ["d"]) == 4  # by somebody else in this process, who has read the game


def test_a_stale_writer_does_not_begin_the_next_game_behind_an_append_that_failed(open_log: OpenLog) -> None:
    stale, owner = open_log(), open_log()
    stale.append("g", 0, ["a"])
    owner.append("g", 1, ["b", "c"])
    first = stale.append_soon("g", 1, ["x", "y"])
    second = stale.begin_soon("h", ["v"], End("g", 3), behind=first)
    assert wins([first, second, stale.append_soon("h", 1, ["u"], behind=second)]) == [False] * 3
    assert stale.games() == ["g"]
    assert owner.append("g", 3, ["d"]) == 4


def test_a_batch_that_postgresql_ends_because_of_a_deadlock_is_executed_again(
    open_log: OpenLog, address: PostgresAddress
) -> None:
    """Another program locks the same two games in the other order, and is prepared to wait for longer."""
    log, writer = open_log(), PostgresWriter(address)
    for game in "ab":
        log.append(game, 0, ["first"])
    group = [queued(game, 1, ["second"]) for game in "ab"]
    lock = "UPDATE ratscrew.game SET version = version WHERE name = %s"
    with psycopg.connect(address.url) as other, ThreadPoolExecutor(1) as threads:
        other.execute("SET deadlock_timeout = '1min'")
        other.execute(lock, ("b",))
        committing = threads.submit(writer.commit, group)
        while not waiting_for_locks(address):
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
        appends = [queued(*each) for each in asked]
        pair[me].commit(appends)
        for (game, after, texts), (_, done) in zip(asked, appends, strict=True):
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
