"""Accounts: a random id, a public name with a number, and the devices that hold it. No password, no address.

Each fact is a value of its own, so two servers that write at the same moment never overwrite each other's facts. Random
numbers and times are arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import RulesError
from ratscrew.game.codec import Codec
from ratscrew.rules.words import say

NUMBERS = 10_000
"""How many accounts may have names that look alike: each has another number."""

TRIES = 50
DEVICES_MOST = 20
"""How many devices hold an account; the oldest is forgotten first."""


class Account(Struct, frozen=True):
    """An account: its public name is `name`#`number`. Unit: `since_us` microseconds since 1970."""

    id: str
    name: str
    number: int
    since_us: int

    @property
    def public_name(self) -> str:
        """Such as Ana#0042."""
        return f"{self.name}#{self.number:04}"


_ACCOUNT = Codec[Account](Account)


class Accounts:
    """The accounts in a store. `looks` gives the same text for names that look alike."""

    def __init__(self, values: Values, looks: Callable[[str], str]) -> None:
        self._values, self._looks = values, looks

    def create(self, name: str, account_id: str, now_us: int, draw: Callable[[int], int]) -> Account:
        """A new account with a free number.

        Raises: RulesError if no number is left; LogError.
        """
        account = Account(account_id, name, self._claim(name, account_id, draw), now_us)
        self._values.put(_key("account", account_id), _ACCOUNT.encode(account))
        return account

    def rename(self, account: Account, name: str, draw: Callable[[int], int]) -> Account:
        """Change an account's name. The number stays if the new name has it free.

        Raises: RulesError if no number is left; LogError.
        """
        if self._looks(name) == self._looks(account.name):
            number = account.number
        else:
            first = [account.number]
            number = self._claim(name, account.id, lambda most: first.pop() if first else draw(most))
            self._values.delete_prefix(self._name_key(account.name, account.number))
        changed = Account(account.id, name, number, account.since_us)
        self._values.put(_key("account", account.id), _ACCOUNT.encode(changed))
        return changed

    def get(self, account_id: str) -> Account | None:
        """An account by its id; None if it was deleted."""
        found = self._values.get(_key("account", account_id))
        return _ACCOUNT.decode(next(iter(found.values()))) if found else None

    def find(self, public_name: str) -> Account | None:
        """An account by its public name, such as Ana#0042."""
        name, _, number = public_name.rpartition("#")
        if not (name and number.isascii() and number.isdecimal() and len(number) <= 4):
            return None
        found = self._values.get(self._name_key(name, int(number)))
        return self.get(next(iter(found.values())).decode()) if found else None

    def delete(self, account: Account) -> None:
        """Delete an account: its name, its devices, and what is stored under its id. Its friends are deleted before.

        Raises: LogError; the call can be repeated.
        """
        for kind in ("device", "passkey-of", "block", "played", "room", "flag", "allowed"):
            self._values.delete_prefix(_key(kind, account.id))
        self._values.delete_prefix(self._name_key(account.name, account.number))
        self._values.delete_prefix(_key("account", account.id))

    def add_device(self, account_id: str, device: str, now_us: int) -> None:
        """Note a device that holds an account.

        Raises: LogError.
        """
        prefix = _key("device", account_id)
        devices = sorted(self._values.get(prefix).items(), key=lambda item: int(item[1]))
        for name, _ in devices[: max(0, len(devices) + 1 - DEVICES_MOST)]:
            self._values.delete_prefix(name)
        self._values.put(f"{prefix}{device}/", str(now_us).encode())

    def holds(self, account_id: str, device: str) -> Account | None:
        """The account if this device holds it."""
        return self.get(account_id) if self._values.get(f"{_key('device', account_id)}{device}/") else None

    def devices(self, account_id: str) -> dict[str, int]:
        """The devices that hold an account, and since when."""
        prefix = _key("device", account_id)
        return {name[len(prefix) : -1]: int(value) for name, value in self._values.get(prefix).items()}

    def remove_devices(self, account_id: str, keep: str) -> None:
        """Take an account from all devices but one.

        Raises: LogError.
        """
        for device in self.devices(account_id):
            if device != keep:
                self._values.delete_prefix(f"{_key('device', account_id)}{device}/")

    def _claim(self, name: str, account_id: str, draw: Callable[[int], int]) -> int:
        for _ in range(TRIES):
            number = draw(NUMBERS)
            key = self._name_key(name, number)
            if self._values.get_or_create(key, account_id.encode).decode() == account_id:
                return number
        raise RulesError([say("Too many players are called {name}: choose another name", name=name)])

    def _name_key(self, name: str, number: int) -> str:
        return f"{PREFIX}name/{self._looks(name)}/{number:04}/"


def _key(kind: str, account_id: str) -> str:
    return f"{PREFIX}{kind}/{account_id}/"
