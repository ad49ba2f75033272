"""What can be asked of a game, in the imperative. Nothing in this file knows what comes of it."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Play(Struct, frozen=True, tag_field="do", tag="play"):
    """The seat turns its top card onto the pile."""

    seat: int


class Slap(Struct, frozen=True, tag_field="do", tag="slap"):
    """The seat slaps the pile; who was first among several is the judge's matter."""

    seat: int


class Collect(Struct, frozen=True, tag_field="do", tag="collect"):
    """The time in which a won pile could still be slapped is over: its winner takes it."""


Command: TypeAlias = Play | Slap | Collect
