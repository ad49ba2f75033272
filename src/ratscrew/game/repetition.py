"""Finds that a game without chance or slaps has come back to an earlier state, by Brent's algorithm.

Such a game is decided by its cards, so it would go on like this for ever. States are compared when a pile has been
taken. Only one is kept, a byte for each card, and it is replaced after 1, 2, 4, 8 ... piles: a cycle is found when it
has been gone through once since then, so at most three times as many piles into the game as the first return.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Hand
from ratscrew.rules.example import slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.once import once


class Checkpoint(Struct, frozen=True):
    """An earlier state, by what each card does, kept for `span` piles, of which `age` have been taken since.

    `repeated`: the state has come again.
    """

    leader: int
    hands: tuple[bytes, ...]
    span: int = 1
    age: int = 0
    repeated: bool = False


@once
def forced(rules: Rules) -> bool:
    """Whether the cards alone decide a game: there are no slaps, no chance, and no choices of players."""
    return (
        not slappable(rules)
        and rules.pickup in ("keep", "reverse")
        and rules.stalemate != "redeal"
        and rules.out_of_turn == "reject"
        and rules.cheat == "off"
        and rules.judge == "auto"
    )


def next_checkpoint(rules: Rules, before: Checkpoint | None, hands: Sequence[Hand], leader: int) -> Checkpoint | None:
    """The checkpoint after a pile was taken by the seat that leads now; None if the house is not `forced`.

    Cards that do the same are equal: what is no challenge, and stops none.
    """
    if not forced(rules):
        return None
    now = Checkpoint(leader, effects_of(rules, hands))
    if before is None:
        return now
    if (now.leader, now.hands) == (before.leader, before.hands):
        return replace(before, repeated=True)
    if before.age + 1 == before.span:
        return replace(now, span=2 * before.span)
    return replace(before, age=before.age + 1)


def effects_of(rules: Rules, hands: Sequence[Hand]) -> tuple[bytes, ...]:
    """What each card of each hand does in play, a byte each: equal hands play alike."""
    effect = effects(rules)
    return tuple([bytes([effect[card] for card in hand]) for hand in hands])


@once
def effects(rules: Rules) -> tuple[int, ...]:
    """A number for what each card does in play, by card: its chances, or 255 if it stops a challenge."""
    return tuple(chances or (255 if card in rules.stops else 0) for card, chances in enumerate(rules.chances_by_card))
