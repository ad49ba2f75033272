"""The log in memory is a log."""

from __future__ import annotations

from ratscrew.log.memory import MemoryLog
from ratscrew.testing.check_log import check_log


def test_the_log_in_memory_keeps_every_promise_of_a_log() -> None:
    check_log(MemoryLog)
