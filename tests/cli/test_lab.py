"""`ratscrew lab`: its output and files, errors in a sentence, and commands that do not need its packages."""

from __future__ import annotations

import errno
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from ratscrew.cli.study import sweeps
from ratscrew.lab.experiment import Experiment
from ratscrew.lab.sweep import read
from ratscrew.lab.tally import Tally
from tests.cli.sample_room import Run

PACKAGES = ("distributed", "jinja2", "matplotlib", "numba", "numpy", "openskill", "polars", "scipy", "statsmodels")
SMALL = ("--bots", "sharp,steady", "--games", "10", "--threads", "1")
EXAMPLE = Path(__file__).parents[2] / "examples" / "penalties.toml"


def asked(run: Run, *words: str | Path) -> str:
    """What the command prints, when all goes well."""
    code, out, err = run("lab", *words)
    assert (code, err) == (0, "")
    return out


# Runs and comparisons


def test_a_run_is_printed_as_figures_with_their_bounds(run: Run) -> None:
    first, way, *rest = asked(run, "run", *SMALL, "--seed", "4").splitlines()
    assert first == "classic, 2 players: sharp, steady, 10 games, seed 4"
    assert way.startswith("played by the ")
    seats = [line.split() for line in rest if line.startswith(("0 ", "1 "))]
    assert [seat[:2] for seat in seats] == [["0", "sharp"], ["1", "steady"]]
    assert any(line.startswith("cards turned per game  ") and " and " in line for line in rest)


def test_a_run_as_json_is_one_object_with_its_figures(run: Run) -> None:
    told = json.loads(asked(run, "run", *SMALL, "--json"))
    assert {"games", "games_per_second", "mean_cards", "mean_tricks", "wins", "never_ended"} <= told.keys()
    assert (told["games"], sum(told["wins"]) + told["never_ended"]) == (10, 10)
    assert told["command"] == "ratscrew lab run --bots sharp,steady --games 10 --threads 1 --json"


def test_wins_are_played_until_they_are_known_as_well_as_was_asked(run: Run) -> None:
    words = ("--bots", "sharp,steady", "--games", "1000", "--threads", "1")
    first, *_, last = asked(run, "run", *words, "--precision", "20").splitlines()
    assert first == "classic, 2 players: sharp, steady, 1,000 games, seed 1"
    assert last.startswith("Wins are known to ")
    assert last.endswith(" percent on either side. Intervals hold however often one looks.")
    *_, last = asked(run, "compare", *words, "--against", "wiki", "--precision", "0.01").splitlines()
    assert "on either side, not to 0.01, after the most games." in last


def test_the_engine_finds_the_same_figures(run: Run) -> None:
    found = [json.loads(asked(run, "run", *SMALL, "--json", *engine)) for engine in ((), ("--engine",))]
    assert found[1]["backend"] == "engine"
    assert found[0]["rates"] == found[1]["rates"]


def test_two_houses_are_compared_by_the_same_shuffles(run: Run) -> None:
    out = asked(run, "compare", *SMALL, "--against", "1;classic;wrong_slap.count=3").splitlines()
    assert out[:2] == [
        "A: classic, 2 players: sharp, steady",
        "B: classic (1;classic;wrong_slap.count=3), 2 players: sharp, steady",
    ]
    assert any(line.startswith("cards turned per game  ") for line in out)


def test_two_lineups_are_compared(run: Run) -> None:
    told = json.loads(asked(run, "compare", *SMALL, "--others", "gentle,steady", "--json"))
    assert [told[whose]["bots"] for whose in ("ours", "theirs")] == [["sharp", "steady"], ["gentle", "steady"]]
    wins = next(each for each in told["figures"] if each["name"] == "wins.0")
    assert wins["difference"]["value"] < 0


def test_nobody_sees_a_bar_where_there_is_no_terminal(run: Run) -> None:
    assert "\r" not in asked(run, "run", *SMALL)


