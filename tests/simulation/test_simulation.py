"""Worlds drawn from seeds: every invariant holds, each world is reproducible, and a faulty server is found."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from ratscrew.table.core import table
from ratscrew.table.record import redaction
from ratscrew.table.room.delivery import CommitQueue
from ratscrew.table.room.request_deduplicator import RequestDeduplicator
from ratscrew.table.session import game_session
from ratscrew.table.session.game_session import GameSession
from tests.simulation.story import Story, other_cards_below
from tests.simulation.world import Broken

SEEDS, FRESH, MIRRORED = 12, 6, 6
"""How many worlds of each half of the known ones are tried, how many new ones, and how many twice."""

SOON = 60
"""Within so many worlds a faulty server is found."""


def broken_invariant(seeds: Iterable[int]) -> str:
    """The first invariant that fails in one of these worlds, and how to reproduce it; empty if all hold."""
    for seed in seeds:
        try:
            Story(seed).tell()
        except Broken as broken:
            return f"{broken}: python -m tests.simulation --seed {seed} --trace"
    return ""


@pytest.mark.parametrize("half", range(2))
def test_every_law_holds_in_known_worlds(half: int) -> None:
    assert broken_invariant(range(half * SEEDS, (half + 1) * SEEDS)) == ""


def test_every_law_holds_in_worlds_that_nobody_has_seen_yet() -> None:
    first = secrets.randbelow(10**9)
    assert broken_invariant(range(first, first + FRESH)) == ""


def test_a_world_is_the_same_again_in_another_process() -> None:
    seed = 7  # rules drawn at random
    (story := Story(seed)).tell()
    command = [sys.executable, "-m", "tests.simulation", "--seed", str(seed)]
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    root = Path(__file__).parents[2]
    ended = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == f"hash {story.world.hash()}"


def test_what_nobody_has_seen_changes_nothing_that_anybody_hears_or_does() -> None:
    """Two worlds of a seed differ in what lies below the first cards; they part when the first of these is logged."""
    parted = 0
    for seed in range(MIRRORED):
        (one := Story(seed)).tell()
        with suppress(Broken):
            (other := Story(seed, other_cards_below)).tell()
        pairs = zip(one.world.trace, other.world.trace, strict=False)
        if differ := next(((mine, yours) for mine, yours in pairs if mine != yours), None):
            parted += 1
            assert {line.who for line in differ} == {"log"}, f"seed {seed}: {differ[0]} | {differ[1]}"
    assert parted > MIRRORED // 2


# A faulty server


def says_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    """The room's queue does not wait for the log."""
    put = CommitQueue.put
    patch.setattr(CommitQueue, "put", lambda queue, do, stored=None: put(queue, do))


def plays_whatever_is_sent_again(patch: pytest.MonkeyPatch) -> None:
    """A card is turned whichever card the player had seen."""
    play = GameSession.play
    patch.setattr(GameSession, "play", lambda live, seat, n, now_us: play(live, seat, live.game.n, now_us))


def does_every_wish_again(patch: pytest.MonkeyPatch) -> None:
    """A page's request is done each time that it comes."""
    patch.setattr(RequestDeduplicator, "is_new", lambda requests, page, number, player: True)


def tells_secrets(patch: pytest.MonkeyPatch) -> None:
    """Events are sent as they are logged, with the cards that lie face down."""
    patch.setattr(redaction, "REDACTIONS", {})


def forgets_changes(patch: pytest.MonkeyPatch) -> None:
    """Pages do not get what an event changes of the view."""
    patch.setattr(game_session, "changes_of", lambda *given: [{}] * len(given[1]))


def sleeps_on(patch: pytest.MonkeyPatch) -> None:
    """A restored room does not wake when a player comes."""
    patch.setattr(table, "paused", lambda seats: False)


@pytest.mark.parametrize(
    ("errs", "invariant"),
    [
        (says_before_it_is_kept, "what is not in the log is"),
        (plays_whatever_is_sent_again, "what came twice was done twice"),
        (does_every_wish_again, "what came twice was done twice"),
        (tells_secrets, "a secret is told"),
        (forgets_changes, "lead elsewhere"),
        (sleeps_on, "does not go on"),
    ],
)
def test_a_server_that_errs_is_found_out(
    errs: Callable[[pytest.MonkeyPatch], None], invariant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    errs(monkeypatch)
    assert invariant in broken_invariant(range(SOON))
