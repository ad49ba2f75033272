"""Ports for servers that are started by a command, in another process, a moment after their port was chosen."""

from __future__ import annotations

import socket
from pathlib import Path
from random import SystemRandom

_CHOSEN_BY_SYSTEM = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LEAST = 20_000
"""Browsers refuse some ports below this one."""


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on, and that no connection is given before the server has it.

    The system gives ports to connections, and to servers that asked for any, from a range of its own: each of those may
    be taken a moment later, and while a server is started anew. So this one is chosen outside of that range, and not by
    the common random numbers, which tests in two processes may have seeded alike.

    Raises: OSError if no port is free.
    """
    first = int(_CHOSEN_BY_SYSTEM.read_text().split()[0]) if _CHOSEN_BY_SYSTEM.exists() else 32_768
    for port in SystemRandom().sample(range(_LEAST, first), 100):
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise OSError(f"none of 100 ports from {_LEAST} to {first - 1} is free")
