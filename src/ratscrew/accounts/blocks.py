"""Whom an account has blocked.

They are not paired in quick play, their names and signs are hidden, and they are no friends.
"""

from __future__ import annotations

from ratscrew.accounts.friends import remove_friend
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import RulesError
from ratscrew.rules.words import say

BLOCKED_MOST = 200


def read_blocked(values: Values, account: str) -> frozenset[str]:
    prefix = _key(account)
    return frozenset(name[len(prefix) : -1] for name in values.get(prefix))


def set_blocked(values: Values, account: str, other: str, on: bool, now_us: int) -> None:
    """Block an account, which removes it from the friends; or no longer.

    Raises: RulesError if too many are blocked already; LogError.
    """
    if not on:
        values.delete_prefix(f"{_key(account)}{other}/")
        return
    if len(read_blocked(values, account)) >= BLOCKED_MOST:
        raise RulesError([say("You can block {most} players at most", most=BLOCKED_MOST)])
    values.put(f"{_key(account)}{other}/", str(now_us).encode())
    remove_friend(values, account, other)


def forget_blocks(values: Values, account: str) -> None:
    """Delete who has blocked this account: it is gone.

    Raises: LogError.
    """
    for name in values.get(f"{PREFIX}block/"):
        if name.endswith(f"/{account}/"):
            values.delete_prefix(name)


def _key(account: str) -> str:
    return f"{PREFIX}block/{account}/"
