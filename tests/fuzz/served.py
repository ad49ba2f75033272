"""The HTTP interface of a real server, tested by schemathesis with requests that its schema allows and forbids."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from aiohttp import web
from msgspec.structs import replace

from ratscrew.accounts.accounts import Accounts
from ratscrew.game.codec import Codec
from ratscrew.limits.limits import Limits
from ratscrew.log.memory import MemoryLog
from ratscrew.table.arenas.arena import Arena
from ratscrew.table.arenas.stored import state_name
from ratscrew.table.history.import_export import entries_of
from ratscrew.table.names.names import looks
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.openapi import EXAMPLES
from ratscrew.web.routes import DESCRIPTION
from ratscrew.web.server_runner import listening
from tests.fuzz.targets import OVER

OPTIONS = (
    "--checks=all",
    "--exclude-checks=positive_data_acceptance",  # what a house allows is more than a schema can say
    "--exclude-path=/api/rooms/{code}/socket",
    "--continue-on-failure",
    "--no-color",
)

REFUSALS = [400, 403, 404, 405, 409, 413, 414, 422, 503]
"""What a request may be answered with that is against its description: what is too large is not even looked at."""


async def ask(folder: Path, *options: str) -> tuple[int, str, set[tuple[str, int]]]:
    """Run it on a server with one game, one arena and one account.

    Returns: its exit code, its output, and each path with a status that it got.
    """
    log = MemoryLog[Entry]()
    clock = SystemClock()
    log.append(EXAMPLES["game"], 0, [replace(each, at_us=clock.now_us()) for each in entries_of(OVER.decode())])
    now_s = clock.now_us() / 1e6
    arena = Arena(EXAMPLES["game"].rpartition("-")[0], "Friday", "1;classic", now_s, now_s + 3600)
    log.put(state_name(arena.room, 0), Codec[Arena](Arena).encode(arena))
    Accounts(log, looks).create("Ana", EXAMPLES["id"], clock.now_us(), lambda most: 42)
    app = make_app(
        log,
        clock,
        StaticFiles(folder),
        proxy_policy=ProxyPolicy(discord=DiscordApplication("123456789012345678")),
        limits=Limits(clock, times=1e6),
        community=CommunityOptions(),
    )
    told: set[tuple[str, int]] = set()

    (folder / "schemathesis.toml").write_text(f"[checks.negative_data_rejection]\nexpected-statuses = {REFUSALS}\n")

    async def note(request: web.Request, response: web.StreamResponse) -> None:
        if resource := request.match_info.route.resource:
            told.add((f"{request.method} {resource.canonical}", response.status))

    app.on_response_prepare.append(note)
    async with listening(app, "127.0.0.1", 0) as address:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "schemathesis.cli", "run", address.rstrip("/") + DESCRIPTION, *OPTIONS, *options),
            cwd=folder,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        try:
            said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return process.returncode or 0, said.decode(errors="replace"), told