def test_a_terminal_sees_how_far_the_games_are() -> None:
    above, below = pty.openpty()
    command = [sys.executable, "-c", "from ratscrew.cli import main; main()", "lab", "run", *SMALL]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=below, env=environment) as started:
        os.close(below)
        shown = "".join(read_to_end(above))
    os.close(above)
    assert started.returncode == 0
    assert "10/10" in shown


def read_to_end(terminal: int) -> Iterator[str]:
    """What is written to a pseudo-terminal, until every program has closed its other end: Linux then says EIO."""
    while True:
        try:
            yield os.read(terminal, 100_000).decode()
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return


def test_a_comparison_names_the_figures_that_differ_after_the_correction(run: Run) -> None:
    words = ("compare", "--bots", "sharp,steady", "--others", "gentle,steady", "--games", "100", "--threads", "1")
    out = asked(run, *words).splitlines()
    (found,) = (line for line in out if line.startswith("Different (p below 0.05 after Holm's correction for "))
    assert "games won, seat 0" in found
    assert any("however often you look" in line for line in out)
    same = asked(run, *words[:3], *words[5:]).splitlines()
    assert any(line.endswith("none detected") for line in same)


def test_a_sweep_with_a_failed_cell_goes_on_and_ends_with_its_error(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one_fails(executor: object, experiments: list[Experiment]) -> Iterator[tuple[Experiment, Tally | Exception]]:
        for each in experiments:
            yield each, ValueError("bad luck") if each.seed == 1 else Tally(games=2, cards=9)

    monkeypatch.setattr(sweeps, "play_all", one_fails)
    grid, out = tmp_path / "grid.toml", tmp_path / "some.csv"
    grid.write_text("players = 2\ngames = 2\n[grid]\nseed = [1, 2]")
    code, _, err = run("lab", "sweep", grid, "--out", out, "--threads", "1")
    assert (code, len(read(out))) == (1, 2)
    assert f"1 cells of {out} failed, see the column error: ValueError('bad luck')" in err


# Sweeps, pictures and pages


def test_the_example_is_swept_and_not_played_twice(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid, out = tmp_path / "grid.toml", tmp_path / "penalties.csv"
    grid.write_text(EXAMPLE.read_text().replace("games = 40", "games = 2"))
    assert asked(run, "sweep", grid, "--out", out, "--threads", "2") == f"{out} holds 6 cells, 6 of them new\n"
    assert asked(run, "sweep", grid, "--out", out, "--threads", "1") == f"{out} holds 6 cells, 0 of them new\n"
    assert read(out)["wrong_slap.count"].to_list() == [1, 1, 2, 2, 4, 4]


def test_a_run_and_a_sweep_are_drawn_and_written_as_pages(run: Run, tmp_path: Path) -> None:
    grid, table, single = tmp_path / "grid.toml", tmp_path / "some.parquet", tmp_path / "run.json"
    grid.write_text("players = 2\ngames = 2\n[grid]\nseed = [1, 2]")
    asked(run, "sweep", grid, "--out", table, "--threads", "1")
    single.write_text(asked(run, "run", *SMALL, "--json"))
    for study, figure in ((table, "cards"), (single, "lengths")):
        picture, page = study.with_suffix(".svg"), study.with_suffix(".html")
        assert asked(run, "plot", study, "--figure", figure, "--out", picture) == f"{picture} is written\n"
        assert asked(run, "report", study, "--out", page) == f"{page} is written\n"
        assert picture.read_text().startswith("<svg")
        assert page.read_text().startswith("<!doctype html>")


# Mistakes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "--bots", "cheops"], "bots of strength 'cheops': there are gentle, steady, sharp"),
        (["run", "--bots", "steady:wit=1"], "unknown trait; known are mu_us"),
        (["run", "--bots", "sharp,sharp,sharp", "--players", "2"], "3 bots are named for 2 players"),
        (["run", "--players", "9"], "9 players: these rules are for 2 to 8"),
        (["run", "--preset", "beggar", "--players", "3"], "3 players: these rules are for 2 to 2"),
        (["run", "--preset", "x"], "there is no preset 'x'"),
        (["run", "--preset", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["run", "--games", "1"], "--games'"),
        (["compare", "--games", "5"], "5 games: 10 at least are compared"),
        (["sweep", "nowhere.toml", "--out", "a.csv"], "nowhere.toml cannot be read: No such file or directory"),
        (["sweep", "grid.toml"], "Missing option '--out'"),
        (["sweep", "grid.toml", "--out", "a.txt"], "a.txt: a table must be a file of type .parquet or .csv"),
        (["sweep", "grid.toml", "--out", "no/a.csv"], "no/a.csv cannot be written: "),
        (["sweep", "empty.toml", "--out", "a.csv"], "empty.toml: it has no axis"),
        (["sweep", "grid.toml", "--out", "a.csv", "--scheduler", "local:x"], "local:x: give the number of workers"),
        (["run", "--scheduler", "local:x"], "local:x: give the number of workers"),
        (["compare", "--scheduler", "local:x"], "local:x: give the number of workers"),
        (["plot", "run.json", "--out", "a.png"], "run.json cannot be read: No such file or directory"),
        (["plot", "empty.json", "--out", "a.png"], "empty.json is no run, as `ratscrew lab run --json` prints it"),
        (["plot", "some.csv", "--out", "a.gif"], "a.gif: a picture must be a file of type .png or .svg"),
        (["plot", "some.csv", "--out", "a.png", "--figure", "luck"], "luck: there is no such figure; there are cards"),
        (["report", "no.parquet", "--out", "a.html"], "no.parquet cannot be read"),
        (["report", "some.csv", "--out", "a.txt"], "a.txt: a page is written as .html"),
        (["report", "some.csv", "--out", "no/a.html"], "no/a.html cannot be written: No such file or directory"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_mistake_is_reported_in_one_sentence(
    words: list[str], says: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.toml").write_text("players = 2\ngames = 2\n[grid]\nseed = [1]")
    Path("empty.toml").write_text("games = 2")
    Path("empty.json").write_text("{}")
    Path("some.csv").write_text("seed,house,lineup,games,cards\n1,1;classic,a,2,9.5\n")
    code, out, err = run("lab", *words)
    complaints = [line for line in err.splitlines() if says in line]
    assert (code in (1, 2), out, len(complaints)) == (True, "", 1), err
    assert "Traceback" not in err


# Without the packages


def alone(words: list[str], before: str = "", after: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with something done before it and after."""
    program = f"""
import sys
PACKAGES = {PACKAGES}
{before}
from ratscrew import cli
sys.argv = ["ratscrew", *{words}]
try:
    cli.main()
finally:
    {after or "pass"}
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "words", [["sweep", "a.toml", "--out", "a.csv"], ["plot", "a.csv", "--out", "a.png"]], ids=lambda words: words[0]
)
def test_where_packages_are_missing_it_is_said_how_they_are_installed(words: list[str]) -> None:
    done = alone(["lab", *words], before="sys.modules.update(dict.fromkeys(PACKAGES))")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ratscrew: the lab needs packages that are not installed (")
    assert done.stderr.endswith('): `make lab`, or pip install "ratscrew[lab]"\n')


@pytest.mark.parametrize("words", [["rules"], ["watch", "--players", "2"], ["lab", "run", "--help"]], ids=" ".join)
def test_a_command_without_figures_loads_none_of_the_packages(words: list[str]) -> None:
    done = alone(words, after='print("loaded", sorted(set(PACKAGES) & set(sys.modules)))')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_games_are_written_one_row_each(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    assert "holds 12 games" in asked(run, "games", "--out", out, "--bots", "sharp,steady", "--games", "12")
    assert pl.read_parquet(out)["game"].to_list() == list(range(12))
    code, _, err = run("lab", "games", "--out", tmp_path / "games.csv", "--games", "12")
    assert (code, "must be a file of type .parquet" in err) == (1, True)
