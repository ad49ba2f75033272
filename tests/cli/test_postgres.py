"""The commands on a log in PostgreSQL: they work as on a file, and no output contains a password."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
import typer.main

from ratscrew import cli
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.event_log import PostgresLog
from ratscrew.log.postgres.lock import lock_log
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.history.import_export import entries_of, name_of
from ratscrew.table.record.entries import Entry
from ratscrew.testing.postgres_server import PostgresServer
from tests.cli import process
from tests.cli.process import end, get, said, serving, starting
from tests.cli.sample_room import GAME, ROOM, Run
from tests.table.test_import_export import SHORT

SECRET = "hidden-password"
AWAY = f"postgresql://me:{SECRET}@127.0.0.1:1/games"
ENTRY = Codec[Entry](Entry)


@pytest.fixture
def address(postgres_server: PostgresServer) -> PostgresAddress:
    """A log without games."""
    return postgres_server.create_log()


@pytest.fixture
def games(address: PostgresAddress, file: Path) -> str:
    """The URL of a log with the games of `file`, and one that is over."""
    with closing(SqliteLog(file, ENTRY)) as old, closing(PostgresLog(address, ENTRY)) as log:
        old.append(f"{ROOM}-2", 0, entries_of(SHORT))
        for game in old.games():
            log.append(game, 0, old.read(game))
    return address.url


def test_every_command_that_takes_a_file_takes_a_database() -> None:
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    flags = {name: {flag for param in command.params for flag in param.opts} for name, command in commands.items()}
    files, databases = ({name for name in flags if flag in flags[name]} for flag in ("--data", "--log"))
    assert databases == files - {"play"} | {"migrate", "nodes", "drain"}


@pytest.mark.parametrize(
    "words",
    [
        ("replay", f"{ROOM}-1"),
        ("replay", f"{ROOM}-1", "--judge"),
        ("replay", f"{ROOM}-2", "--json"),
        ("verify", f"{ROOM}-2"),
        ("suspicion", "WOLF"),
        ("replay", "LYNX"),
    ],
    ids=" ".join,
)
def test_a_command_that_reads_prints_the_same_as_for_a_file(
    games: str, file: Path, run: Run, words: tuple[str, ...]
) -> None:
    from_file = run(*words, "--data", file)
    assert from_file[1] + from_file[2]
    assert run(*words, "--log", games) == from_file


def test_games_go_out_as_texts_and_come_back(games: str, run: Run, tmp_path: Path) -> None:
    assert run("export", "--out", tmp_path / "texts", "--log", games)[0] == 0
    (text,) = (tmp_path / "texts").iterdir()
    name = name_of(text.read_text())
    assert run("import", text, "--log", games) == (0, f"{text}: {name}\n", "")
    assert run("import", text, "--log", games) == (0, f"{text}: {name}, which was there before\n", "")
    assert run("replay", name, "--log", games)[1] == text.read_text()


def test_a_name_is_deleted_and_so_are_the_keys(games: str, address: PostgresAddress, run: Run) -> None:
    with closing(PostgresLog(address, ENTRY)) as log:
        log.put("seat-key-0", b"key")
        log.put("other", b"value")
    told = f"the name is deleted from 2 games of room {ROOM}\n"
    assert run("forget", "wolf", "Ana", "--log", games) == (0, told, "")
    assert run("replay", f"{ROOM}-1", "--log", games)[1] == GAME.replace("Ana", "–")
    assert run("rotate-keys", "--log", games)[0] == 0
    with closing(PostgresLog(address, ENTRY)) as log:
        assert log.get() == {"other": b"value"}


def test_a_backup_names_the_tools_of_postgresql(games: str, address: PostgresAddress, run: Run, tmp_path: Path) -> None:
    code, out, err = run("backup", tmp_path / "copy", "--log", games)
    assert (code, out, list(tmp_path.glob("copy*"))) == (1, "", [])
    assert f"`pg_dump --format=custom --schema=ratscrew --file={tmp_path / 'copy'} URL`" in err
    assert err.startswith(f"ratscrew: {address} is backed up by PostgreSQL's own tools: ")


def test_a_dump_made_while_the_log_is_written_holds_everything(
    games: str, address: PostgresAddress, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """The commands of docs/operations.md; the restored log goes on with batch numbers of its own."""
    other = PostgresAddress(postgres_server.url(postgres_server.create_database()))
    with closing(PostgresLog(address, ENTRY)) as log:
        for program in (
            ("pg_dump", "--format=custom", "--schema=ratscrew", f"--file={tmp_path / 'games.dump'}", games),
            ("pg_restore", f"--dbname={other.url}", str(tmp_path / "games.dump")),
        ):
            subprocess.run([postgres_server.programs / program[0], *program[1:]], check=True, timeout=60)
        with closing(PostgresLog(other, ENTRY)) as restored:
            assert restored.games() == log.games()
            for game in log.games():
                entries = log.read(game)
                assert restored.read(game) == entries
                assert restored.append(game, len(entries), entries[:1]) == len(entries) + 1
    batches = postgres_server.execute("SELECT count(DISTINCT batch) FROM ratscrew.entry", database=name_in(other))
    assert batches == [(6,)]


def name_in(address: PostgresAddress) -> str:
    """The name of an address's database."""
    return str(address).partition("///")[2].partition("?")[0]


