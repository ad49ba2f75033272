"""A conformance test for event logs, on new logs of texts. Independent of the storage.

    def test_my_log_is_a_log() -> None:
        check_log(MyLog)

A log whose disk can be made to fail is checked further: `check_log(MyLog, unwritable=on_a_full_disk)`.
The AssertionError names the broken promise.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from functools import partial
from threading import Barrier
from typing import Any, TypeAlias

from ratscrew.errors import Conflict, LogError
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import EventLog
from ratscrew.log.rows import unpack

ROUNDS = 20
WRITERS = 4
TIMEOUT_S = 30
"""A log that takes longer over an operation counts as stuck."""

MakeLog: TypeAlias = Callable[[], EventLog[str]]
"""Returns a new, empty log of texts at each call."""

MakeUnwritable: TypeAlias = Callable[[Any], AbstractContextManager[object]]
"""A context manager within which the given log cannot store anything."""


def check_log(make_log: MakeLog, unwritable: MakeUnwritable | None = None) -> None:
    """Check every promise of `EventLog`, each on a new log.

    Raises: AssertionError that names the broken promise.
    """
    checks = [
        _numbers,
        _refuses,
        _keeps_apart,
        _keeps_whole,
        _keeps_order,
        _lists,
        _stores_values,
        _redacts,
        _deletes_prefix,
    ]
    checks += [_one_writer_wins, _closes, *([partial(_recovers, unwritable=unwritable)] if unwritable else [])]
    for check in checks:
        log = make_log()
        try:
            check(log)
        finally:
            log.close()


def _numbers(log: EventLog[str]) -> None:
    assert log.read("g") == [], "a game without appends has no entries"
    assert log.append("g", 0, ["a", "b"]) == 2, "append returns the number of the last entry"
    assert log.append("g", 2, ["c"]) == 3, "append returns the number of the last entry"
    assert log.append("g", 3, []) == 3, "appending nothing is allowed, and changes nothing"
    read = [log.read("g", after) for after in range(5)]
    assert log.read("g") == ["a", "b", "c"], "entries are read in the order of the appends"
    assert read == [["a", "b", "c"], ["b", "c"], ["c"], [], []], "read starts after the given number"
    assert (log.last("g"), log.last("none")) == ("c", None), "last is the newest entry of a game, if there is one"
    assert (log.count("g"), log.count("none")) == (3, 0), "count is the number of the newest entry, or 0"
    packed = unpack(log.read_packed("g"), Codec[str](str)), unpack(log.read_packed("none"), Codec[str](str))
    assert packed == (["a", "b", "c"], []), "read_packed has all entries of a game, with right checksums"


def _refuses(log: EventLog[str]) -> None:
    log.append("g", 0, ["a", "b"])
    for after in (-1, 0, 1, 3, 99):
        for events in (["x"], []):
            assert _conflicts(log.append_soon("g", after, events)), f"after entry 2, an append after {after} conflicts"
    assert _conflicts(log.append_soon("new", 1, ["x"])), "a game's first entry is appended after 0"
    assert log.read("g") == ["a", "b"], "an append that conflicts changes nothing"
    assert log.append("g", 2, ["c"]) == 3, "after a conflict, the right number still works"
    assert log.append("new", 0, ["x"]) == 1, "after a conflict, the right number still works"


def _keeps_apart(log: EventLog[str]) -> None:
    for number in range(3):
        for game in ("one", "two", "o", "ONE"):
            log.append(game, number, [f"{game}{number}"])
    for game in ("one", "two", "o", "ONE"):
        assert log.read(game) == [f"{game}{number}" for number in range(3)], "a game holds only its own entries"


def _keeps_whole(log: EventLog[str]) -> None:
    strange = ["", "a\nb", 'quote " and \\', "Ωmega 🂡 \u0000 end", "x" * 100_000]
    log.append("g", 0, strange)
    assert log.read("g") == strange, "an entry is read as it was appended"
    read = log.read("g")
    read.clear()
    events = ["kept"]
    log.append("g", len(strange), events)
    events.append("not passed")
    assert log.read("g", 4)[1:] == ["kept"], "changing the passed list afterwards changes nothing"


def _keeps_order(log: EventLog[str]) -> None:
    soon = [log.append_soon("g", number, [str(number)]) for number in range(500)]
    in_order = "appends are executed in the order of the calls"
    assert not any(map(_conflicts, soon)), in_order
    assert [future.result() for future in soon] == list(range(1, 501)), in_order
    assert log.read("g") == [str(number) for number in range(500)], "no append is lost, and their order stays"
    soon = [
        log.append_soon("g", 500, ["last"]),
        log.append_soon("g", 500, ["stale"]),
        log.append_soon("g", 501, ["on"]),
    ]
    assert [_conflicts(future) for future in soon] == [False, True, False], "a conflict does not stop other appends"
    assert log.read("g", 500) == ["last", "on"], "a conflict does not stop other appends"


def _lists(log: EventLog[str]) -> None:
    assert log.games() == [], "a new log holds no game"
    for game in ("B-2", "A-1", "B-10", "b-3", "B_4", "B%5"):
        log.append(game, 0, ["x"])
    log.append("B-2", 1, ["x"])
    assert log.games() == ["B-2", "A-1", "B-10", "b-3", "B_4", "B%5"], "games are listed once each, oldest first"
    assert log.games("B-") == ["B-2", "B-10"], "games are found by the exact prefix of their names"
    assert (log.games("B_"), log.games("B%"), log.games("C")) == (["B_4"], ["B%5"], []), "no character is a wildcard"
    log.append("nothing", 0, [])
    assert _conflicts(log.append_soon("stale", 7, ["x"])), "a game's first entry is appended after 0"
    assert len(log.games()) == 6, "a game without entries is not listed"


def _stores_values(log: EventLog[str]) -> None:
    assert log.get_or_create("key", lambda: b"\x00first") == b"\x00first", "the first time, the value is created"
    assert log.get_or_create("key", lambda: b"second") == b"\x00first", "a stored value stays"
    assert log.get_or_create("other", lambda: b"") == b"", "each name has a value of its own"

    def never() -> bytes:
        raise AssertionError("a value is created only the first time")

    assert log.get_or_create("key", never) == b"\x00first", "a stored value stays"
    log.put("key", b"second")
    log.put("new", b"third")
    assert (log.get_or_create("key", never), log.get_or_create("new", never)) == (b"second", b"third"), (
        "put replaces a value"
    )
    assert log.games() == [], "a stored value is not an entry"
    assert log.get("k") == {"key": b"second"}, "values are found by the prefix of their names"
    assert log.get() == {"key": b"second", "new": b"third", "other": b""}, "without a prefix, get returns all values"


def _redacts(log: EventLog[str]) -> None:
    for game in ("g", "g-2"):
        log.append(game, 0, ["Ana", "b", "Ana", "x" * 5000])
    log.redact("g", lambda event: event.replace("Ana", "–"))
    assert log.read("g") == ["–", "b", "–", "x" * 5000], "a redacted entry replaces the one before it"
    assert log.read("g-2")[0] == "Ana", "only the named game is redacted"
    assert log.append("g", 4, ["Ana"]) == 5, "a redacted game continues after its last number"

    def fails(event: str) -> str:
        return "lost" if event == "–" else event[9999]

    with suppress(IndexError):
        log.redact("g", fails)
    assert log.read("g") == ["–", "b", "–", "x" * 5000, "Ana"], "a change that fails changes nothing"
    assert log.purge() is True, "while no other program reads, a purge leaves nothing behind"
    log.check()
    log.redact("none", str.upper)
    assert log.games() == ["g", "g-2"], "redacting a game without entries creates none"


def _deletes_prefix(log: EventLog[str]) -> None:
    for name in ("key-1", "key-2", "ke", "kez"):
        log.get_or_create(name, lambda: b"old")
    counts = [log.delete_prefix("key-") for _ in range(2)]
    kept = [log.get_or_create(name, lambda: b"new") for name in ("key-1", "key-2", "ke", "kez")]
    assert kept == [b"new", b"new", b"old", b"old"], "values with the prefix are deleted, and no others"
    assert counts == [2, 0], "a value is deleted once, and counted"


def _one_writer_wins(log: EventLog[str]) -> None:
    """Several threads append after the same number, and only one may succeed."""
    for after in range(ROUNDS):
        start = Barrier(WRITERS)

        def race(me: int, after: int = after, start: Barrier = start) -> str | None:
            start.wait(TIMEOUT_S)
            return None if _conflicts(log.append_soon("g", after, [f"{after}.{me}"])) else f"{after}.{me}"

        with ThreadPoolExecutor(WRITERS) as racers:
            winners = [winner for winner in racers.map(race, range(WRITERS)) if winner]
        assert len(winners) == 1, f"of {WRITERS} appends after {after} one succeeds, not {len(winners)}"
        assert log.read("g", after) == winners, "read returns the entries of the append that succeeded"


def _closes(log: EventLog[str]) -> None:
    soon = [log.append_soon("last", number, [str(number)]) for number in range(100)]
    log.close()
    assert all(future.done() for future in soon), "close waits for the appends under way"
    assert [future.result() for future in soon] == list(range(1, 101)), "appends under way at the close are stored"


def _recovers(log: EventLog[str], unwritable: MakeUnwritable) -> None:
    log.append("g", 0, ["a"])
    with unwritable(log):
        failed = [log.append_soon(*asked).exception(TIMEOUT_S) for asked in (("g", 1, ["b", "c"]), ("new", 0, ["x"]))]
        assert all(isinstance(error, LogError) for error in failed), (
            "an append that cannot be stored fails with LogError"
        )
        assert not any(isinstance(error, Conflict) for error in failed), (
            "it is not a conflict if no other append succeeded"
        )
        assert (log.read("g"), log.games()) == (["a"], ["g"]), "a failed append leaves nothing behind"
    assert log.append("g", 1, ["b"]) == 2, "when it can store again, the log continues after its last entry"
    assert (log.append("new", 0, ["x"]), log.read("g")) == (1, ["a", "b"]), "a failed append leaves nothing behind"


def _conflicts(future: Future[int]) -> bool:
    """Whether an append was refused because of its number."""
    error: Any = future.exception(TIMEOUT_S)
    assert error is None or isinstance(error, Conflict), f"an append is refused with Conflict, not with {error!r}"
    return error is not None
