"""The events of one world, all drawn from a seed: a room under faults, then without faults, then empty."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias
from unittest import mock

from msgspec.structs import replace

from ratscrew.deck import Draw, shuffle
from ratscrew.errors import LogError, RulesError
from ratscrew.game.decide.deal import deal_out
from ratscrew.game.events import Dealt
from ratscrew.protocol import ping_bursts
from ratscrew.protocol.player_connection import TO
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.record.redaction import redact
from ratscrew.table.registry.placement import Elsewhere
from ratscrew.table.registry.room_registry import IDLE_US, RoomRegistry, RoomRequest
from ratscrew.table.room import page_pinger
from ratscrew.testing.strategies import FEW_RANKS
from tests.simulation.disk import Disk, DiskLog, Moods
from tests.simulation.invariants import Invariants
from tests.simulation.network import Weather
from tests.simulation.page import Manners, Page
from tests.simulation.server import Seat, Server, TurnCancelled
from tests.simulation.truth import Truth
from tests.simulation.world import Process, World, chances_of

STORM_US = 12_000_000
CALM_US = 60_000_000
"""How long the faults last, and within which time after them a room must have gone on."""

SETTLE_US = 7_000_000
"""Within this time after the faults all players are back."""

PING_EVERY_S = 6.0
"""How often the round trip of a page is measured: seldom, as it is most of a server's work, and little can break."""

HOUSES = Path(__file__).with_name("houses.txt")
"""The presets, and rules that `ratscrew.testing.houses` has drawn once, by their short texts, with short timeouts."""


@cache
def some_houses() -> tuple[str, ...]:
    """The short texts of many rule sets.

    Raises: RulesError if one of them is not valid any more.
    """
    return tuple(to_link(from_link(text)) for text in HOUSES.read_text(encoding="utf8").splitlines())


Deal: TypeAlias = Callable[[Rules, int, int, Draw], Dealt]
"""How a game is dealt: the rules, how many seats, who deals, and the draws."""


def few_cards(rules: Rules, seats: int, dealer: int, draw: Draw) -> Dealt:
    """A deal of a few cards of few ranks, so that games are short and full of slaps."""
    if seats < 2 or (rules.max_players and seats > rules.max_players):
        raise RulesError([f"{seats} players: these rules are for 2 to {rules.max_players}"])
    return deal_out(rules, shuffle(FEW_RANKS, draw)[: seats * (2 + draw(5))], seats, dealer)


def other_cards_below(rules: Rules, seats: int, dealer: int, draw: Draw) -> Dealt:
    """The same deal, except for the order of the cards below the first of each hand."""
    dealt = few_cards(rules, seats, dealer, draw)
    below = [card for hand in dealt.hands for card in hand[1:]]
    hands = tuple((*hand[:1], *(below.pop() for _ in hand[1:])) for hand in dealt.hands)
    return replace(dealt, hands=hands)


