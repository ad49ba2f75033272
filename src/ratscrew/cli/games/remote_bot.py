"""`ratscrew bot`: connects a user's own bot to a room of a running server."""

from __future__ import annotations

import asyncio
import random

from ratscrew.bots.user_modules import find_bot
from ratscrew.cli.terminal import echo
from ratscrew.table.registry.codes import read_code
from ratscrew.web.remote_bot import RemoteBot

REASONS = {
    "closed": "the room is closed",
    "removed": "the host removed it",
    "elsewhere": "another client has taken its seat",
    "no_room": "there is no such room",
}
"""The server's reasons for a disconnect, in words; other reasons are printed as they are."""


def play(module: str, room: str, server: str, name: str | None) -> None:
    """Let a module's bot play in a room until the server disconnects it for good.

    Raises: RatscrewError if there is no such bot, no such room, or no seat in it.
    """
    bot = find_bot(module)
    called = name or module.rpartition(".")[2].replace("_", " ").capitalize()
    code = read_code(room) or room.upper()
    why = asyncio.run(RemoteBot(bot, server, code, called, random.SystemRandom().random).play())
    echo(f"{called} has left {code}: {REASONS.get(why, why)}")
