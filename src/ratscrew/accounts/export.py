"""Everything that is stored under an account, as one JSON document for its owner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from ratscrew.accounts.accounts import Account
from ratscrew.accounts.past_seasons import archived_standings
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec

KINDS = ("device", "passkey-of", "friend", "friend-of", "block", "played", "invitation", "invitation-of")
"""What the store has of an account besides its name."""

SEASONS = "seasons"

ACCOUNT = Codec[Account](Account)

Stored: TypeAlias = Mapping[str, Mapping[str, bytes]]
"""What is stored, by kind and by its name below the account; the standings of past seasons are one value."""


def read_stored(values: Values, account: Account) -> Stored:
    """What is stored under an account, not decoded. Waits for the log."""
    found: dict[str, Mapping[str, bytes]] = {}
    for kind in KINDS:
        prefix = f"{PREFIX}{kind}/{account.id}/"
        found[kind] = {name[len(prefix) :].rstrip("/"): value for name, value in values.get(prefix).items()}
    found[SEASONS] = {SEASONS: msgspec.json.encode(archived_standings(values, account.id))}
    return found


def exported(account: Account, stored: Stored) -> bytes:
    """The export: the account, and by kind every value with its name below the account. It takes some 50 ms."""
    body: dict[str, Any] = {"account": account, "name": account.public_name}
    body |= {kind: {name: _value(value) for name, value in found.items()} for kind, found in stored.items()}
    body[SEASONS] = body[SEASONS][SEASONS]
    return msgspec.json.format(msgspec.json.encode(body))


def _value(value: bytes) -> Any:
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value.decode(errors="replace")
