"""Names for players who choose none: animals that have the same name in English and German."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ratscrew.deck import Draw

GUEST_NAMES = (
    *("Bison", "Dingo", "Emu", "Flamingo", "Gecko", "Gibbon", "Gorilla", "Guppy", "Hamster", "Ibis", "Jaguar", "Kiwi"),
    *("Koala", "Lama", "Leopard", "Okapi", "Orca", "Otter", "Panda", "Panther", "Piranha", "Puma", "Python", "Tapir"),
    *("Tiger", "Wombat", "Yak", "Zebra"),
)


def free_name(is_taken: Callable[[str], bool], draw: Draw) -> str:
    """A random name of the list that nobody at the table has; with a number once all of them are taken."""
    for number in itertools.count(1):
        names = [name if number == 1 else f"{name} {number}" for name in GUEST_NAMES]
        if free := [name for name in names if not is_taken(name)]:
            return free[draw(len(free))]
    raise AssertionError("unreachable: numbers do not end")
