"""The PostgreSQL server for tests leaves nothing behind, not even if it is killed, except a folder of yours."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

import postgres
from ratscrew.testing.postgres_server import PostgresServer

STARTS = """
import sys, time
from pathlib import Path
from ratscrew.testing.postgres_server import PostgresServer
with PostgresServer(Path(sys.argv[1])) as server:
    print(server.socket, flush=True)
    sys.stdin.read()
"""


def start() -> tuple[subprocess.Popen[str], Path]:
    """A process with a server, and the server's socket."""
    words = [sys.executable, "-c", STARTS, str(postgres.find())]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def test_a_closed_server_has_deleted_its_files() -> None:
    process, socket = start()
    with process:
        assert socket.is_socket()
        process.communicate("")
    assert (process.returncode, socket.parent.exists()) == (0, False)


def test_a_server_whose_process_is_killed_ends_and_deletes_its_files() -> None:
    process, socket = start()
    with psycopg.connect(host=str(socket.parent), user="ratscrew", dbname="postgres") as connection:
        with process:
            process.kill()
        while socket.parent.exists():
            time.sleep(0.05)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
        assert connection.closed


def test_a_server_finds_what_the_one_before_it_left_in_the_same_folder() -> None:
    """Two at a time cannot use it: the second one does not start, and does the first no harm."""
    programs = Path(str(postgres.find()))
    with TemporaryDirectory() as found:  # pytest's own would be closed to the user that a root's server runs as
        folder = Path(found)
        folder.chmod(0o755)
        with PostgresServer(programs, data=folder / "data") as server:
            name = server.create_database()
            with pytest.raises(RuntimeError, match=r"(?s)PostgreSQL does not start: .*postmaster\.pid"):
                PostgresServer(programs, data=folder / "data")
            assert server.execute("SELECT 1", database=name) == [(1,)]
        with PostgresServer(programs, data=folder / "data") as server:
            assert server.execute("SELECT 1", database=name) == [(1,)]