def test_a_server_goes_on_in_postgresql_with_what_it_had_in_a_file(
    address: PostgresAddress, run: Run, tmp_path: Path
) -> None:
    """The player's cookie is still valid, so the keys are there too."""
    session, file = CookieJar(), tmp_path / "ratscrew.sqlite3"

    def call(url: str, body: dict[str, object]) -> dict[str, object]:
        request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with build_opener(HTTPCookieProcessor(session)).open(request, timeout=30) as answer:
            return dict(json.load(answer))

    with serving(tmp_path, "--data", file) as (server, where):
        port = where.rstrip("/").rpartition(":")[2]
        joined = call(f"{where}/api/rooms", {"name": "Ana", "bots": 1})
        assert run("copy", "--data", file, "--log", address.url)[2].startswith("ratscrew: another Ratscrew is using")
        server.send_signal(signal.SIGTERM)
        end(server)
    told = f"{address} holds 1 games with 5 entries, as {file} does\n"
    assert run("copy", "--data", file, "--log", address.url) == (0, told, "")
    err = f"ratscrew: {address} is not empty: copy into a new database\n"
    assert run("copy", "--data", file, "--log", address.url) == (1, "", err)
    with closing(SqliteLog(file, ENTRY)) as old, closing(PostgresLog(address, ENTRY)) as log:
        assert log.get() == old.get()
        assert {game: log.read(game) for game in log.games()} == {game: old.read(game) for game in old.games()}
    with serving(tmp_path, "--log", address.url, "--port", port) as (_, where):
        code = str(joined["room"]).partition("-")[0]
        assert call(f"{where}/api/rooms/{code}/pass", {"player_ids": [joined["player_id"]]})


