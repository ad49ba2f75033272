"""A process that runs one attack for a given time, as fast as the server allows.

    python -m benchmarks.floods ATTACK PORT SECONDS [--addresses 20] [--row 1] [--connections 200]

Each attack is a coroutine that is restarted when it ends, on `--connections` connections at the same time, from local
addresses that no other client uses. The results are printed as one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import uvloop

from benchmarks import attacks_http as http
from benchmarks import attacks_rooms as rooms
from benchmarks import attacks_sockets as sockets
from benchmarks import attacks_stored as stored
from benchmarks.attacker import Attacker

AT_ONCE = 200
"""How many connections attack at the same time."""

CONNECTIONS: Mapping[str, int] = {"silent": 1500, "slow_headers": 1000, "no_hello": 700, "watchers": 300}
"""The number of connections of attacks that consist of many connections."""

RETRY_S = 0.02
"""The pause of a connection before it restarts the attack."""

MAX_SECONDS = 3600.0

BEGIN_WITHIN_S = 30.0
"""How long preparing the first attempt may take on a busy machine."""

NICENESS = 15
"""The niceness of the attackers, who share a core with the honest players."""

ATTACKS: Mapping[str, Callable[[Attacker, int], Awaitable[None]]] = {
    each.__name__: each
    for each in (
        http.burst, http.cookies, http.cookies_http, http.gzip, rooms.house_requests, rooms.fat, http.drill,
        rooms.guess, sockets.guessed_sockets, rooms.grief, rooms.rooms, http.silent, http.head, http.not_found,
        http.bad_json,
        sockets.handshakes, sockets.no_hello, rooms.long_rooms, rooms.watched_bots, sockets.junk_slaps,
        sockets.seat_slaps, sockets.wrong_slaps, sockets.watchers, http.houses, http.house_post, http.games, http.pages,
        http.pipelined, http.unread, http.big_headers, http.slow_headers, http.slow_bodies, http.chunks, http.connects,
        sockets.pongs, sockets.control_frames, sockets.fragments, sockets.garbage, sockets.long_messages,
        sockets.unread_sockets, sockets.reconnects, rooms.toggles, rooms.starts, rooms.quick, rooms.lessons,
        rooms.seats, rooms.passes, rooms.erasures, http.names,
        stored.previews, stored.continued, stored.unpacked, stored.deletions,
        stored.one_byte, stored.ghosts, stored.arena,
    )
}  # fmt: skip


SERVER: Mapping[str, Sequence[str]] = {
    "previews": ("--long-game",),
    "continued": ("--long-game",),
    "unpacked": ("--long-game",),
    "deletions": ("--community", "--season", "30000"),
    "arena": ("--community",),
}
"""What the server of an attack has besides, as options of `benchmarks.server_process`."""


async def run(
    attack: str, attacker: Attacker, seconds: float, connections: int, begin: Callable[[], None] = lambda: None
) -> Counter[str]:
    """Attack for this long from the first attempt on, at which `begin` is called; the counts of the results."""

    async def attack_repeatedly(number: int) -> None:
        while True:
            with suppress(OSError, EOFError, TimeoutError):
                await ATTACKS[attack](attacker, number)
            await asyncio.sleep(RETRY_S)

    attacking = [asyncio.create_task(attack_repeatedly(number)) for number in range(connections)]
    until = time.monotonic() + BEGIN_WITHIN_S
    while not attacker.counts["attempts"] and time.monotonic() < until:
        await asyncio.wait(attacking, timeout=RETRY_S)
    begin()
    _, pending = await asyncio.wait(attacking, timeout=min(seconds, MAX_SECONDS))
    for each in pending:
        each.cancel()
    found = await asyncio.gather(*attacking, return_exceptions=True)
    for ended in found:
        if isinstance(ended, Exception):
            raise ended
    return attacker.counts


def main() -> None:
    """Attack, and print a line at the first attempt and the counts at the end."""
    parser = argparse.ArgumentParser(description="Run one attack against a server on this machine.")
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("port", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--addresses", type=int, default=20)
    parser.add_argument("--row", type=int, default=1)
    parser.add_argument("--connections", type=int)
    arguments = parser.parse_args()
    os.nice(NICENESS)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        attacker = Attacker(arguments.port, arguments.addresses, arguments.row)
        connections = arguments.connections or CONNECTIONS.get(arguments.attack, AT_ONCE)
        attacking = run(arguments.attack, attacker, arguments.seconds, connections, lambda: print("begun", flush=True))
        print(json.dumps(runner.run(attacking)))


if __name__ == "__main__":
    main()
