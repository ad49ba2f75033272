"""Starts and stops a server. Errors say why it cannot listen, and what to do about it."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from ipaddress import ip_address
from typing import Any

from aiohttp import web
from aiohttp.http import HttpProcessingError

from ratscrew.errors import RatscrewError
from ratscrew.limits.limits import Limits
from ratscrew.limits.loop_share import LoopShare
from ratscrew.table.record.clock import SystemClock
from ratscrew.web.app import GATE, REQUEST_MIDDLEWARE
from ratscrew.web.edge.connections import HEAD_MOST, ConnectionGate, GuardedHandler
from ratscrew.web.edge.socket_passing import SOCKET_PASSING
from ratscrew.web.http.base_path import BASE_PATH, below

STOP_WITHIN_S = 2.0

KEEP_ALIVE_S = 75.0
"""How long a connection may be idle between two requests; proxies keep theirs for a minute."""

BACKLOG = 8192
"""Connections that may wait until the loop accepts them, if the system allows so many (`net.core.somaxconn`). Of more
the system drops packets, and their clients try again only after one second, then three, then seven."""

ACCEPTS = 8
"""Connections that each iteration of the event loop accepts. uvloop accepts one for each listening socket, so it gets
as many copies of it: with one, a loop whose iterations take 20 ms lets in 50 pages a second. asyncio's loops accept all
that wait."""

LINGER_S = 2.0
"""How long the server reads the rest of a request that got its response early."""

_logger = logging.getLogger(__name__)

WILDCARD_HOSTS = ("0.0.0.0", "::", "")
"""Hosts that mean every address of this machine."""

_HAS_LEFT = "Connection closed."
"""What aiohttp says if a client leaves while the rest of its request is read."""

_UNROUTED = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses reserved for documentation (RFC 5737, RFC 3849): their route is the default route of this machine."""

SWITCH_S = 0.0005
"""Python's switch interval: how long a thread keeps the interpreter lock while another waits. A commit of the log takes
the lock some eight times, so with Python's 5 ms a busy loop delayed players by 40 ms; and a thread that restores a room
delays the event loop."""


@asynccontextmanager
async def listening(
    app: web.Application, host: str, port: int, flag: str = "--port", sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[str]:
    """Context manager: serve an application; the value is its URL. `flag` is the command-line option of the port.

    With `sockets` it listens on these, which other processes may share, and not at the host and the port.

    Raises: RatscrewError, which says what to do, if it cannot listen there.
    """
    _logger.addFilter(_is_server_error)
    usual_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    options: dict[str, Any] = {
        "access_log": None,
        "keepalive_timeout": KEEP_ALIVE_S,
        "lingering_time": LINGER_S,
        "logger": _logger,
        "auto_decompress": False,
        "max_field_size": HEAD_MOST,  # cookies of other programs on this host count too
        "max_line_size": HEAD_MOST,
    }
    runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=STOP_WITHIN_S, **options)
    await runner.setup()
    server, loop = runner.server, asyncio.get_running_loop()
    assert server is not None
    gate = app.get(GATE) or ConnectionGate(Limits(SystemClock()), LoopShare())
    middleware = app.get(REQUEST_MIDDLEWARE)
    handle = middleware.wrap(server.request_handler) if middleware else server.request_handler

    async def start_and_handle(request: web.BaseRequest) -> web.StreamResponse:
        if isinstance(request.protocol, GuardedHandler):
            request.protocol.start_request()
        return await handle(request)

    server.request_handler = start_and_handle
    base_path = app.get(BASE_PATH, "")
    server.request_factory = below(base_path, server.request_factory)
    listeners: list[asyncio.Server] = []
    new = partial(GuardedHandler, gate, server, loop, **options)
    passing = app.get(SOCKET_PASSING)
    try:
        if passing:
            gate.passes_on = True
            passing.start(new)
        for each in sockets or listen(host, port, flag):
            listeners.append(await loop.create_server(new, sock=each, backlog=BACKLOG))
        if not isinstance(loop, asyncio.BaseEventLoop):
            open_sockets = [each for listener in listeners for each in listener.sockets]
            for each in [each for each in open_sockets for _ in range(ACCEPTS - 1)]:
                copy = socket.socket(fileno=os.dup(each.fileno()))
                listeners.append(await loop.create_server(new, sock=copy, backlog=BACKLOG))
        yield f"http://{_url_host(host)}:{listeners[0].sockets[0].getsockname()[1]}{base_path}/"
    finally:
        for listener in listeners:
            listener.close()
        if passing:
            passing.close()
        gate.reads.close()
        await runner.cleanup()
        sys.setswitchinterval(usual_s)


def listen(host: str, port: int, flag: str = "--port") -> list[socket.socket]:
    """Sockets that listen at all addresses of a host; `::` means every address, of IPv4 too.

    Raises: RatscrewError, which says what to do, if that is not possible.
    """
    found: list[socket.socket] = []
    if host == "::" and not socket.has_dualstack_ipv6():
        host = "0.0.0.0"
    try:
        names = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in dict.fromkeys(names):
            if family in (socket.AF_INET, socket.AF_INET6):
                free = found[0].getsockname()[1] if found else port
                both = host == "::"  # asyncio, given a host, would accept only IPv6 there
                at = (str(address[0]), free)
                found.append(socket.create_server(at, family=family, backlog=BACKLOG, dualstack_ipv6=both))
    except OSError as error:
        for each in found:
            each.close()
        raise RatscrewError(_listen_error(host, port, flag, error)) from error
    return found


def url_of(host: str, sockets: Sequence[socket.socket]) -> str:
    """The URL of a server that listens on these sockets."""
    return f"http://{_url_host(host)}:{sockets[0].getsockname()[1]}/"


def is_loopback(host: str) -> bool:
    """Whether a server on this host can be reached only from this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def lan_address(host: str, address: str) -> str | None:
    """The URL of a server for others in the same network; None if it does not listen there, or there is no network."""
    if host not in WILDCARD_HOSTS:
        return None
    families = (socket.AF_INET,) if host == "0.0.0.0" else (socket.AF_INET, socket.AF_INET6)
    for family in families:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(_UNROUTED[family])  # this sends nothing
            return address.replace("localhost", _url_host(probe.getsockname()[0]))
    return None


def _is_server_error(record: logging.LogRecord) -> bool:
    """Filter of log records: malformed HTTP is no error of the server, nor a client that leaves within a request."""
    error = record.exc_info[1] if record.exc_info else None
    has_left = isinstance(error, RuntimeError) and str(error) == _HAS_LEFT
    return not has_left and not isinstance(error, (HttpProcessingError, web.RequestPayloadError))


def _listen_error(host: str, port: int, flag: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: stop what uses it, or choose another with {flag} (0 takes any free one)"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights than you have: choose one above 1023 with {flag}"
    return f"cannot listen on {host}, port {port} ({error.strerror}): choose an address of this machine with --host"


def _url_host(host: str) -> str:
    """The host for a URL that a browser on this machine can open."""
    if host in WILDCARD_HOSTS:
        return "localhost"
    return f"[{host}]" if ":" in host else host
