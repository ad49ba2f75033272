"""Everything that is queued is committed together, in order, and a faulty commit does not stop the next one."""

from __future__ import annotations

from contextlib import closing
from threading import Event, Thread

import pytest

from ratscrew.errors import LogError
from ratscrew.log.group_commit import GroupCommit, Queued

TIMEOUT_S = 30


def test_what_is_queued_during_a_commit_is_the_next_group() -> None:
    groups, begun, go_on = list[list[int]](), Event(), Event()

    def commit(group: list[Queued[int]]) -> None:
        begun.set()
        go_on.wait(TIMEOUT_S)
        groups.append([queued.write for queued in group])
        for number, done in group:
            done.set_result(-number)

    with closing(GroupCommit("a log", commit)) as queue:
        first = queue.submit(1)
        assert begun.wait(TIMEOUT_S)
        others = [queue.submit(number) for number in range(2, 6)]
        go_on.set()
        assert [future.result(TIMEOUT_S) for future in (first, *others)] == [-1, -2, -3, -4, -5]
    assert groups == [[1], [2, 3, 4, 5]]


def test_a_commit_that_raises_fails_its_writes_and_not_the_next(caplog: pytest.LogCaptureFixture) -> None:
    def commit(group: list[Queued[int]]) -> None:
        for number, done in group:
            done.set_result(1 // number)

    with closing(GroupCommit("a log", commit)) as queue:
        with pytest.raises(LogError, match="a log: the commit failed: ZeroDivisionError"):
            queue.submit(0).result(TIMEOUT_S)
        assert queue.submit(1).result(TIMEOUT_S) == 1
    assert "a log: a commit failed" in caplog.text


def test_a_queued_write_cannot_be_cancelled_so_what_was_stored_is_acknowledged() -> None:
    go_on = Event()

    def commit(group: list[Queued[int]]) -> None:
        go_on.wait(TIMEOUT_S)
        for _, done in group:
            done.set_result("stored")

    with closing(GroupCommit("a log", commit)) as queue:
        soon = [queue.submit(number) for number in range(3)]
        assert not any(future.cancel() for future in soon)
        go_on.set()
        assert [future.result(TIMEOUT_S) for future in soon] == ["stored"] * 3


def test_after_the_close_a_write_fails_at_once() -> None:
    queue = GroupCommit[int]("a log", lambda group: None)
    queue.close()
    queue.close()
    with pytest.raises(LogError, match="a log: the log is closed"):
        queue.submit(1).result(0)


def test_what_was_queued_before_the_close_is_committed() -> None:
    go_on, begun = Event(), Event()

    def commit(group: list[Queued[int]]) -> None:
        begun.set()
        go_on.wait(TIMEOUT_S)
        for number, done in group:
            done.set_result(number)

    queue = GroupCommit[int]("a log", commit)
    soon = [queue.submit(1)]
    assert begun.wait(TIMEOUT_S)
    soon += [queue.submit(number) for number in (2, 3)]
    closing_thread = Thread(target=queue.close)
    closing_thread.start()
    while not queue.submit(4).done():
        pass  # until it is refused, the close is not queued yet
    go_on.set()
    closing_thread.join(TIMEOUT_S)
    assert not closing_thread.is_alive()
    assert [future.result(TIMEOUT_S) for future in soon] == [1, 2, 3]
