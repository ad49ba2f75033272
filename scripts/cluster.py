"""Starts a cluster on this machine, to try it out: PostgreSQL and three nodes. Ctrl-C stops all of them.

Run by `make cluster`, with the Python of .venv. They end even if this process is killed.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import postgres
from ratscrew.errors import LogError
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.schema import migrate
from ratscrew.testing.ports import free_port
from ratscrew.testing.postgres_server import PostgresServer

NAMES = ("a", "b", "c")
PORT = 8765
DATABASE = "ratscrew"
FOUND = "Ratscrew is at "
"""What a server prints in front of its address when it is ready."""

GUARD = """
"$@" &
exec >&-
read -r _
kill -TERM $! 2> /dev/null
wait $!
"""
"""Runs a command, and ends it when the pipe to this process is closed: also if the one at the other end is killed."""


def main(words: Sequence[str] | None = None) -> None:
    """Run until Ctrl-C or SIGTERM."""
    options = parse(words)
    programs = Path(postgres.find_or_install())
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    addresses = {name: f"http://127.0.0.1:{port}" for name, port in zip(NAMES, ports(options.port), strict=True)}
    try:
        with running_postgres(programs, options.data) as url, running_nodes(url, addresses):
            show(url, addresses, options.data)
            signal.pause()
    except KeyboardInterrupt:
        return
    except (RuntimeError, LogError) as error:
        raise SystemExit(f"\n{error}") from error


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="make cluster", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="keep the games in this folder after the end")
    parser.add_argument("--port", type=int, default=PORT, help=f"the first node's port ({PORT}); 0 takes any free ones")
    return parser.parse_args(words)


@contextmanager
def running_postgres(programs: Path, folder: Path | None) -> Iterator[str]:
    """A PostgreSQL server with a database for the games: its URL."""
    with PostgresServer(programs, durable=folder is not None, data=folder) as server:
        if not server.execute("SELECT FROM pg_database WHERE datname = %s", DATABASE):
            server.execute("CREATE DATABASE ratscrew")
        migrate(PostgresAddress(server.url(DATABASE)))
        yield server.url(DATABASE)


def ports(first: int) -> list[int]:
    """A port for each node."""
    if first:
        return [first + number for number in range(len(NAMES))]
    return [free_port() for _ in NAMES]


@contextmanager
def running_nodes(url: str, addresses: dict[str, str]) -> Iterator[None]:
    """The nodes at these addresses, ready for players.

    Raises: SystemExit if one of them does not start; it has printed the reason.
    """
    nodes: list[subprocess.Popen[str]] = []
    try:
        nodes += [start(url, name, address) for name, address in addresses.items()]
        for node in nodes:
            assert node.stdout
            if not any(line.startswith(FOUND) for line in node.stdout):
                raise SystemExit("A node did not start: the reason stands above.")
        yield
    finally:
        for node in nodes:
            assert node.stdin
            node.stdin.close()
        for node in nodes:
            node.wait()


def start(url: str, name: str, address: str) -> subprocess.Popen[str]:
    """A node that starts, in a process group of its own: Ctrl-C in a terminal reaches only this process."""
    ratscrew = str(Path(sys.executable).with_name("ratscrew"))
    serve = [ratscrew, "serve", "--log", url, "--node", name, "--public-url", address]
    serve += ["--port", address.rpartition(":")[2], "--takeover", "10"]
    guarded = ["sh", "-c", GUARD, "node", *serve]
    return subprocess.Popen(guarded, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0)


def show(url: str, addresses: dict[str, str], folder: Path | None) -> None:
    """Print the address for players, and what else there is to see."""
    kept = f"in {folder}" if folder else "until you stop it"
    print(f"{FOUND}{addresses[NAMES[0]]}/")
    print(f"Nodes: {', '.join(f'{name} at {address}' for name, address in addresses.items())}. Games are saved {kept}.")
    print(f"Look at them:     .venv/bin/ratscrew nodes --log '{url}'")
    print(f"Move a's rooms:   .venv/bin/ratscrew drain a --log '{url}'")
    print("Stop with Ctrl-C.", flush=True)


if __name__ == "__main__":
    main()
