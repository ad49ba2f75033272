"""The process that renders answers: `python -m ratscrew.web.rendering_process`, started by `web/worker.py`.

It reads jobs from standard input and writes answers to standard output, each as a message of MessagePack behind its
length in four bytes, and ends with its input. A job that uses up its budget of processor time ends the process.

Process pools of libraries import the main module of the program again, which a server cannot ask of every program that
it is part of; this needs nothing of it.
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

from ratscrew.web import rendering
from ratscrew.web.rendering import Rendered

CPU_S, GAME_CPU_S = 0.5, 4.0
"""Processor time of a job: of one about a house, which takes 0.02 s unless somebody means harm, and of one about a game
that was played, of which the longest takes 0.3 s; several times that on a small machine."""

MEMORY = 1 << 30
"""Bytes of address space of the process."""

_LENGTH = 4

JOBS: dict[str, Callable[..., Rendered]] = {
    job.__name__: job
    for job in (
        rendering.house_of_text,
        rendering.house_of_choices,
        rendering.practice_cards,
        rendering.game_as_data,
        rendering.game_as_text,
    )
}

GAMES = (rendering.game_as_data, rendering.game_as_text)


def framed(body: bytes) -> bytes:
    """A message behind its length."""
    return len(body).to_bytes(_LENGTH, "big") + body


def main() -> None:
    """Answer jobs until the input ends."""
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
            _send(out, _done(JOBS[name], args))
    except BrokenPipeError:  # the server was killed
        os._exit(0)  # without a flush of what nobody reads


def _done(job: Callable[..., Rendered], args: list[str | bytes]) -> Rendered:
    timer = getattr(signal, "setitimer", None)  # Windows has none: there only time counts
    try:
        if timer:
            timer(signal.ITIMER_PROF, GAME_CPU_S if job in GAMES else CPU_S)
        return job(*args)
    except Exception:
        traceback.print_exc()
        return rendering.failed()
    finally:
        if timer:
            timer(signal.ITIMER_PROF, 0)


def _send(out: BinaryIO, rendered: Rendered) -> None:
    out.write(framed(msgspec.msgpack.encode(rendered)))
    out.flush()


if __name__ == "__main__":
    main()
