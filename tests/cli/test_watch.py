"""Watching bots play: the same seed tells the same game, and every game comes to its end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from ratscrew import cli
from ratscrew.cards import PACK
from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.game.events import Dealt
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house
from ratscrew.table.record.entries import Entry, Sat, TableEvent

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


def test_without_a_seed_the_game_is_random_and_its_seed_is_printed(watch: Watch) -> None:
    game = watch("--players", "2")
    found = re.fullmatch(r"2 steady bots play classic; seed (\d+)", game.splitlines()[0])
    assert found
    assert watch("--players", "2", "--seed", found[1]) == game


def test_a_game_is_printed_card_by_card_to_its_end(watch: Watch) -> None:
    lines = watch("--seed", "6", "--players", "3").splitlines()
    assert lines[0] == "3 steady bots play classic; seed 6"
    assert re.fullmatch(r" +52 cards are dealt; \w+ leads", lines[1])
    assert re.fullmatch(r" +\w+ wins", lines[-1])
    burns = [line.split()[0] for line in lines if " burns " in line]
    assert burns
    assert [line.split()[0] for line in lines if line.endswith(" slaps wrongly")] == burns
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
    game = replay(entry.event for entry in entries if not isinstance(entry.event, TableEvent))
    assert game.winner is not None
    assert sorted(game.hands[game.winner]) == list(PACK)
    times = [entry.at_us for entry in entries]
    assert times == sorted(times)


def test_the_same_seed_is_the_same_game_with_events_and_in_words(watch: Watch) -> None:
    words = watch("--seed", "5", "--players", "2")
    events = watch("--seed", "5", "--players", "2", "--json")
    assert events.count('"e":"played"') == len(re.findall(r"^ {,4}\d+  \w+ ", words, re.MULTILINE))


# Houses


def rules_watched(watch: Watch, preset: str) -> Rules:
    """The rules of a game that is watched."""
    codec = Codec[Entry](Entry)
    entries = [
        codec.decode(line) for line in watch("--json", "--seed", "4", "--players", "2", "--preset", preset).splitlines()
    ]
    (rules,) = [entry.event.rules for entry in entries if isinstance(entry.event, Dealt)]
    return rules


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "beggar"])
def test_every_house_is_watched_to_its_end(watch: Watch, preset: str) -> None:
    lines = watch("--seed", "3", "--players", "3", "--preset", preset).splitlines()
    assert lines[0] == f"3 steady bots play {preset}; seed 3"
    assert re.fullmatch(r" +\w+ (wins( with the most cards, after [\d,]+)?|loses)|( +(a draw: .+|lost))", lines[-1])


def test_a_house_is_watched_by_its_text_or_from_a_file(watch: Watch, tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('preset = "wiki"\nturn_ms = 5000\nslaps.hoagie = false\n')
    (tmp_path / "ours.json").write_text('{"preset": "wiki", "turn_ms": 5000, "slaps": {"hoagie": false}}')
    expected = house("wiki", turn_ms=5000, slaps={"hoagie": False})
    for preset in ("1;wiki;turn_ms=5000;slaps.hoagie=off", *map(str, tmp_path.glob("ours.*"))):
        assert rules_watched(watch, preset) == expected


def test_a_file_may_have_any_name(watch: Watch, tmp_path: Path) -> None:
    """Brackets are no markup."""
    file = tmp_path / "[red]our[house.toml"
    file.write_text("")
    told = watch("--seed", "3", "--players", "2", "--preset", str(file)).replace("\n", "")
    assert told.startswith(f"2 steady bots play {file}; seed 3")


def test_a_game_that_would_go_round_in_circles_is_a_draw(watch: Watch) -> None:
    jacks_alone = "1;beggar;chances.J=2;chances.Q=off;chances.K=off;chances.A=off"
    lines = watch("--seed", "89", "--players", "2", "--preset", jacks_alone).splitlines()
    assert lines[-1].strip() == "a draw: the game would go round in circles"
