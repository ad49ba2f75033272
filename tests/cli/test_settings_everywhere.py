"""Every command finds the games by the same settings, and says in one sentence why it cannot open them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from ratscrew import cli
from ratscrew.cli.config import OTHER_VARIABLES
from ratscrew.errors import LogError
from ratscrew.log.paths import default_file
from tests.cli.sample_room import ROOM, Run


def commands_with(option: str, group: Any = None, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command that takes an option, with a value for whatever else it needs."""
    root: Any = group or typer.main.get_command(cli.app)
    for name, command in root.commands.items():
        words = (*before, name)
        if option in {param.name for param in command.params}:
            needed = [param for param in command.params if param.required and param.name != "log"]
            given = [word for param in needed for word in ([param.opts[0], "X"] if param.opts[0][0] == "-" else ["X"])]
            yield (*words, *given)
        if hasattr(command, "commands"):
            yield from commands_with(option, command, words)


WITH_DATA = [words for words in commands_with("data") if words[0] not in ("serve", "play", "copy", "import")]
"""All but those that start a server, need a database too, or read other files first."""
DATABASE = "postgresql://nobody@/nothing?host=/no/such/folder"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of these tests sets nothing of its own."""
    for name in [name for name in os.environ if name.startswith("RATSCREW_") and name not in OTHER_VARIABLES]:
        monkeypatch.delenv(name)


def test_all_commands_that_open_games_are_looked_at() -> None:
    assert {words[0] for words in WITH_DATA} >= {"replay", "verify", "suspicion", "export", "backup", "forget", "bans"}
    assert len(WITH_DATA) >= 15


@pytest.mark.parametrize("words", WITH_DATA, ids=" ".join)
def test_a_folder_that_may_not_be_entered_is_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    closed = tmp_path / "closed"
    real = Path.is_dir

    def is_dir(path: Path, **options: Any) -> bool:  # root may enter each folder, so this stands for the system
        if path == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, **options)

    monkeypatch.setattr(Path, "is_dir", is_dir)
    code, out, err = run(*words, "--data", closed)
    advice = "run the command as the user who owns it, for instance with sudo"
    assert (code, out, err) == (1, "", f"ratscrew: {closed}: Permission denied; {advice}\n")


@pytest.mark.parametrize("words", WITH_DATA, ids=" ".join)
def test_every_command_reads_the_file_of_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("RATSCREW_DATA", ":memory:")  # refused wherever it is used, and nothing is created
    assert run(*words)[::2] == (1, "ratscrew: :memory:: games are kept in a file; name one with --data\n")


@pytest.mark.parametrize("words", [words for words in commands_with("log") if words != ("serve",)], ids=" ".join)
def test_every_command_reads_the_database_of_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("RATSCREW_LOG", "nonsense://")
    code, _, err = run(*words)
    assert code != 0
    assert "--log" in err
    assert "Missing" not in err


def test_flags_come_before_the_environment_that_before_the_configuration(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = tmp_path / "server.toml"
    settings.write_text(f'port = 9000\ndata = "{file}"\n')
    assert run("replay", ROOM, "--config", settings)[0] == 0
    monkeypatch.setenv("RATSCREW_CONFIG", str(settings))
    assert run("replay", ROOM)[0] == 0
    monkeypatch.setenv("RATSCREW_LOG", DATABASE)
    assert run("replay", ROOM)[0] == 1
    assert run("replay", ROOM, "--data", file)[0] == 0
    code, _, err = run("replay", ROOM, "--data", file, "--log", DATABASE)
    assert (code, err) == (1, "ratscrew: --data names a file and --log a database: leave one of them away\n")


def test_a_wrong_key_of_the_configuration_is_an_error_of_each_command(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "server.toml"
    settings.write_text("prot = 9000\n")
    code, _, err = run("replay", ROOM, "--config", settings)
    assert (code, err) == (1, f"ratscrew: prot in {settings}: there is no such setting; did you mean port?\n")


def test_a_configuration_may_begin_with_a_byte_order_mark(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "server.toml"
    settings.write_bytes(b"\xef\xbb\xbfport = 9000\n")
    code, out, _ = run("serve", "--config", settings, "--show-config")
    assert code == 0
    assert "port = 9000" in out


def test_the_home_folder_is_found_where_the_shell_does_not_replace_it(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(file.parent))
    assert run("replay", ROOM, f"--data=~/{file.name}")[0] == 0
    monkeypatch.setenv("RATSCREW_DATA", f"~/{file.name}")
    assert run("replay", ROOM)[0] == 0
    monkeypatch.delenv("RATSCREW_DATA")
    code, _, err = run("replay", ROOM, "--data=~no-such-user/games")
    assert code == 2
    assert "this system knows no such home folder; write the whole path" in " ".join(err.split())


def test_a_user_without_a_home_folder_has_to_name_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(name: str) -> Path:
        raise RuntimeError("Could not determine home directory.")  # as pathlib says it without HOME and passwd entry

    monkeypatch.setattr("ratscrew.log.paths.user_data_path", no_home)
    with pytest.raises(LogError, match="has no home folder to keep games in: name a file with --data"):
        default_file()


def test_cards_are_shown_by_letters_where_the_terminal_has_no_suits() -> None:
    """Latin-1 has none of the suits, and neither has the locale C of a bare system."""
    command = [sys.executable, "-m", "ratscrew", "watch", "--seed", "1", "--preset", "beggar", "--players", "2"]
    done = subprocess.run(command, env={**os.environ, "PYTHONIOENCODING": "latin-1"}, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    assert " 9h " in done.stdout.decode("latin-1")


def test_the_first_process_of_a_container_ends_at_sigterm_while_it_starts() -> None:
    """The kernel ignores the signal for process 1 unless it has a handler."""
    program = (
        "import os, signal, sys, types\n"
        "ours = os.getpid()\n"
        "os.getpid = lambda: 1\n"
        "cli = types.ModuleType('ratscrew.cli')\n"
        "sys.modules['ratscrew.cli'] = cli\n"
        "def main():\n"
        "    os.kill(ours, signal.SIGTERM)\n"
        "    raise AssertionError('it went on')\n"
        "cli.main = main\n"
        "from ratscrew.__main__ import main\n"
        "main()\n"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
    assert subprocess.run([sys.executable, "-c", program.replace("lambda: 1", "lambda: 2")], timeout=60).returncode == (
        -signal.SIGTERM
    )
