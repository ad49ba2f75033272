"""The limit of open files: each connection is one."""

from __future__ import annotations

from contextlib import suppress

try:
    import resource
except ImportError:  # a platform without such limits
    resource = None  # type: ignore[assignment]

FILES_RESERVED = 128
"""Open files that are kept free for the log, backups and worker processes."""

FILES_WANTED = 65_536
"""Open files that are asked of the system, if it allows as many."""


def raise_file_limit() -> None:
    """Ask the system for as many open files as it allows: the usual 1,024 are few for a server."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # not allowed here: then what there is has to do
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_most(most: int) -> int:
    """How many connections the open files of this process are enough for, `most` at most."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else FILES_WANTED
    if resource and soft == resource.RLIM_INFINITY:
        return most
    return max(1, min(most, soft - FILES_RESERVED))
