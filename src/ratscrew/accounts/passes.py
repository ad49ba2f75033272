"""Passes that let another device hold an account, once and within ten minutes. The store has only their hashes."""

from __future__ import annotations

import hashlib

from ratscrew.accounts.values import PREFIX, Values

LASTS_US = 600_000_000


def create_pass(values: Values, text: str, account_id: str, now_us: int) -> None:
    """Store a pass, which revokes the one before; `text` is random.

    Raises: LogError.
    """
    for name, value in values.get(f"{PREFIX}pass/").items():
        holder, _, until_us = value.decode().partition(" ")
        if holder == account_id or int(until_us) <= now_us:
            values.delete_prefix(name)
    values.put(_name(text), f"{account_id} {now_us + LASTS_US}".encode())


def redeem_pass(values: Values, text: str, now_us: int) -> str | None:
    """Use up a pass. Returns: its account's id; None if it is no pass, was used, or is over."""
    found = values.get(_name(text))
    if not found or not values.delete_prefix(_name(text)):  # of all who have found it, one deletes it
        return None
    account_id, _, until_us = next(iter(found.values())).decode().partition(" ")
    return account_id if now_us < int(until_us) else None


def _name(text: str) -> str:
    return f"{PREFIX}pass/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}/"
