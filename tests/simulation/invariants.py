"""The invariants of all that a server sends, checked on the bytes as they leave it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ratscrew.cards import NAMES
from ratscrew.game.codec import Codec
from ratscrew.game.view import View, view
from ratscrew.protocol.player_connection import TO
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.record.redaction import redact
from tests.patched import patched, whole
from tests.simulation.server import Server
from tests.simulation.truth import Known, Truth, seen_cards
from tests.simulation.world import World

_CARDS = frozenset(NAMES)
_VIEWS = Codec[View](View)
_QUOTED = re.compile(f'"({"|".join(NAMES)})"'.encode())


class Invariants:
    """The invariants of one world; what has passed once is not checked again."""

    def __init__(self, world: World, truth: Truth) -> None:
        self._world, self.truth = world, truth
        self._views: dict[tuple[str, int], View | None] = {}
        self._right: set[tuple[str, int, bytes]] = set()

    def view(self, game: str, version: int) -> View | None:
        """What every client sees that has got so much."""
        if (game, version) not in self._views:
            known = self.truth.after(game, version)
            self._views[game, version] = view(known.game) if known and known.game else None
        return self._views[game, version]

    def said(self, has: Has, data: bytes) -> None:
        """Check a message of the server to a page that has got so much."""
        if data.startswith(b'{"t":"event"'):
            has.version += 1
            self._told(has.game, has.version, data)
        elif data.startswith(b'{"t":"welcome"'):
            welcome = msgspec.json.decode(data)
            has.game, has.version = welcome["game"], welcome["version"]
            self._welcome(welcome)
        elif _QUOTED.search(data):
            self._world.breaks(f"a card is named: {data.decode()}")

    def twice(self, server: Server, code: str, effects: list[object], bring: Callable[[], None]) -> None:
        """Check that a repeated request has an effect at most once; `effects` are those so far."""
        room = server.registry._rooms.get(code)
        if room is None or room.closed or server.process.paused:
            bring()
            return

        def stands() -> tuple[object, ...]:
            return room.table.log.game, room.table.state.version, room.table.wake_us(), room.table.racing

        server.drain()
        before = stands()
        bring()
        server.drain()
        if stands() != before:
            effects.append((before, stands()))
        if len(effects) > 1:
            self._world.breaks(f"what came twice was done twice: {effects}")

    def _told(self, game: str, v: int, data: bytes) -> None:
        if (game, v, data) in self._right:
            return
        now, before = self.truth.after(game, v), self.truth.after(game, v - 1)
        if now is None or before is None:
            self._world.breaks(f"what is not in the log is told: entry {v} of {game}: {data.decode()}")
            return
        entry = self.truth.entries[game][v - 1]
        message = msgspec.json.decode(data)
        logged = msgspec.json.decode(TO.encode(EventMessage(v, redact(entry.event))))
        if {name: told for name, told in message.items() if name not in ("c", "view")} != logged:
            self._world.breaks(f"told otherwise than logged: entry {v} of {game}: {data.decode()} for {entry}")
        had, seen = whole(self.view(game, v - 1)), whole(self.view(game, v))
        if whole(patched(had, message)) != seen:
            self._world.breaks(f"the changes of entry {v} of {game} lead elsewhere: {data.decode()} for {had}")
        self._open(message, seen_cards(before.game) | seen_cards(now.game))
        self._right.add((game, v, data))

    def _welcome(self, welcome: dict[str, Any]) -> None:
        game, version = welcome["game"], welcome["version"]
        known = self.truth.after(game, version)
        if known is None:
            self._world.breaks(f"what is not in the log is shown: entry {version} of {game}")
            return
        seen = self.view(game, version)
        if welcome["view"] != (seen and msgspec.json.decode(_VIEWS.encode(seen))):
            self._world.breaks(f"a view that is none of {game} after {version}: {welcome['view']}")
        self._open(welcome["view"], seen_cards(known.game))
        if (shown := _facts(welcome)) != (expected := _expected(known)):
            self._world.breaks(f"a room that is none of {game} after {version}: {shown} for {expected}")

    def _open(self, value: Any, seen: set[str]) -> None:
        if secret := set(_cards(value)) - seen:
            self._world.breaks(f"a secret is told: {sorted(secret)} in {value}")


class Has:
    """How far a page has got: the version of its game."""

    def __init__(self, game: str = "", version: int = 0) -> None:
        self.game, self.version = game, version


def _facts(welcome: dict[str, Any]) -> tuple[object, ...]:
    chairs = [(seat["name"], seat["bot"], seat["appearance"], seat["gone"], seat["muted"]) for seat in welcome["seats"]]
    return chairs, welcome["host"], welcome["house"], welcome["listed"], welcome["locked"], welcome["closed_ms"]


def _expected(known: Known) -> tuple[object, ...]:
    chairs = [known.chairs[seat] for seat in sorted(known.chairs)]
    shown = [(who.name, who.bot, msgspec.to_builtins(who.appearance), who.gone, who.muted) for who in chairs]
    closed_ms = None if known.closed_us is None else known.closed_us // 1000
    return shown, known.host, known.house, known.listed, known.locked, closed_ms


def _cards(value: Any) -> Iterator[str]:
    """Every card named in a message, except in rules."""
    if isinstance(value, str) and value in _CARDS:
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name != "rules":
                yield from _cards(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _cards(inner)
