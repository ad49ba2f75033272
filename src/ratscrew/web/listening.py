"""A server's life: it listens, says where, and stops. Why it cannot listen is told with what to do about it."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.http import HttpProcessingError

from ratscrew.errors import RatscrewError

STOP_WITHIN_S = 2.0

QUIET_S = 75.0
"""How long a connection may be without a whole request; proxies keep theirs for a minute."""

REST_WITHIN_S = 2.0
"""How long the rest of a request is heard that has been answered before its end."""

_journal = logging.getLogger(__name__)

EVERYWHERE = ("0.0.0.0", "::", "")
"""Hosts that stand for every address of this machine."""

_NOWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): the way there is the way out of this machine."""


@asynccontextmanager
async def listening(app: web.Application, host: str, port: int, flag: str = "--port") -> AsyncIterator[str]:
    """Serve an application as long as the context lasts; the value is its address. `flag` is what names the port.

    Raises: RatscrewError with a sentence that says what to do, if it cannot listen there.
    """
    _journal.addFilter(_worth_noting)
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=STOP_WITHIN_S,
        keepalive_timeout=QUIET_S,
        lingering_time=REST_WITHIN_S,
        logger=_journal,
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise RatscrewError(_why_not(host, port, flag, error)) from error
        yield f"http://{_shown(host)}:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


def for_others(host: str, address: str) -> str | None:
    """The address of a server for others in the same network; None if it does not listen there, or there is none."""
    if host not in EVERYWHERE:
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # connecting it sends nothing
        try:
            probe.connect(_NOWHERE)
        except OSError:
            return None
        return address.replace("localhost", probe.getsockname()[0])


def _worth_noting(record: logging.LogRecord) -> bool:
    """What a stranger sends that is no HTTP is answered, and is nothing that went wrong here."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, (HttpProcessingError, web.RequestPayloadError))


def _why_not(host: str, port: int, flag: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: stop what runs there, or name another with {flag} (0 takes any free one)"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights than you have: name one above 1023 with {flag}"
    return f"cannot listen on {host}, port {port} ({error.strerror}): name an address of this machine with --host"


def _shown(host: str) -> str:
    """A host as it stands in an address that a browser on this machine can open."""
    if host in EVERYWHERE:
        return "localhost"
    return f"[{host}]" if ":" in host else host
