"""Every error that Ratscrew raises on purpose, as one tree.

    RatscrewError
    ├── CardError        a text that is not a card
    ├── RulesError       invalid rules; `.problems` lists every problem at once
    ├── ConfigError      invalid configuration (file, environment); `.problems` lists every problem at once
    ├── NotationError    an invalid written game; names the line and the move
    ├── Refusal          a command that is not accepted now; `.reason` is the code (not a fault)
    │   └── Banned       a request of a banned player
    ├── NoAccount        a request for which the browser needs an account
    ├── LimitExceeded    more than a limit allows; `.wait_s` says when to retry
    │   └── Overloaded   more than the server does for all clients together
    │       └── ServerFull no space for another room; another node of the cluster may have some
    ├── TooCostly        a request that would take the server too long
    ├── LogError         the event log
    │   ├── Conflict     another writer has appended after the expected number
    │   ├── Detached     the log's file was deleted or replaced while it was open
    │   └── Corrupt      a stored record that cannot be read
    ├── ClusterError     a process cannot be a node of the cluster, or cannot own rooms now
    │   └── NodeReplaced another process has registered under the node's name
    ├── InputError       a body that is not as its schema has it; `.field` and `.fault` say where and what
    └── WireError        an invalid message from a client

An error message says what was wrong, where, and what would be right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

MAX_PROBLEMS = 20
"""The most problems reported at once: a short text can have hundreds."""


class RatscrewError(Exception):
    """Base class of every error that Ratscrew raises on purpose."""


class CardError(RatscrewError, ValueError):
    """A text that is not a card."""


class RulesError(RatscrewError, ValueError):
    """Invalid rules; `problems` has the first `MAX_PROBLEMS` problems, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems[:MAX_PROBLEMS])
        super().__init__("; ".join(self.problems))


class ConfigError(RatscrewError):
    """Invalid server configuration; `problems` has every problem, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


class NotationError(RatscrewError, ValueError):
    """An invalid written game."""


class RefusalReason(StrEnum):
    """Why a command was refused. The code is sent to the player; the client has the words."""

    GAME_OVER = "game_over"
    NO_GAME = "no_game"
    NOT_OVER = "not_over"
    PAUSED = "paused"
    PAUSED_ENOUGH = "paused_enough"
    IDLE = "idle"
    NOT_PLAYING = "not_playing"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_YOURS = "not_yours"
    NOT_SO_HERE = "not_so_here"
    NO_HOUSE = "no_house"
    NO_CARDS = "no_cards"
    NOT_SHOWN = "not_shown"
    NOTHING_ASIDE = "nothing_aside"
    NOTHING_TO_TAKE = "nothing_to_take"
    EMPTY_PILE = "empty_pile"
    ALREADY_WON = "already_won"
    CHALLENGE = "challenge"
    FUTURE_STAMP = "future_stamp"
    FOREHEAD = "forehead"
    HAND_BURNED = "hand_burned"
    LOCKED_OUT = "locked_out"
    MOVING = "moving"
    MUTED = "muted"
    NAME_TAKEN = "name_taken"
    NOT_HOST = "not_host"
    NO_HOST = "no_host"
    BY_VOTE = "by_vote"
    OTHERS_AWAY = "others_away"
    NOT_HOVERING = "not_hovering"
    NO_SLAPS = "no_slaps"
    OUT_OF_ORDER = "out_of_order"
    SLAP_IN = "slap_in"
    TOO_LATE = "too_late"
    TOO_SOON = "too_soon"
    TWICE = "twice"
    WITHDRAW = "withdraw"
    SLOW_DOWN = "slow_down"
    ROOM_CLOSED = "room_closed"
    ROOM_FULL = "room_full"
    TOO_MANY_ROOMS = "too_many_rooms"
    LOCKED = "locked"
    REMOVED = "removed"
    BANNED = "banned"
    ROOM_LOG_FULL = "room_log_full"
    TOO_FEW = "too_few"


class Refusal(RatscrewError):
    """A command that is not accepted now; it changes nothing. `reason` is the code."""

    def __init__(self, reason: RefusalReason, message: str = "") -> None:
        self.reason = reason
        super().__init__(message or reason.value)


class Banned(Refusal):
    """A request of a banned player, or from a banned network."""

    def __init__(self, message: str) -> None:
        super().__init__(RefusalReason.BANNED, message)


class NoAccount(RatscrewError):
    """A request for which the browser needs an account, and has none."""

    def __init__(self) -> None:
        super().__init__("this browser has no account here")


class LimitExceeded(RatscrewError):
    """More than a limit allows. Unit: `wait_s` seconds until a retry makes sense."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__(f"too many requests: try again in {math.ceil(wait_s)} s")


class Overloaded(LimitExceeded):
    """More than the server can do for all clients together; this client did nothing wrong."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.args = (f"the server is busy: try again in {math.ceil(wait_s)} s",)


class ServerFull(Overloaded):
    """This server has no space for another room, or is too busy for one; another node of its cluster may take it."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.args = (f"the server has no space for another table now: try again in {math.ceil(wait_s)} s",)


class TooCostly(RatscrewError):
    """A request that would take the server too long to answer; retrying will not help."""


class LogError(RatscrewError):
    """An operation on the event log failed."""


class Conflict(LogError):
    """An append after a number that is no longer the last: another process owns this game now."""


class Detached(LogError):
    """The log's file was deleted or replaced while it was open, so further writes would be lost."""


class Corrupt(LogError):
    """A stored record that cannot be read."""


class ClusterError(RatscrewError):
    """A process cannot be a node of the cluster, or cannot own rooms now."""


class NodeReplaced(ClusterError):
    """Another process has registered under the node's name: this one owns no room any more, and never will."""


class InputError(RatscrewError, ValueError):
    """A body or a message that is not as its schema has it: its `fault`, for developers, and the `field`'s path."""

    def __init__(self, fault: str, field: str = "$") -> None:
        self.fault, self.field = fault, field
        super().__init__(f"{field}: {fault}")


class WireError(RatscrewError, ValueError):
    """An invalid message from a client."""
