"""What a table says to the people at it, besides what happened. Nothing here is logged, and nothing tells a card."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ratscrew.table.records.entries import PublicEvent

Awaited: TypeAlias = Literal["turn", "collect", "claim", "tie", "grab", "split", "fill"]
"""What a table waits for."""

RequestName: TypeAlias = Literal[
    "play", "slap", "act", "seen", "beat", "start", "again", "house", "lift", "bot", "remove", "leave", "mute", "react",
    "list", "lock", "readmit", "nonce",
]  # fmt: skip
"""What a person may ask of a table."""

Sign: TypeAlias = Literal["clap", "laugh", "wow", "oops", "close", "hurry"]
"""What somebody may say by one press, besides playing."""


class EventMessage(Struct, frozen=True, tag_field="t", tag="told"):
    """Something happened, and is in the log. `v` counts a game's events from 1; none is left out."""

    v: int
    e: PublicEvent


class Clock(Struct, frozen=True, tag_field="t", tag="clock"):
    """A countdown begins for `seat`. `left_ms` 0: none.

    What happens when it ends: his card is turned (`turn`), he takes the pile (`collect`), his claim stands or falls
    (`claim`), he takes the tie (`tie`), he puts away what he has picked up (`grab`), he gets the upper half
    (`split`), or bots take the empty seats and the game begins (`fill`).
    """

    seat: int
    what: Awaited
    left_ms: int


class Turning(Struct, frozen=True, tag_field="t", tag="turning"):
    """A seat's top card is on its way, face down; `played` follows, or `held`."""

    seat: int


class Held(Struct, frozen=True, tag_field="t", tag="held"):
    """The card on its way goes back to the hand: somebody has slapped first."""

    seat: int


class Late(Struct, frozen=True, tag_field="t", tag="late"):
    """A hand that came after the verdict on card `n`, or when `n` was covered: no effect, no penalty.

    Unit: `us` microseconds of reaction.
    """

    seat: int
    n: int
    us: int


class Missed(Struct, frozen=True, tag_field="t", tag="missed"):
    """Nobody has slapped card `n`, on which these patterns lay. It is told when the card is covered, or taken."""

    n: int
    patterns: tuple[str, ...]


class Presence(Struct, frozen=True, tag_field="t", tag="presence"):
    """A person has come or gone; who is gone is played for."""

    seat: int
    here: bool


class Reacted(Struct, frozen=True, tag_field="t", tag="reacted"):
    """Somebody says something by one of six signs. It is not kept."""

    seat: int
    what: Sign


class Refused(Struct, frozen=True, tag_field="t", tag="refused"):
    """Your message had no effect; `why` is a code of `ratscrew.errors.Why`. `seat` is which of yours, of several."""

    what: RequestName
    why: str
    seat: int | None = None


class Done(Struct, frozen=True, tag_field="t", tag="done"):
    """Your request number `s` is answered: it is done and in the log, or refused. It says nothing of other requests."""

    s: int


Message: TypeAlias = EventMessage | Clock | Turning | Held | Late | Missed | Presence | Reacted | Refused | Done
