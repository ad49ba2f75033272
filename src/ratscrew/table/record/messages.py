"""The messages that a table sends to its clients. Besides events in the log, none is logged and none names a card."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ratscrew.game.view import View
from ratscrew.game.view_changes import Changes
from ratscrew.table.record.entries import PublicEvent

Awaited: TypeAlias = Literal["turn", "collect", "claim", "tie", "grab", "split", "fill", "again", "resume", "host"]
"""What a table waits for."""

RequestName: TypeAlias = Literal[
    "play",
    "slap",
    "act",
    "beat",
    "start",
    "again",
    "house",
    "reopen",
    "bot",
    "remove",
    "leave",
    "mute",
    "react",
    "list",
    "lock",
    "readmit",
    "nonce",
    "pause",
    "ready",
    "pass_host",
    "come_back",
    "vote",
]
"""The requests that a player can send to a table, by their tags on the wire."""

Reaction: TypeAlias = Literal["clap", "laugh", "wow", "oops", "close", "hurry"]
"""The six reactions that a player can send."""


class EventMessage(Struct, frozen=True, omit_defaults=True, tag_field="t", tag="event"):
    """An event that is in the log. `v` counts a game's events from 1, without gaps.

    `c` is what it changes of the view (see `ratscrew.game.view_changes`); a deal has the whole `view` instead.
    """

    v: int
    e: PublicEvent
    c: Changes = {}
    view: View | None = None


class Countdown(Struct, frozen=True, tag_field="t", tag="clock"):
    """A countdown begins for `seat`. `left_ms` 0: none.

    What happens when it ends: the seat's card is turned (`turn`), it takes the pile (`collect`), its claim stands or
    falls (`claim`), it takes the tie (`tie`), it puts away what it has picked up (`grab`), it gets the upper half
    (`split`), bots take the empty seats and the game begins (`fill`), a game is dealt to all (`again`), play goes on
    (`resume`), or it becomes the host, because the host is away (`host`).
    """

    seat: int
    awaited: Awaited
    left_ms: int


class Turning(Struct, frozen=True, tag_field="t", tag="turning"):
    """A seat's top card is on its way, face down; `played` follows, or `turn_cancelled`."""

    seat: int


class TurnCancelled(Struct, frozen=True, tag_field="t", tag="turn_cancelled"):
    """The card on its way goes back to the hand, because another player slapped first."""

    seat: int


class Late(Struct, frozen=True, tag_field="t", tag="late"):
    """A slap that came after the verdict on card `n`, or when `n` was covered: no effect, no penalty.

    Unit: `us` microseconds of reaction.
    """

    seat: int
    n: int
    us: int


class Missed(Struct, frozen=True, tag_field="t", tag="missed"):
    """Nobody slapped card `n`, which made these patterns. Sent when the card is covered or taken."""

    n: int
    patterns: tuple[str, ...]


class Presence(Struct, frozen=True, tag_field="t", tag="presence"):
    """A player has come or gone. Cards are turned for a player who is gone."""

    seat: int
    here: bool


class IdleWarning(Struct, frozen=True, tag_field="t", tag="idle_warning"):
    """You have let turns pass: after `left` more a bot plays for you, until you act again."""

    seat: int
    left: int


class ReadySeats(Struct, frozen=True, tag_field="t", tag="ready"):
    """No game is running, and the players at these seats are ready for one."""

    seats: tuple[int, ...]


class Votes(Struct, frozen=True, tag_field="t", tag="votes"):
    """The players at the seats `by` want to remove the one at `seat`; `needed` of them do."""

    seat: int
    by: tuple[int, ...]
    needed: int


class Reacted(Struct, frozen=True, tag_field="t", tag="reacted"):
    """A player's reaction: one of six. It is not stored."""

    seat: int
    reaction: Reaction


class Refused(Struct, frozen=True, tag_field="t", tag="refused"):
    """Your request was refused; `reason` is a `RefusalReason`. `seat` says which of your seats, of several."""

    request: RequestName
    reason: str
    seat: int | None = None


class Done(Struct, frozen=True, tag_field="t", tag="done"):
    """Your request number `s` is answered: it is done and in the log, or refused. Says nothing about other requests."""

    s: int


class LinkStats(Struct, frozen=True):
    """The connection of a seat: its round trip, and its jitter."""

    rtt_ms: int
    jitter_ms: int


class Saving(Struct, frozen=True, tag_field="t", tag="saving"):
    """The server waits for its log: no clock runs, and what has happened since is sent when it is stored, then `on` is
    false.
    """

    on: bool


class LinkStatsMessage(Struct, frozen=True, tag_field="t", tag="link_stats"):
    """The connections of all players, by seat; null for bots, for players who are gone, and for new ones."""

    links: tuple[LinkStats | None, ...]


Message: TypeAlias = (
    EventMessage
    | Countdown
    | Turning
    | TurnCancelled
    | Late
    | Missed
    | Presence
    | IdleWarning
    | ReadySeats
    | Votes
    | Reacted
    | Refused
    | Done
    | LinkStatsMessage
    | Saving
)
