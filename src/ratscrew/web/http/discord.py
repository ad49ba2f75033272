"""An activity of Discord: the page in a frame of Discord's client, which reaches this server through Discord's proxy.

Source: "Networking" and "Multiplayer experience" in Discord's documentation of activities. What differs from other
players: pages come from an address of Discord's; cookies are those of a frame; the kernel measures the proxy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ratscrew.errors import RatscrewError

_FRAMES = "https://discord.com https://*.discord.com"
"""The pages of Discord's client, of all its versions."""

_ID = re.compile(r"[0-9]{17,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class DiscordApplication:
    """The application, by its number at Discord, whose activity is this server."""

    id: str

    def __post_init__(self) -> None:
        """Check the number.

        Raises: RatscrewError if it is none.
        """
        if not _ID.fullmatch(self.id):
            raise RatscrewError(f"--discord {self.id}: an application's number has 17 to 20 digits (Application ID)")

    @property
    def host(self) -> str:
        """The name of Discord's proxy in front of this server."""
        return f"{self.id}.discordsays.com"

    @property
    def origin(self) -> str:
        """The origin of the pages there."""
        return f"https://{self.host}"

    @property
    def frame_ancestors(self) -> str:
        """The directive of a content security policy that lets Discord show the page in a frame."""
        return f"frame-ancestors {self.origin} {_FRAMES}"
