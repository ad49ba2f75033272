"""The signs of a room's players in the terminal: in plain words, and without a verdict."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec.structs import replace

from ratscrew.table.record.entries import Judged, LateSlap, Measured, Proof, Recorded, Sat, SlapRecord
from tests.cli.sample_room import ROOM, Run, write

MACHINE = Proof(
    210_000, 40_000, 180_000, 25_000, 50_000, 10_000, lag_us=1_000, app_us=40_000, kernel_us=39_000, paint_us=0
)
"""190 by the server's clock, 180 by the page's own: an excess of 10, 9 more than of the heartbeats."""

MACHINE_AT_500 = replace(MACHINE, arrived_us=530_000, pressed_us=500_000)


def played(file: Path, game: int, slaps: int, pattern: str = "double", wrong: int = 0) -> None:
    """A game of Ana, who slaps like a machine, with a bot."""
    hit = SlapRecord(0, 180_000, MACHINE)
    events: list[Recorded] = [Sat(0, "Ana"), Sat(1, "Bo", "sharp")]
    events += [Judged(number, pattern, (hit, SlapRecord(1, 300_000))) for number in range(slaps)]
    events += [Measured(number, hit) for number in range(wrong)]
    write(file, f"{ROOM}-{game}", *events)


def row(told: str, name: str) -> str:
    """The line of a figure, one blank between its words."""
    (line,) = [line for line in told.splitlines() if line.strip().startswith(name)]
    return " ".join(line.split())


def test_the_slaps_of_all_games_of_a_room_count(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.sqlite3"
    played(file, 1, 30)
    played(file, 2, 25, wrong=5)
    write(file, "LION-2f-1", Sat(0, "Cy"), Judged(1, "double", (SlapRecord(0, 300_000),)))
    code, out, err = run("suspicion", "wolf", "--data", file)
    assert (code, err, out.splitlines()[0]) == (0, "", f"{ROOM}, games: 2")
    assert "Ana, slaps: 60" in out.splitlines()
    assert row(out, "median reaction") == (
        "median reaction 180.0 ms odd below 240.0 ms a reason to look: people recognise nothing so fast "
        "(at most 180.0 ms, 55 slaps)"
    )
    assert row(out, "reactions under").startswith("reactions under 200 ms 100.0 % odd over 8.0 % a reason to look")
    assert row(out, "slaps behind").startswith("slaps behind heartbeats 9.0 ms odd over 8.0 ms a reason to look")
    assert row(out, "answers") == "answers behind packets 1.0 ms odd over 10.0 ms nothing odd (60 slaps)"
    assert row(out, "good slaps").endswith("0.0 ms odd over 3.0 ms not enough slaps yet (5 of 8)")
    assert row(out, "wrong slaps") == "wrong slaps 8.3 % odd over 50.0 % nothing odd (60 slaps)"


def test_few_slaps_are_not_enough_and_a_few_more_are_perhaps_chance(tmp_path: Path, run: Run) -> None:
    """10 slaps have no bounds of a median. Of 19, of which 10 took 180 ms and 9 took 500, the upper bound is 500."""
    file = tmp_path / "games.sqlite3"
    played(file, 1, 10)
    assert row(run("suspicion", "wolf", "--data", file)[1], "median").endswith("not enough slaps yet (10 of 11)")
    slow = SlapRecord(0, 500_000, MACHINE_AT_500)
    write(file, f"{ROOM}-2", Sat(0, "Ana"), *[Judged(number, "double", (slow,)) for number in range(9)])
    out = run("suspicion", "wolf", "--data", file)[1]
    assert row(out, "median").endswith("past the limit, but perhaps by chance (19 slaps)")


def test_a_late_slap_counts_as_a_reaction(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.sqlite3"
    late = LateSlap(1, SlapRecord(0, 500_000, MACHINE_AT_500))
    write(file, f"{ROOM}-1", Sat(0, "Ana"), Sat(1, "Bo", "sharp"), Judged(1, "double", (SlapRecord(1, 300_000),)), late)
    out = run("suspicion", "wolf", "--data", file)[1]
    assert "Ana, slaps: 1" in out.splitlines()
    assert row(out, "median").startswith("median reaction 500.0 ms")


def test_it_says_that_this_is_no_proof_and_that_nothing_follows(tmp_path: Path, run: Run) -> None:
    played(tmp_path / "games.sqlite3", 1, 1)
    last = run("suspicion", "wolf", "--data", tmp_path / "games.sqlite3")[1].splitlines()[-1]
    assert "A reason to look closer is never proof" in last
    assert "Nothing is done automatically" in last


def test_bots_are_not_looked_at(tmp_path: Path, run: Run) -> None:
    played(tmp_path / "games.sqlite3", 1, 60)
    assert "Bo," not in run("suspicion", "wolf", "--data", tmp_path / "games.sqlite3")[1]


def test_where_nobody_judges_what_is_right_a_slap_says_nothing(tmp_path: Path, run: Run) -> None:
    played(tmp_path / "games.sqlite3", 1, 60, pattern="")
    assert "Ana, slaps: 0" in run("suspicion", "wolf", "--data", tmp_path / "games.sqlite3")[1]


def test_the_figures_are_printed_as_json(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "games.sqlite3"
    played(file, 1, 50)
    code, out, _ = run("suspicion", "wolf", "--json", "--data", file)
    told = json.loads(out)
    (ana,) = told["players"]
    assert (code, told["room"], told["games"]) == (0, ROOM, [f"{ROOM}-1"])
    assert (ana["player_id"], ana["name"], ana["slaps"]) == (0, "Ana", 50)
    (median,) = [sign for sign in ana["signs"] if sign["name"] == "median reaction"]
    shown = ("figure", "limit", "below", "slaps", "min_slaps", "unit", "enough", "flagged")
    assert {name: median[name] for name in shown} == {
        "figure": 180_000,
        "limit": 240_000,
        "below": True,
        "slaps": 50,
        "min_slaps": 11,
        "unit": "us",
        "enough": True,
        "flagged": True,
    }
