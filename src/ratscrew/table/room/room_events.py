"""What happens to rooms, published to the parts of a server that wait for it: nothing looks at all rooms to find out.

Subscribers are called at once, on the event loop, in the order in which they have subscribed. They must not wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar


class ListingChanged(NamedTuple):
    """Strangers find the room, by its full name, in another list, or in none any more."""

    room: str


class FirstCardTurned(NamedTuple):
    """The first card was turned in the room, now or before this process had it."""

    room: str


class GameOver(NamedTuple):
    """The log has the end of a game, by the name of its log. `linked`: somebody at the table has an account."""

    room: str
    game: str
    linked: bool


class Timed(NamedTuple):
    """The room has something to do by itself, or (`on` is false) nothing any more."""

    room: str
    on: bool


RoomEvent: TypeAlias = ListingChanged | FirstCardTurned | GameOver | Timed
T = TypeVar("T", ListingChanged, FirstCardTurned, GameOver, Timed)


class RoomEvents:
    """The events of the rooms of one server."""

    def __init__(self) -> None:
        self._subscribers: dict[type, list[Callable[..., None]]] = defaultdict(list)

    def subscribe(self, kind: type[T], do: Callable[[T], None]) -> None:
        """Have a function called with each event of a kind."""
        self._subscribers[kind].append(do)

    def publish(self, event: RoomEvent) -> None:
        """Call the subscribers of its kind."""
        for do in self._subscribers[type(event)]:
            do(event)
