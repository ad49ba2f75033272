"""Friends and invitations to tables. Two players are friends once each has added the other.

Each fact is stored under both accounts, so that the deletion of either finds it.
"""

from __future__ import annotations

from msgspec import Struct

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import RulesError
from ratscrew.game.codec import Codec
from ratscrew.rules.words import say

FRIENDS_MOST = 200
"""How many players an account can add."""

ADDED_BY_MOST = 1000
"""How many players can have added one account: each is read whenever its friends are asked for."""

INVITED_US = 600_000_000
"""How long an invitation is shown."""


class Invitation(Struct, frozen=True):
    """An invitation to a table. `room` is its code."""

    room: str
    at_us: int


_INVITATION = Codec[Invitation](Invitation)


def add_friend(values: Values, account: str, other: str) -> None:
    """Add a player to an account's list; adding them again changes nothing.

    Raises: RulesError if the list is full, or too many have added the player; LogError.
    """
    if len(added_by(values, account) - {other}) >= FRIENDS_MOST:
        raise RulesError([say("You can have at most {most} friends: remove one first", most=FRIENDS_MOST)])
    if len(have_added(values, other) - {account}) >= ADDED_BY_MOST:
        raise RulesError([say("Too many players have added this one: ask them to add you")])
    values.put(_key("friend-of", other, account), b"1")  # first: so a deletion finds the other
    values.put(_key("friend", account, other), b"1")


def remove_friend(values: Values, account: str, other: str) -> None:
    """Remove a player from an account's list, and the invitations between them.

    Raises: LogError; the call can be repeated.
    """
    for one, two in ((account, other), (other, account)):
        _withdraw(values, one, two)
    values.delete_prefix(_key("friend", account, other))
    values.delete_prefix(_key("friend-of", other, account))


def added_by(values: Values, account: str) -> set[str]:
    """The players whom an account has added."""
    return _others(values, "friend", account)


def have_added(values: Values, account: str) -> set[str]:
    """The players who have added an account."""
    return _others(values, "friend-of", account)


def are_friends(values: Values, account: str, other: str) -> bool:
    """Whether each has added the other."""
    return bool(values.get(_key("friend", account, other)) and values.get(_key("friend", other, account)))


def invite(values: Values, account: str, other: str, invitation: Invitation) -> None:
    """Invite a player to a table; this replaces an earlier invitation of the same player.

    Raises: LogError.
    """
    values.put(_key("invitation-of", account, other), b"1")
    values.put(_key("invitation", other, account), _INVITATION.encode(invitation))


def invitations(values: Values, account: str, now_us: int) -> dict[str, Invitation]:
    """The invitations of an account that are not over, by the account that invites; others are deleted.

    Raises: LogError.
    """
    prefix = f"{PREFIX}invitation/{account}/"
    found = {name[len(prefix) : -1]: _INVITATION.decode(value) for name, value in values.get(prefix).items()}
    for other, invitation in found.items():
        if invitation.at_us + INVITED_US <= now_us:
            _withdraw(values, other, account)
    return {other: each for other, each in found.items() if now_us < each.at_us + INVITED_US}


def dismiss(values: Values, account: str, other: str) -> None:
    """Delete an invitation that an account got from another.

    Raises: LogError.
    """
    _withdraw(values, other, account)


def forget_friends(values: Values, account: str) -> None:
    """Delete an account from the lists and invitations of others, and its own.

    Raises: LogError; the call can be repeated.
    """
    for kind, reverse in (
        ("friend", "friend-of"),
        ("friend-of", "friend"),
        ("invitation", "invitation-of"),
        ("invitation-of", "invitation"),
    ):
        for other in _others(values, kind, account):
            values.delete_prefix(_key(reverse, other, account))
        values.delete_prefix(f"{PREFIX}{kind}/{account}/")


def _withdraw(values: Values, account: str, other: str) -> None:
    values.delete_prefix(_key("invitation", other, account))
    values.delete_prefix(_key("invitation-of", account, other))


def _others(values: Values, kind: str, account: str) -> set[str]:
    prefix = f"{PREFIX}{kind}/{account}/"
    return {name[len(prefix) : -1] for name in values.get(prefix)}


def _key(kind: str, account: str, other: str) -> str:
    return f"{PREFIX}{kind}/{account}/{other}/"
