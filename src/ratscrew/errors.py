"""Every error that Ratscrew raises on purpose, as one tree. Nothing in this file knows what raises it.

    RatscrewError
    ├── CardError        a text that names no card, or not one card
    ├── RulesError       a house that cannot be played; `.problems` lists its faults at once
    ├── ConfigError      what a server is told by file and environment; `.problems` lists every fault at once
    ├── NotationError    a game written down wrongly; says the line and the move
    ├── Refusal          a legal question with the answer no; `.reason` is the code (not a fault)
    ├── LimitExceeded    more than a limit allows; `.wait_s` says when to come back
    │   └── Overloaded   more than the server does for all clients together
    ├── TooCostly        a request that would take the server too long to answer
    ├── LogError         the event log
    │   ├── Conflict     somebody else has written after the number we wrote after
    │   ├── Detached     the log's file was deleted or replaced while it was open
    │   └── Corrupt      a record that cannot be read back
    └── WireError        a message that is none of ours

A message says what was wrong, where, and what would be right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

MAX_PROBLEMS = 20
"""So many faults of a house are told at once: a short text can have hundreds, and nobody mends more in one go."""


class RatscrewError(Exception):
    """The root: whatever Ratscrew raises on purpose is one of these."""


class CardError(RatscrewError, ValueError):
    """A text that names no card."""


class RulesError(RatscrewError, ValueError):
    """A house that cannot be played; its faults are in `problems`, one sentence each, the first `MAX_PROBLEMS`."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems[:MAX_PROBLEMS])
        super().__init__("; ".join(self.problems))


class ConfigError(RatscrewError):
    """A server is told what cannot be; every fault is in `problems`, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


class NotationError(RatscrewError, ValueError):
    """A game that is written down wrongly."""


class RefusalReason(StrEnum):
    """Why a command was refused. The code travels to the player; the words are the client's."""

    GAME_OVER = "game_over"
    NO_GAME = "no_game"
    NOT_OVER = "not_over"
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
    NOT_HOVERING = "not_hovering"
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
    ROOM_LOG_FULL = "room_log_full"
    TOO_FEW = "too_few"


class Refusal(RatscrewError):
    """A command that the game does not accept now; it changes nothing. `reason` is the code."""

    def __init__(self, reason: RefusalReason, message: str = "") -> None:
        self.reason = reason
        super().__init__(message or reason.value)


class LimitExceeded(RatscrewError):
    """More than a limit allows. Unit: `wait_s` seconds until it is worth another try."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__(f"too many requests: try again in {math.ceil(wait_s)} s")


class Overloaded(LimitExceeded):
    """More than the server does for all clients together; the client itself has done nothing wrong."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.args = (f"the server is busy: try again in {math.ceil(wait_s)} s",)


class TooCostly(RatscrewError):
    """A request that would take the server too long to answer; the same one will not do better later."""


class LogError(RatscrewError):
    """The event log could not do what was asked."""


class Conflict(LogError):
    """An append after a number that is no longer the last: somebody else owns this game now."""


class Detached(LogError):
    """The log's file was deleted or replaced while it was open: what would be written now is lost."""


class Corrupt(LogError):
    """A stored record that cannot be read back."""


class WireError(RatscrewError, ValueError):
    """A message from outside that is none of ours."""
