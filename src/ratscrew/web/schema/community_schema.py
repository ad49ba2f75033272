"""The bodies of the community's HTTP requests and responses."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ratscrew.accounts.played import Summary
from ratscrew.game.bounds import NameText, PassText, PlayerIds, ShortText

Presence: TypeAlias = Literal["here", "playing"]
"""An account has a page open, or plays at a table."""


class RatingRow(Struct, frozen=True):
    """A rating under some rules: `points` start at 1000 and rise with skill and certainty."""

    rules: str
    points: int
    provisional: bool
    games: int


class OwnAccount(Struct, frozen=True):
    """The account of this browser. Unit: `since_us` microseconds since 1970."""

    id: str
    name: str
    since_us: int
    devices: int
    passkeys: int
    ratings: tuple[RatingRow, ...]


class AccountState(Struct, frozen=True):
    """`GET /api/account`: whether this server keeps accounts at all, and the one of this browser."""

    community: bool
    account: OwnAccount | None = None


class NewAccount(Struct, frozen=True):
    """`POST /api/account`: keep this player's games under a public name."""

    name: NameText


class LinkedSeats(Struct, frozen=True):
    """`POST /api/rooms/CODE/account`, with the cookies of these seats: they are this account's from now on."""

    player_ids: PlayerIds


class NewName(Struct, frozen=True):
    """`POST /api/account/name`: another public name."""

    name: NameText


class AccountPass(Struct, frozen=True):
    """A pass that moves an account to another device, once and within ten minutes."""

    text: PassText


class PasskeyRequestOptions(Struct, frozen=True):
    """WebAuthn's options to request a passkey, as far as the server decides them. Good for five minutes."""

    challenge: str
    rp_id: str


class PasskeyCreationOptions(PasskeyRequestOptions, frozen=True):
    """WebAuthn's options to create a passkey, as far as the server decides them. `exclude` are ids as base64url."""

    user: str
    name: str
    algorithms: tuple[int, ...]
    exclude: tuple[str, ...]


class DeletedAccount(Struct, frozen=True):
    """The response to `DELETE /api/account`: from how many games the name was deleted.

    `cleared`: it is also gone from the server's files.
    """

    games: int
    cleared: bool


class Leader(Struct, frozen=True):
    """A player in the standings of a season."""

    id: str
    name: str
    points: int
    provisional: bool
    games: int


class Leaderboard(Struct, frozen=True):
    """`GET /api/leaderboard`: the standings of a season under some rules, the best first.

    `seasons` are all with standings, the latest first; `rated` are the rules that are rated here.
    """

    season: str
    rules: str
    seasons: tuple[str, ...]
    rated: tuple[str, ...]
    players: tuple[Leader, ...]


class RatedGame(Struct, frozen=True):
    """A player's rating after a game. Unit: `end_us` microseconds since 1970."""

    end_us: int
    points: int


class RatingHistory(Struct, frozen=True):
    """A player's rating under some rules after each of the latest games of this season, oldest first."""

    rules: str
    games: tuple[RatedGame, ...]


class Profile(Struct, frozen=True):
    """`GET /api/players/ID`: a player's figures, from the latest games.

    `names` has the public names of others in it by their ids; the accounts of those without one were deleted.
    """

    id: str
    name: str
    since_us: int
    ratings: tuple[RatingRow, ...]
    history: tuple[RatingHistory, ...]
    figures: Summary
    names: dict[str, str]


class Friend(Struct, frozen=True):
    """A player whom the account has added. `mutual`: they have added it too, and then `online` says whether they are.

    `online` is `here` (a page is open), `playing` (at a table) or null.
    """

    id: str
    name: str
    mutual: bool
    online: Presence | None


class PlayerName(Struct, frozen=True):
    """A player."""

    id: str
    name: str


class TableInvitation(Struct, frozen=True):
    """An invitation to a table, by its code, from the player `id`. Unit: `at_us` microseconds since 1970."""

    id: str
    name: str
    room: str
    at_us: int


class FriendList(Struct, frozen=True):
    """`GET /api/friends`: who was added, who has added the account, and the invitations of the last ten minutes."""

    friends: tuple[Friend, ...]
    asking: tuple[PlayerName, ...]
    invitations: tuple[TableInvitation, ...]


class NewFriend(Struct, frozen=True):
    """`POST /api/friends`: add a player by the id of the account."""

    id: Annotated[str, Meta(max_length=16)]


class PlayedGame(Struct, frozen=True):
    """A game that the account has played, by its name and its end as the profile has them."""

    game: ShortText
    end_us: Annotated[int, Meta(ge=0, le=10**16)]


class NewInvitations(Struct, frozen=True):
    """`POST /api/rooms/CODE/invitations`, with the cookie of a seat there: invite friends, or all players of a game.

    The game ended within the last day.
    """

    players: Annotated[tuple[Annotated[str, Meta(max_length=16)], ...], Meta(max_length=8)] = ()
    again: PlayedGame | None = None


class Invited(Struct, frozen=True):
    """The response: the invited players."""

    players: tuple[str, ...]
