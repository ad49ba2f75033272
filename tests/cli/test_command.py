"""The command: a mistake is answered with a sentence and a code, never with a traceback."""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ratscrew import __version__, cli
from ratscrew.cli.server import serving
from ratscrew.cli.storage import data_lock
from ratscrew.errors import RatscrewError
from ratscrew.web.http.static_files import StaticFiles


def run(
    *words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, page: Path | None = None
) -> tuple[int, str, str]:
    """Run the command in this process: exit code, standard output and standard error."""
    monkeypatch.setattr(sys, "argv", ["ratscrew", *words])
    if page:
        monkeypatch.setattr(serving, "StaticFiles", lambda **options: StaticFiles(page, **options))
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built client."""
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text("the page")
    return tmp_path / "page"


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--version", capsys=capsys, monkeypatch=monkeypatch) == (0, f"ratscrew {__version__}\n", "")


def test_the_installed_command_is_this_one() -> None:
    command = Path(sys.executable).with_name("ratscrew")
    if not command.exists():
        pytest.skip(f"{command} is not there: the package is used without being installed")
    answer = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, f"ratscrew {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["watch", "--players", "9"], "--players': Input should be less than or equal to 8"),
        (["watch", "--players", "1"], "--players': Input should be greater than or equal to 2"),
        (["watch", "--strength", "x"], "bots of strength 'x': there are gentle, steady, sharp, bes, "),
        (["watch", "--preset", "x"], "there is no preset 'x'; there are classic"),
        (["watch", "--preset", "1;classic;turn"], "'turn': a choice is written option=value"),
        (["watch", "--preset", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["watch", "--preset", "beggar", "--players", "3"], "3 players"),
        (["rules", "x"], "there is no preset 'x'; there are classic"),
        (["rules", "1;classic;colour=1"], "colour: there is no such option"),
        (["rules", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["rules", "wiki", "--against", "x"], "there is no preset 'x'; there are classic"),
        (["rules", "wiki", "blog"], "unexpected extra argument"),
        (["census", "--preset", "x"], "there is no preset 'x'; there are classic"),
        (["referee"], "Missing argument"),
        (["watch", "--seed", "x"], "--seed'"),
        (["serve", "--port", "70000"], "--port'"),
        (["dance"], "No such command 'dance'"),
        (["--dance"], "No such option: --dance"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_reported_in_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run(*words, capsys=capsys, monkeypatch=monkeypatch)
    complaints = [line for line in err.splitlines() if sentence in line]
    assert (code in (1, 2), out, len(complaints)) == (True, "", 1), err
    assert "Traceback" not in err


def test_a_mistake_is_reported_without_a_traceback_by_the_process_itself() -> None:
    command = [sys.executable, "-c", "from ratscrew.cli import main; main()", "watch", "--strength", "x"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.startswith("ratscrew: bots of strength 'x': there are gentle, steady, sharp, bes, ")
    assert answer.stderr.count("\n") == 1


# Houses and worked examples


def test_the_rules_of_a_house_are_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, err = run("rules", "wiki", capsys=capsys, monkeypatch=monkeypatch)
    assert (code, err) == (0, "")
    assert out.startswith("Sandwich Shop rules\n\nCards\n")


def test_without_a_name_they_are_those_of_classic(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = run("rules", capsys=capsys, monkeypatch=monkeypatch)
    assert (code, out.splitlines()[0]) == (0, "Classic rules")


def test_only_the_text_of_a_link_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = "1;wiki;turn_ms=5000"
    assert run("rules", own, "--link", capsys=capsys, monkeypatch=monkeypatch) == (0, f"{own}\n", "")


def test_a_house_is_compared_with_another(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("rules", "1;wiki;slaps.hoagie=off", "--against", "wiki")
    code, out, err = run(*words, capsys=capsys, monkeypatch=monkeypatch)
    assert (code, out, err) == (0, "Like wiki, but:\n  Hoagie: doesn't count.\n", "")


def test_the_census_of_a_house_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A double: 52 cards, each with 3 of its rank, of 52 times 51 windows of two."""
    words = ("census", "--preset", "classic", "--json")
    code, out, err = run(*words, capsys=capsys, monkeypatch=monkeypatch)
    assert (code, err) == (0, "")
    assert json.loads(out)["patterns"]["double"] == [52 * 3, 52 * 51]


