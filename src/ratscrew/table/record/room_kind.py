"""Events that say what a table and its game count for: whose room it is, and whether a game may be rated."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ratscrew.accounts.results import Unrated

RoomKind: TypeAlias = Literal["friends", "listed", "quick", "arena"]
"""Whose table it is: one player's for friends, or for strangers as well since it was first listed; or the server's, for
quick play or an arena, where nobody is the host."""


class KindSet(Struct, frozen=True, tag_field="e", tag="kind_set"):
    """The room is of this kind from now on. A room without one is for friends, until it is listed."""

    kind: RoomKind


class RatingTerms(Struct, frozen=True, tag_field="e", tag="rating_terms"):
    """At the deal: why this game is not rated; empty if it may be, under rules that are rated."""

    unrated: tuple[Unrated, ...]