def test_players_join_a_room_while_postgresql_restarts(
    address: PostgresAddress, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    with serving(tmp_path, "--log", address.url) as (server, where), ThreadPoolExecutor(1) as threads:
        first = get(f"{where}/api/rooms", {"name": "Ana", "bots": 1, "wait": True})
        postgres_server.stop()
        code = first["room"].partition("-")[0]
        second = threads.submit(get, f"{where}/api/rooms/{code}/seats", {"name": "Bo"})
        with pytest.raises(HTTPError) as not_ready:
            get(f"{where}/api/ready")
        assert not_ready.value.code == 503
        not_ready.value.close()
        assert not second.done()
        postgres_server.start()
        assert second.result(60)["room"] == first["room"]
        assert get(f"{where}/api/health")["rooms"] == 1
        server.send_signal(signal.SIGTERM)
        _, err = end(server)
    assert f"{address}: appends wait for a new connection" in err
    assert f"{address}: appends go on" in err


def test_migrate_creates_the_tables_that_the_other_commands_ask_for(postgres_server: PostgresServer, run: Run) -> None:
    url = postgres_server.url(postgres_server.create_database())
    code, out, err = run("replay", "WOLF", "--log", url)
    assert (code, out) == (1, "")
    assert "create them by `ratscrew migrate` with the same --log" in err
    address = PostgresAddress(url)
    assert run("migrate", "--log", url) == (0, f"{address}: the tables are created (schema 1)\n", "")
    assert run("migrate", "--log", url) == (0, f"{address}: the tables are up to date (schema 1)\n", "")
    assert run("replay", "WOLF", "--log", url)[2] == "ratscrew: there is no game 'WOLF': none has been stored yet\n"


# The server


def test_a_server_plays_on_after_a_restart(address: PostgresAddress, tmp_path: Path) -> None:
    with serving(tmp_path, "--log", address.url) as (server, where):
        joined = get(f"{where}/api/rooms", {"name": "Ana", "bots": 1})
        assert get(f"{where}/api/ready") == {"ready": True, "why": None}
        server.send_signal(signal.SIGTERM)
        out, complaints = end(server)
    assert (server.returncode, complaints) == (0, "")
    assert out.splitlines()[0].startswith(f"Games are saved in {address}. Stop with Ctrl-C")
    with closing(PostgresLog(address, ENTRY)) as log:
        (game,) = log.games(f"{joined['room']}-")
        assert len(log.read(game)) == 5
    with serving(tmp_path, "--log", address.url) as (server, where):
        seat = get(f"{where}/api/rooms/{joined['room'].partition('-')[0]}/seats", {"name": "Bo"})
        assert seat["room"] == joined["room"]


def test_a_second_server_is_refused_or_waits_until_the_first_has_ended(
    address: PostgresAddress, tmp_path: Path
) -> None:
    with serving(tmp_path, "--log", address.url) as (first, _):
        with starting(tmp_path, "--log", address.url) as second:
            _, err = end(second)
            assert err.startswith(f"ratscrew: another Ratscrew is using {address}: stop it; a server can wait ")
        with starting(tmp_path, "--log", address.url, "--takeover", "60") as second:
            assert said(second) == f"Waiting at most 60 s until {address} is free.\n"
            first.send_signal(signal.SIGTERM)
            end(first)
            assert said(second).startswith("Ratscrew is at http://127.0.0.1:")


@pytest.mark.parametrize("words", [("import", "GAME"), ("forget", "WOLF", "Ana"), ("rotate-keys",)])
def test_what_writes_is_refused_while_a_server_uses_the_log(
    games: str, address: PostgresAddress, run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "game.txt").write_text(SHORT)
    words = tuple(str(tmp_path / "game.txt") if word == "GAME" else word for word in words)
    with lock_log(address):
        code, out, err = run(*words, "--log", games)
    assert (code, out) == (1, "")
    assert err.startswith(f"ratscrew: another Ratscrew is using {address}: stop it")


# Errors


@pytest.mark.parametrize("words", [("serve",), ("replay", "WOLF"), ("rotate-keys",), ("migrate",)], ids=" ".join)
def test_a_server_that_is_not_there_is_named_without_the_password(run: Run, words: tuple[str, ...]) -> None:
    code, out, err = run(*words, "--log", AWAY)
    assert (code, out.replace("\n", "")) == (1, "")
    assert err.startswith("ratscrew: postgresql://127.0.0.1:1/games: PostgreSQL cannot be reached: ")
    assert err.count("\n") == 1
    assert SECRET not in err


@pytest.mark.parametrize("given", ["flag", "environment", "file"])
def test_a_setting_is_shown_without_its_password(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    def giving(url: str) -> tuple[str | Path, ...]:
        monkeypatch.setenv("RATSCREW_LOG", url if given == "environment" else "")
        (tmp_path / "server.toml").write_text(f"log = {json.dumps(url)}")
        return {"flag": ("--log", url), "environment": (), "file": ("--config", tmp_path / "server.toml")}[given]

    code, out, err = run("serve", *giving(AWAY), "--show-config")
    assert (code, err) == (0, "")
    assert 'log = "postgresql://127.0.0.1:1/games"' in out
    assert SECRET not in out
    code, out, err = run("serve", *giving(f"postgresql://me:{SECRET}/@host/games"))
    assert code
    assert "percent-encoded" in " ".join(err.split())
    assert SECRET not in out + err


def test_without_the_client_library_the_command_that_installs_it_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.startswith(("psycopg", "ratscrew.log.postgres."))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    code, out, err = run("replay", "WOLF", "--log", AWAY)
    assert (code, out) == (1, "")
    assert err.startswith("ratscrew: a log in PostgreSQL needs the package psycopg: pip install 'ratscrew[postgres]'")


def test_a_command_on_a_file_does_not_import_the_client_library(file: Path) -> None:
    """It is an extra package, which most players do not have."""
    program = "import sys; sys.modules['psycopg'] = None; from ratscrew.cli import main; main()"
    words = [sys.executable, "-c", program, "replay", f"{ROOM}-1", "--data", str(file)]
    assert subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout == GAME


def test_a_server_on_a_file_does_not_import_it_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or `make play` would not start where it has installed nothing but the game."""
    without = f"import sys; sys.modules['psycopg'] = None\n{process.PROGRAM}"
    monkeypatch.setattr(process, "PROGRAM", without)
    with serving(tmp_path, "--data", tmp_path / "games.sqlite3") as (_, address):
        assert get(f"{address}/api/health")
