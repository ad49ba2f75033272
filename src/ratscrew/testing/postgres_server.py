"""A PostgreSQL server of one's own, for tests and benchmarks: in a temporary folder, reached by a UNIX socket only."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import LiteralString, Self

import psycopg
from psycopg import sql

from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.schema import migrate

TIMEOUT_S = 60.0
"""How long the server may take to start or to stop."""

DELETED_WITHIN_S = 600.0
"""How long it may take to delete a temporary folder: thousands of databases take a busy machine minutes."""

_USERS = ("postgres", "nobody")
"""Users that the server runs as if this process is root's, since PostgreSQL refuses to run as root."""

_GUARD = """
read -r _
grep -qxF "$0" "$1/postmaster.pid" && kill -QUIT "$(head -n 1 "$1/postmaster.pid")" && sleep 1
cd / && rm -rf "$0"
"""
"""Ends our server, as its socket says, and deletes the temporary folder when the pipe to this process is closed: also
if the process at the other end is killed."""

_QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=32MB")


class PostgresServer:
    """A running server, ended by `close` or at the end of a `with` block. Everybody on this machine may connect."""

    def __init__(self, programs: Path, durable: bool = False, data: Path | None = None) -> None:
        """Create the files of a server and start it; `programs` is the folder of `initdb` and `postgres`.

        Unless `durable`, it does not wait for the disk: what it acknowledged survives its end, but no power failure.
        The databases are in the folder `data`, which stays, and which an earlier server may have filled; without one,
        in a temporary folder.

        Raises: RuntimeError if it does not start, with PostgreSQL's reason.
        """
        self.programs, self._settings = programs, () if durable else _QUICK
        self._user: int | None = None
        self._group: int | None = None
        if os.geteuid() == 0:
            self._user, self._group = next(found for user in _USERS if (found := _ids(user)))
        self._folder = Path(tempfile.mkdtemp(prefix="ratscrew-postgres-"))
        self._numbers = itertools.count(1)
        if self._user is not None:
            os.chown(self._folder, self._user, -1)
        self._kept, self._data = data is not None, data.resolve() if data else self._folder / "data"
        self._create_files()
        self._guard = subprocess.Popen(
            ["sh", "-c", _GUARD, self._folder, self._data],
            cwd=self._folder,
            user=self._user,
            group=self._group,
            process_group=0,
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def socket(self) -> Path:
        """The UNIX socket that the server listens on."""
        return self._folder / ".s.PGSQL.5432"

    @property
    def process_id(self) -> int:
        """The number of the server's first process, which has started the others."""
        return self._process.pid

    def _create_files(self) -> None:
        """Create the files of a server, unless an earlier one has."""
        self._data.mkdir(parents=True, exist_ok=True)
        if (self._data / "PG_VERSION").exists():
            return
        if self._user is not None and not any(self._data.iterdir()):
            os.chown(self._data, self._user, -1)
        command = ["initdb", "-D", str(self._data), "-A", "trust", "-U", "ratscrew", "-E", "UTF8", "--locale=C"]
        command += [] if self._kept else ["--no-sync"]
        done = subprocess.run(
            [self.programs / command[0], *command[1:]],
            cwd=self._folder,
            user=self._user,
            group=self._group,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            shutil.rmtree(self._folder)
            raise RuntimeError(f"initdb failed: {done.stderr}")

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        command = [
            str(self.programs / "postgres"),
            "-D",
            str(self._data),
            "-k",
            str(self._folder),
            "-c",
            "listen_addresses=",
        ]
        command += [word for setting in self._settings for word in ("-c", setting)]
        with (self._folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                user=self._user,
                group=self._group,
                process_group=0,  # Ctrl-C in a terminal must not end it before its clients
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        end_s = time.monotonic() + TIMEOUT_S
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > end_s:
                    said = (self._folder / "log.txt").read_text(errors="replace")
                    raise RuntimeError(f"PostgreSQL does not start: {said}") from error
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT disconnects clients, SIGQUIT is like a crash."""
        self._process.send_signal(how)
        self._process.wait(TIMEOUT_S)

    def url(self, database: str) -> str:
        return f"postgresql://ratscrew@/{database}?host={self._folder}"

    def create_database(self, template: str = "template0") -> str:
        """Create a database as a copy of another one, and return its name."""
        name = f"games_{next(self._numbers)}"
        self.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def create_log(self) -> PostgresAddress:
        """Create an empty log in a database of its own."""
        if not self.execute("SELECT FROM pg_database WHERE datname = 'empty_log'"):
            self.execute("CREATE DATABASE empty_log TEMPLATE template0")
            migrate(PostgresAddress(self.url("empty_log")))
        return PostgresAddress(self.url(self.create_database("empty_log")))

    def execute(
        self, statement: LiteralString | sql.Composed, *values: object, database: str = "postgres"
    ) -> list[tuple[object, ...]]:
        """Execute a statement in a database, and return its rows."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description is not None else []

    def close(self) -> None:
        """Stop the server and delete its files, unless they were to be kept."""
        if self._process.poll() is None:
            self.stop(signal.SIGINT if self._kept else signal.SIGQUIT)
        self._guard.communicate(timeout=DELETED_WITHIN_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _ids(user: str) -> tuple[int, int] | None:
    """The numbers of a user and of their group; None if there is no such user."""
    try:
        found = pwd.getpwnam(user)
    except KeyError:
        return None
    return found.pw_uid, found.pw_gid
