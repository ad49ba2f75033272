"""One client's messages in both directions, whatever carries them. No I/O here: a transport implements `Channel`."""

from __future__ import annotations

from typing import Protocol

MESSAGE_MOST = 4096
"""Bytes of the longest message from a client."""

NORMAL, GOING_AWAY, TRY_AGAIN_LATER = 1000, 1001, 1013
"""Why a connection ends (RFC 6455, 7.4.1)."""


class Channel(Protocol):
    """A way to one client. Messages sent in one iteration of the event loop may leave together."""

    def send(self, message: bytes) -> None:
        """Send a JSON object, soon. Too slow a reader is disconnected."""

    def flush(self) -> None:
        """Send the messages so far now, apart from what follows."""

    def send_frame(self, frame: bytes) -> None:
        """Send at once what the transport has made of messages for many clients; see `Spectators`."""

    def pong(self, payload: bytes) -> None:
        """Answer a ping. Also without one: a lost packet is noticed when another one follows it."""

    def hold(self) -> None:
        """Handle nothing more before `resume`."""

    def resume(self) -> None:
        """Go on after `hold`."""

    def close(self, code: int = NORMAL, deaf: bool = False) -> None:
        """Close behind the last message. With `deaf` nothing more is read."""

    def abort(self) -> None:
        """End the connection at once, with all that waits."""


class Endpoint(Protocol):
    """Handles what a channel receives."""

    def receive(self, message: bytes) -> None:
        """A text message has arrived, whole and in UTF-8."""

    def receive_ping(self, payload: bytes) -> None:
        """A ping has arrived."""

    def receive_pong(self, payload: bytes) -> None:
        """A pong has arrived."""

    def receive_invalid(self, code: int) -> None:
        """Something else has arrived. Nothing after it is read, and the connection closes with this code."""

    def lost(self) -> None:
        """The connection has ended. The last call."""
