"""The system's limit of open files: each connection uses one."""

from __future__ import annotations

from contextlib import suppress

try:
    import resource
except ImportError:  # a platform without this module
    resource = None  # type: ignore[assignment]

FILES_RESERVED = 128
"""Open files that are kept free for the log, backups and worker processes."""

FILES_WANTED = 65_536
"""The limit to request from the system."""


def raise_file_limit() -> None:
    """Raise the limit as far as the system allows: the usual 1,024 are few for a server."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):  # not allowed: keep the current limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_most(most: int) -> int:
    """How many connections this process may have within its limit of open files, `most` at most."""
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else FILES_WANTED
    if resource and soft == resource.RLIM_INFINITY:
        return most
    return max(1, min(most, soft - FILES_RESERVED))
