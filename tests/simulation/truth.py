"""The state of rooms by the entries on the disk, computed in the simplest way. Uses no code of the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ratscrew.cards import Card, PileCard
from ratscrew.game.events import Dealt
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.rules.link import to_link
from ratscrew.table.record.entries import (
    Appearance,
    Closed,
    Entry,
    HostPassed,
    Left,
    Listed,
    Muted,
    Reopened,
    RoomLocked,
    RulesChanged,
    Sat,
    TableEvent,
)
from tests.simulation.world import World


class Sitter(NamedTuple):
    """The player or bot of a seat."""

    name: str
    bot: str | None
    appearance: Appearance | None
    gone: bool = False
    muted: bool = False


class Known(NamedTuple):
    """A room after some entry of the log of a game."""

    game: Game | None = None
    chairs: Mapping[int, Sitter] = MappingProxyType({})
    house: str = ""
    listed: bool = False
    locked: bool = False
    closed_us: int | None = None
    chosen: int = 0
    """The seat of the last host who was known."""

    def after(self, entry: Entry) -> Known:
        """The room after one more entry."""
        match entry.event:
            case Sat(seat, name, bot, _, appearance):
                muted = Sitter(name, bot, appearance, muted=True) in self.chairs.values()
                chairs = {**self.chairs, seat: Sitter(name, bot, appearance, muted=muted)}
                return self._replace(chairs=chairs, chosen=self.host if self.people else seat)
            case HostPassed(seat):
                return self._replace(chosen=seat)
            case Left(seat):
                return self._replace(chairs={**self.chairs, seat: self.chairs[seat]._replace(gone=True)})
            case Muted(seat, on):
                return self._replace(chairs={**self.chairs, seat: self.chairs[seat]._replace(muted=on)})
            case RulesChanged(_, link):
                return self._replace(house=link)
            case Listed(on):
                return self._replace(listed=on)
            case RoomLocked(on):
                return self._replace(locked=on)
            case Closed(until_us):
                return self._replace(closed_us=until_us)
            case Reopened():
                return self._replace(closed_us=None)
            case event if not isinstance(event, TableEvent):
                house = to_link(event.rules) if isinstance(event, Dealt) else self.house
                return self._replace(game=evolve(self.game, event), house=house)
        return self

    def next_game(self) -> Known:
        """The room before the next game's first entry: the chairs of players who have left are gone."""
        stay = [seat for seat in sorted(self.chairs) if not self.chairs[seat].gone]
        chairs = {new: self.chairs[old] for new, old in enumerate(stay)}
        chosen = stay.index(self.host) if self.host in stay else 0
        return self._replace(game=None, chairs=chairs, closed_us=None, chosen=chosen)

    def seat_of(self, name: str) -> int | None:
        """The seat of a player."""
        return next((seat for seat, who in self.chairs.items() if who.name == name and not who.gone), None)

    @property
    def people(self) -> list[int]:
        """The seats of the players who have not left."""
        return [seat for seat in sorted(self.chairs) if self.chairs[seat].bot is None and not self.chairs[seat].gone]

    @property
    def host(self) -> int:
        """The first player, until they pass the role on or leave: then the first player who has not left."""
        return self.chosen if self.chosen in self.people else next(iter(self.people), 0)

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.game is not None and not self.game.over


class Truth:
    """Every game on the disk: its entries, and the room after each of them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self.left: set[tuple[str, str]] = set()
        self._known: dict[str, list[Known]] = defaultdict(lambda: [Known()])
        self._cards: dict[str, Counter[Card]] = {}

    def keep(self, game: str, entry: Entry) -> None:
        """Note an entry that was stored."""
        if game not in self._known:
            room = game.rpartition("-")[0]
            before = next((each for each in reversed(self._known) if each.rpartition("-")[0] == room), None)
            self._known[game] = [self._known[before][-1].next_game() if before else Known()]
        known = self._known[game]
        if isinstance(entry.event, Left):
            self.left.add((game.partition("-")[0], known[-1].chairs[entry.event.seat].name))
        self.entries[game].append(entry)
        known.append(now := known[-1].after(entry))
        if now.game is not None and now.game is not known[-2].game:
            self._count(game, now.game)

    def after(self, game: str, version: int) -> Known | None:
        """The room after an entry of a game; None if the disk has none of that number."""
        known = self._known.get(game, [])
        return known[version] if version < len(known) else None

    def newest(self, code: str) -> tuple[str, int]:
        """The last game of a room, and its last entry."""
        game = next((game for game in reversed(self._known) if game.startswith(f"{code}-")), "")
        return game, len(self.entries[game]) if game else 0

    def _count(self, name: str, game: Game) -> None:
        now = Counter(every_card(game))
        if now != self._cards.setdefault(name, now):
            self._world.breaks(
                f"cards have come or gone in {name}: {now - self._cards[name]} {self._cards[name] - now}"
            )


def every_card(game: Game) -> Iterable[Card]:
    """All cards: in hands, set aside, on the pile, picked up, or given up for a claim."""
    gifts = game.claim.stakes if game.claim else ()
    return (*sum(game.hands, ()), *sum(game.asides, ()), *(laid.card for laid in on_table(game)), *gifts)


def seen_cards(game: Game | None) -> set[str]:
    """The cards that lie face up."""
    if game is None:
        return set()
    open_cards = {laid.card for laid in on_table(game) if laid.face_up}
    opening = {game.opening} if game.opening else set()
    return {str(card) for card in open_cards | opening | set(sum(game.asides, ()))}


def on_table(game: Game) -> tuple[PileCard, ...]:
    """The pile, and one that a player has picked up and not put away."""
    return (*game.pile, *(game.theft.pile if game.theft else ()))
