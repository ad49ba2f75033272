"""The store that the community needs: values by name. Every log is one, so SQLite and PostgreSQL both have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

PREFIX = "community/"
"""What the names of all values of the community begin with."""


class Values(Protocol):
    """Values by name. Every method waits for the disk or the database, so it is called off the event loop."""

    def get_or_create(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The value under a name; if there is none, `make` creates it."""
        ...

    def put(self, name: str, value: bytes) -> None:
        """Store a value under a name, replacing the previous one.

        Raises: LogError.
        """
        ...

    def get(self, prefix: str = "") -> dict[str, bytes]:
        """The stored values whose names start with `prefix`, by name."""
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Delete the values whose names start with `prefix`. Returns how many this call has deleted.

        Raises: LogError.
        """
        ...
