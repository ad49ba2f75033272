"""Everything that is stored under an account, as one JSON document for its owner."""

from __future__ import annotations

from typing import Any

import msgspec

from ratscrew.community.accounts import Account
from ratscrew.community.past_seasons import archived_standings
from ratscrew.community.values import PREFIX, Values

KINDS = ("device", "passkey-of", "friend", "friend-of", "block", "played", "invitation", "invitation-of")
"""What the store has of an account besides its name."""


def exported(values: Values, account: Account) -> bytes:
    """The export: the account, and by kind every value with its name below the account."""
    body: dict[str, Any] = {"account": account, "name": account.public_name}
    for kind in KINDS:
        prefix = f"{PREFIX}{kind}/{account.id}/"
        body[kind] = {name[len(prefix) :].rstrip("/"): _value(value) for name, value in values.get(prefix).items()}
    body["seasons"] = archived_standings(values, account.id)
    return msgspec.json.format(msgspec.json.encode(body))


def _value(value: bytes) -> Any:
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value.decode(errors="replace")
