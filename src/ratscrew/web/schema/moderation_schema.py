"""The bodies of the HTTP requests and responses of moderation."""

from __future__ import annotations

from msgspec import Struct

from ratscrew.accounts.reports import Reason, Text
from ratscrew.game.bounds import Integer


class NewReport(Struct, frozen=True):
    """`POST /api/rooms/CODE/reports`, with the cookie of the seat `player_id`: report the player at `seat`.

    One for each reported player and game. The evidence is the game until now.
    """

    player_id: Integer
    seat: Integer
    reason: Reason
    text: Text = ""


class Reported(Struct, frozen=True):
    """The response to a report: `id` names it in the operator's list."""

    id: str


class NewBlock(Struct, frozen=True):
    """`POST /api/rooms/CODE/blocks`, with the cookie of the seat `player_id`: block the player at `seat`, or no longer.

    An account is needed on both sides: a page hides players without one by itself.
    """

    player_id: Integer
    seat: Integer
    on: bool


class Blocked(Struct, frozen=True):
    """Whether the block is stored: not if the other player has no account."""

    stored: bool


class BlockedSeats(Struct, frozen=True):
    """The seats of a room whose players this account has blocked."""

    seats: tuple[int, ...]


class BlockedPlayer(Struct, frozen=True):
    """A blocked account, with its public name."""

    account: str
    name: str
