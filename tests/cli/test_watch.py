"""Watching bots play: the same seed tells the same game, and every game comes to its end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import TypeAlias

import pytest

from ratscrew import cli
from ratscrew.cards import PACK
from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.table.record import Entry, Judged, Sat

Watch: TypeAlias = Callable[..., str]


@pytest.fixture
def watch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Watch a game in this process; what is printed."""

    def run(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["ratscrew", "watch", *words])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        assert not stopped.value.code
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return run


def test_the_same_seed_tells_the_same_game_in_every_process(watch: Watch) -> None:
    """Also where Python mixes its hashes otherwise."""
    words = ("--seed", "7", "--players", "3")
    command = [sys.executable, "-c", "from ratscrew.cli import main; main()", "watch", *words]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "200"})
        for seed in ("1", "2")
    ]
    first, second = (process.communicate(timeout=60)[0].decode() for process in processes)
    assert first == second == watch(*words)
    assert [process.returncode for process in processes] == [0, 0]


def test_another_seed_tells_another_game(watch: Watch) -> None:
    one, other = (watch("--seed", seed, "--players", "2").splitlines() for seed in ("7", "8"))
    assert one[1:] != other[1:]


def test_without_a_seed_the_game_is_any_and_its_seed_is_told(watch: Watch) -> None:
    game = watch("--players", "2")
    found = re.fullmatch(r"2 steady bots play classic; seed (\d+)", game.splitlines()[0])
    assert found
    assert watch("--players", "2", "--seed", found[1]) == game


def test_a_game_is_told_card_by_card_to_its_end(watch: Watch) -> None:
    lines = watch("--seed", "7", "--players", "3").splitlines()
    assert lines[0] == "3 steady bots play classic; seed 7"
    assert re.fullmatch(r" +52 cards are dealt; \w+ leads", lines[1])
    assert re.fullmatch(r" +\w+ has every card and wins", lines[-1])
    turned = [int(found[1]) for line in lines if (found := re.match(r" {,4}(\d+)  \w+", line))]
    assert turned == list(range(1, len(turned) + 1))
    assert "Traceback" not in "".join(lines)


@pytest.mark.parametrize(("seed", "players", "strength"), [(1, 2, "sharp"), (2, 4, "gentle"), (3, 8, "steady")])
def test_the_events_of_a_game_are_one_a_line_and_replay_to_its_end(
    watch: Watch, seed: int, players: int, strength: str
) -> None:
    codec = Codec[Entry](Entry)
    lines = watch("--json", "--seed", str(seed), "--players", str(players), "--strength", strength).splitlines()
    entries = [codec.decode(line) for line in lines]
    seats = [entry.event for entry in entries if isinstance(entry.event, Sat)]
    assert [(seat.seat, seat.bot) for seat in seats] == [(number, strength) for number in range(players)]
    game = replay(entry.event for entry in entries if not isinstance(entry.event, Sat | Judged))
    assert game.winner is not None
    assert sorted(game.hands[game.winner]) == list(PACK)
    times = [entry.at_us for entry in entries]
    assert times == sorted(times)


def test_the_same_seed_is_the_same_game_with_events_and_in_words(watch: Watch) -> None:
    words = watch("--seed", "5", "--players", "2")
    events = watch("--seed", "5", "--players", "2", "--json")
    assert events.count('"e":"played"') == len(re.findall(r"^ {,4}\d+  \w+ ", words, re.MULTILINE))
