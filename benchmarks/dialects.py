"""What clients of two versions call their messages, and how often they send heartbeats.

The simulated players of `four_players` use the present names of tags and fields. A dialect names those that are
different on the wire. `PRESENT` is that of `client/src/net` in this checkout: change it, and `four_players` for new
behaviour, when the protocol changes. `E2F18C2` is the version before the server was made faster (commit e2f18c2), and
is only here to compare with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Heartbeat(NamedTuple):
    """When a page sends heartbeats after a card was painted: the first, their interval, and the last. Unit: seconds."""

    first_s: float
    every_s: float
    last_s: float


class Dialect(NamedTuple):
    """The names on the wire that differ from the present ones (present: on the wire), and the heartbeats if any."""

    name: str
    tags: Mapping[str, str]
    fields: Mapping[str, str]
    heartbeat: Heartbeat | None

    def tag(self, name: str) -> bytes:
        """A message's tag on the wire."""
        return self.tags.get(name, name).encode()

    def field(self, name: str) -> str:
        """A field's name on the wire."""
        return self.fields.get(name, name)

    def kind(self, tag: bytes) -> str:
        """The present name of a kind of frame; `tag` is that of a message, with an event's after a colon."""
        present = {theirs: ours for ours, theirs in self.tags.items()}
        return ":".join(present.get(part, part) for part in tag.decode().split(":"))


PRESENT = Dialect("present", {}, {}, None)

E2F18C2 = Dialect(
    "e2f18c2",
    {
        "event": "told", "reveal_at": "soon", "painted": "seen", "link_stats": "lines", "turn_cancelled": "held",
        "reconnected": "back", "rate_limited": "unheard", "measured": "weighed",
    },
    {"standing": "to", "request": "what", "player_id": "who", "player_ids": "who"},
    Heartbeat(0.15, 0.05, 1.5),
)  # fmt: skip

DIALECTS = {dialect.name: dialect for dialect in (PRESENT, E2F18C2)}

_TAGS = {"t": ("event", "reveal_at", "welcome", "turning", "ping"), "e": ("played", "judged", "measured")}


def dialect_of(checkout: Path) -> Dialect:
    """The dialect whose names a checkout's message types have.

    Raises: ValueError if it is neither.
    """
    types = (checkout / "client" / "src" / "wire.ts").read_text()
    for dialect in DIALECTS.values():
        if all(f'{field}: "{dialect.tag(name).decode()}"' in types for field, names in _TAGS.items() for name in names):
            return dialect
    raise ValueError(f"{checkout} has other messages than those of benchmarks/dialects.py")