class Story:
    """One seed's story. After a `Broken` its world still has the trace."""

    def __init__(self, seed: int, deal: Deal = few_cards) -> None:
        self.seed, self.world = seed, World(seed)
        chance = self.world.chance
        self.truth = Truth(self.world)
        self.disk = Disk(self.world, self._moods(), self._kept)
        self.invariants = Invariants(self.world, self.truth)
        self.weather = self._weather()
        self.server: Server | None = None
        self._deal = deal
        self.pages = [
            Page(self.world, self, self.invariants, number, self._manners()) for number in range(chance.randint(2, 4))
        ]

    def _laid(self, rules: Rules, seats: int) -> Dealt:
        draw = self.world.chance.randrange
        return self._deal(rules, seats, draw(seats), draw)

    def tell(self) -> None:
        """Run the story.

        Raises: Broken if an invariant fails.
        """
        pings = (
            mock.patch.object(ping_bursts, "BURST", 1),
            mock.patch.object(page_pinger, "PROBE_EVERY_S", PING_EVERY_S),
        )
        with chances_of(self.seed), pings[0], pings[1]:
            try:
                self._start()
                self._storm()
                self._calm()
                self._end()
            finally:
                self.weather.drops = 0
                if self.server:
                    self.server.crash()

    # The parts of the story

    def _storm(self) -> None:
        world, chance = self.world, self.world.chance
        texts = some_houses()
        asked = RoomRequest("Ana", chance.choice([0, 0, 1, 2]), "sharp", chance.choice(texts), wait=True, listed=True)
        self._sit(self.pages[0], "Ana", partial(_open, asked))
        for number, page in enumerate(self.pages[1:], 1):
            world.later(world.between(200_000, 12_000_000), partial(self._join, page, f"Bo {number}"))
            if world.happens(0.2):
                world.later(world.between(200_000, 12_000_000), partial(self._join, page, f"Cy {number}"))
        for _ in range(chance.choice([0, 1, 1, 2, 3])):
            world.run(world.chance.randint(10_000, STORM_US // 2))
            server, self.server = self.server, None
            assert server
            (server.stop if world.happens(0.2) else server.crash)()
            world.run(world.between(0, 2_000_000))
            self._start()
        world.run(STORM_US)

    def _calm(self) -> None:
        """The faults are over: all players come back, and the room goes on."""
        self.disk.moods.__init__()  # type: ignore[misc]
        self.weather.__init__()  # type: ignore[misc]
        for page in self.pages:
            page.manners = Manners()
            page.back()
        world = self.world
        world.run(SETTLE_US)
        sitting = [page for page in self.pages if page.names and not page.over]
        for page in sitting:
            if not world.run(CALM_US, page.settled):
                world.breaks(f"{page.names} cannot come back")
            self._everybody_sits(page)
        if sitting := [page for page in sitting if page.seats]:
            self._goes_on(sitting)

    def _end(self) -> None:
        for page in self.pages:
            page.go()
        self.world.run(IDLE_US + 150_000_000)
        if self.server and (left := self.server.left_over):
            self.world.breaks(f"left over when everybody has gone: {left}")
        self.world.run(1, lambda: False)

    # Inside

    def _moods(self) -> Moods:
        world = self.world
        failing = world.chance.choice([0, 0, 0, 0.005, 0.02, 0.1])
        return Moods(world.chance.choice([0, 2_000, 30_000, 3_000_000]), failing, world.chance.random())

    def _weather(self) -> Weather:
        chance, least_us = self.world.chance, self.world.between(100, 100_000)
        worst_us = least_us + self.world.between(1_000, 500_000)
        drops, stalls = chance.choice([0, 0, 0.002, 0.01, 0.05]), chance.choice([0, 0, 0.002, 0.01])
        return Weather(least_us, worst_us, chance.choice([0, 0.1, 0.5]), drops, stalls)

    def _manners(self) -> Manners:
        chance = self.world.chance
        wild, hasty, odd = (chance.choice([0, 0, share]) for share in (0.1, 0.1, 0.3))
        return Manners(chance.randint(200_000, 900_000), chance.random(), wild, hasty, odd, chance.random() < 0.3)

    def _kept(self, game: str, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.world.note(
                "log", "has", TO.encode(EventMessage(len(self.truth.entries[game]) + 1, redact(entry.event)))
            )
            self.truth.keep(game, entry)

    def _start(self) -> None:
        self.server = Server(self.world, Process(self.world), DiskLog(self.disk), self._laid)

    def reach(self, url: str | None) -> Server | None:
        """See `Net`."""
        return self.server

    def _join(self, page: Page, name: str) -> None:
        if code := self.pages[0].code:
            self._sit(page, name, partial(_join, code))
        else:
            self.world.later(500_000, partial(self._join, page, name))

    def _sit(
        self, page: Page, name: str, seated: Callable[[str, RoomRegistry], Awaitable[Seat | Elsewhere]], tries: int = 3
    ) -> None:
        """A page requests a seat; if no answer comes, it tries again with another name."""
        answered: list[TurnCancelled] = []

        def answer(held: TurnCancelled) -> None:
            self.world.note(name, "sits", held)
            if (not answered and not page.names) or page.code == held.code:
                answered.append(held)
                page.sit(name, held)
                page.go()
                page.back()

        def again() -> None:
            if not answered and tries:
                self._sit(page, f"{name}'", seated, tries - 1)

        if self.server:
            network = partial(self.world.later, self.world.between(100, 50_000))
            self.server.ask(partial(seated, name), lambda held: network(partial(answer, held)))
        self.world.later(4_000_000, again)

    def _everybody_sits(self, page: Page) -> None:
        """Check that players who were given a seat have it, unless the log says that they left."""
        known = self.truth.after(page.has.game, page.has.version)
        assert known
        seats = [known.seat_of(name) for name in page.names]
        for name, seat in zip(page.names, seats, strict=True):
            if seat is None and (page.code, name) not in self.truth.left:
                self.world.breaks(f"{name} has lost his seat in {page.has.game}")
        if page.seats != [seat for seat in seats if seat is not None]:
            self.world.breaks(f"{page.names} have the seats {page.seats}, and should have {seats}")

    def _goes_on(self, pages: Sequence[Page]) -> None:
        """Check that the room goes on, also without its host."""
        code = pages[0].code
        game, version = self.truth.newest(code)
        known = self.truth.after(game, version)
        assert known
        for _ in range(CALM_US // 1_000_000):
            for page in pages:
                page.rouse(self.truth.after(*self.truth.newest(code)) or known)
            if self.world.run(1_000_000, lambda: self.truth.newest(code) > (game, version + 1)):
                return
        self.world.breaks(f"{game} does not go on after {version}: {known}")


async def _open(asked: RoomRequest, name: str, registry: RoomRegistry) -> Seat:
    return registry.open(asked._replace(name=name)), 0


async def _join(code: str, name: str, registry: RoomRegistry) -> Seat | Elsewhere:
    if (room := await registry.find(code)) is None:
        raise LogError(f"there is no room {code}")
    return room if isinstance(room, Elsewhere) else (room, registry.join(room, name))