@pytest.mark.parametrize(
    ("text", "code", "last"),
    [
        ("[]", 0, "0 passed, 0 failed"),
        ('[{"id": "x"}]', 2, "0 passed, 1 failed"),
        ("Dear Ana", 2, "0 passed, 0 failed"),
    ],
)
def test_the_referee_says_by_its_code_whether_all_is_well(
    text: str,
    code: int,
    last: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "some.json").write_text(text)
    found, out, err = run("referee", str(tmp_path / "some.json"), capsys=capsys, monkeypatch=monkeypatch)
    assert (found, out.splitlines()[-1], err) == (code, last, "")


def test_the_referee_says_by_its_code_that_an_example_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An example that holds, and the same with the contrary expected."""
    examples = json.loads((Path(__file__).parents[1] / "golden" / "vectors.json").read_text())["vectors"]
    right = next(some for some in examples if "slappable" in some["expect"])
    wrong = right | {"expect": right["expect"] | {"slappable": not right["expect"]["slappable"]}}
    for expected, example in enumerate((right, wrong)):
        (tmp_path / "some.json").write_text(json.dumps([example]))
        code, out, err = run("referee", str(tmp_path / "some.json"), capsys=capsys, monkeypatch=monkeypatch)
        assert (code, out.splitlines()[-1], err) == (expected, f"{1 - expected} passed, {expected} failed", "")


# Serving


@pytest.mark.parametrize(("words", "level"), [([], "full"), (["--durability", "process"], "process")])
@pytest.mark.parametrize("command", ["serve", "play"])
def test_a_server_keeps_what_it_tells_as_well_as_it_was_asked_to(
    command: str,
    words: list[str],
    level: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server's log is opened so, and then it has seen enough."""
    opened: list[object] = []

    def no_log(*asked: object) -> None:
        opened.extend(asked)
        raise RatscrewError("seen")

    (tmp_path / "index.html").write_text("the page")
    monkeypatch.setattr(data_lock, "SqliteLog", no_log)
    words = [command, "--data", str(tmp_path), *words]
    assert run(*words, page=tmp_path, capsys=capsys, monkeypatch=monkeypatch) == (1, "", "ratscrew: seen\n")
    assert (opened[0], opened[-1]) == (tmp_path / "ratscrew.sqlite3", level)


def test_without_the_built_page_the_error_says_how_to_build_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, err = run("serve", "--port", "0", page=tmp_path, capsys=capsys, monkeypatch=monkeypatch)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "the browser client is not built: run `make install`" in err


def test_a_port_in_use_is_named_with_what_to_do(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        code, out, err = run(
            "serve", "--port", port, "--data", str(tmp_path), page=page, capsys=capsys, monkeypatch=monkeypatch
        )
    assert (code, out) == (1, "")
    assert err == (
        f"ratscrew: port {port} is in use: stop what uses it, or choose another with --port (0 takes any free one)\n"
    )


def test_a_host_that_is_not_this_machine_is_named(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("serve", "--host", "203.0.113.7", "--port", "0", "--data", str(tmp_path))
    code, out, err = run(*words, page=page, capsys=capsys, monkeypatch=monkeypatch)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "cannot listen on 203.0.113.7, port 0" in err
    assert "--host" in err


def text_file(folder: Path) -> Path:
    """A file that is no database."""
    (folder / "letter.txt").write_text("Dear Ana, " * 100)
    return folder / "letter.txt"


def under_a_file(folder: Path) -> Path:
    """A place where no folder can be."""
    return text_file(folder) / "games" / "log.sqlite3"


def newer_file(folder: Path) -> Path:
    """A file of a Ratscrew that is not written yet."""
    with closing(sqlite3.connect(folder / "games.sqlite3")) as database:
        database.executescript("CREATE TABLE game (id INTEGER PRIMARY KEY); PRAGMA user_version = 1000")
    return folder / "games.sqlite3"


@pytest.mark.parametrize("make", [text_file, under_a_file, newer_file])
def test_data_that_cannot_be_used_is_named(
    make: Callable[[Path], Path],
    page: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = make(tmp_path)
    code, out, err = run("serve", "--port", "0", "--data", str(path), page=page, capsys=capsys, monkeypatch=monkeypatch)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith((f"ratscrew: {path} cannot be used as the log: ", f"ratscrew: {path} was written by a newer"))
