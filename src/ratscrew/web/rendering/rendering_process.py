"""The process that renders responses: `python -m ratscrew.web.rendering.rendering_process`, started by `worker.py`.

It reads jobs from standard input and writes responses to standard output, each as a MessagePack message after its
length in four bytes, and ends with its input. A job is the name of its function with its arguments; instead of bytes it
has their number, and they follow it, so that a whole game is sent without copying it. A job over its budget of
processor time ends the process.

Libraries' process pools import the main module of the program again. A program that embeds the server may not support
that; this process does not need it.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

import msgspec

from ratscrew.web.rendering import rendering
from ratscrew.web.rendering.rendering import Rendered

CPU_S, GAME_CPU_S = 0.5, 4.0
"""Processor time of a job about a house, which takes 0.02 s unless it is an attack, and of one about finished games,
which takes 0.3 s at most; several times that on a small machine."""

MEMORY = 1 << 30
"""Bytes of address space of the process."""

_LENGTH = 4

JOBS: dict[str, Callable[..., Rendered]] = {
    job.__name__: job
    for job in (
        rendering.house_of_text,
        rendering.house_of_choices,
        rendering.headline_of_house,
        rendering.practice_cards,
        rendering.game_as_data,
        rendering.game_as_text,
        rendering.headline_of_game,
        rendering.game_moment,
        rendering.room_picture,
        rendering.profile_figures,
        rendering.account_export,
    )
}

GAMES = (
    rendering.game_as_data,
    rendering.game_as_text,
    rendering.headline_of_game,
    rendering.game_moment,
    rendering.profile_figures,
    rendering.account_export,
)


def framed(body: bytes) -> bytes:
    """A message after its length."""
    return len(body).to_bytes(_LENGTH, "big") + body


def main() -> None:
    """Run jobs until the input ends."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    rendering.prepare()
    try:
        _send(out, Rendered(200, b""))
        while head := source.read(_LENGTH):
            name, *args = msgspec.msgpack.decode(source.read(int.from_bytes(head, "big")))
            args = [source.read(each) if isinstance(each, int) else each for each in args]
            _send(out, _done(JOBS[name], args))
    except BrokenPipeError:  # the server was killed
        os._exit(0)  # without flushing output that has no reader


def _done(job: Callable[..., Rendered], args: list[str | bytes]) -> Rendered:
    timer = getattr(signal, "setitimer", None)  # Windows has none: only the time limit applies there
    try:
        if timer:
            timer(signal.ITIMER_PROF, GAME_CPU_S if job in GAMES else CPU_S)
        return job(*args)
    except Exception:
        traceback.print_exc()
        return rendering.failed(*args[-1:])
    finally:
        if timer:
            timer(signal.ITIMER_PROF, 0)


def _send(out: BinaryIO, rendered: Rendered) -> None:
    out.write(framed(msgspec.msgpack.encode(rendered)))
    out.flush()


if __name__ == "__main__":
    main()
