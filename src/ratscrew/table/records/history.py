"""A game as its log tells it: who sat where, what happened up to its end, its text. It decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from ratscrew.errors import NotationError, Refusal
from ratscrew.game import notation
from ratscrew.game.events import Dealt
from ratscrew.game.evolve import evolve
from ratscrew.game.missed_slaps import slappable
from ratscrew.game.state import Game
from ratscrew.rules.link import to_link
from ratscrew.table.records.entries import Committed, Entry, PublicEvent, Sat, TableEvent, redact


class Opening(Struct, frozen=True):
    """With the `v`-th event a card was turned onto a pile that could then be slapped, and this lay there."""

    v: int
    pattern: str


class Happened(Struct, frozen=True):
    """An event of a game that is over, `at_ms` after its cards were dealt; what came before has less than 0."""

    at_ms: int
    e: PublicEvent


class Finished(Struct, frozen=True):
    """`GET /api/games/GAME`: a game that is over, by the name that `welcome` gives. Its text is at `GAME.txt`.

    `seats` are who sat where; the `v`-th event is `events[v - 1]`; `house` is the house's short text. `seed` is what
    its cards were shuffled from, with the numbers of `sealed`; null where they were not.
    """

    game: str
    house: str
    seats: tuple[Sat, ...]
    events: tuple[Happened, ...]
    openings: tuple[Opening, ...]
    seed: str | None


class History(NamedTuple):
    """A game's entries up to its end, and how it stood then: None if nothing has been dealt.

    `seats` are who sat where; who has sat down for the next game only is not among them.
    """

    entries: tuple[Entry, ...]
    seats: tuple[Sat, ...]
    openings: tuple[Opening, ...]
    game: Game | None

    def text(self) -> str:
        """The game as it is written down, with the players' names; something has to be dealt.

        Raises: NotationError if an earlier version decided something in it that this one decides differently: a text
        holds the commands only, so it would describe another game.
        """
        events = [entry.event for entry in self.entries if not isinstance(entry.event, TableEvent)]
        try:
            return notation.write(events, [sat.name for sat in self.seats])
        except (ValueError, Refusal) as error:
            raise NotationError(
                f"this game has no text: an earlier version of Ratscrew decided it by other rules ({error})"
            ) from error

    def finished(self, game: str) -> Finished:
        """The game as everybody at the table was told it; something has to be dealt."""
        dealt_us, house = next(
            (entry.at_us, entry.event.rules) for entry in self.entries if isinstance(entry.event, Dealt)
        )
        events = tuple(Happened((entry.at_us - dealt_us) // 1000, redact(entry.event)) for entry in self.entries)
        seed = next((entry.event.seed for entry in self.entries if isinstance(entry.event, Committed)), None)
        return Finished(game, to_link(house), self.seats, events, self.openings, seed)


def history(entries: Sequence[Entry]) -> History:
    """The game that the entries of a log tell of."""
    game, sat, openings = None, dict[int, Sat](), list[Opening]()
    turned = v = 0
    for v, entry in enumerate(entries, 1):
        if isinstance(entry.event, Sat):
            sat[entry.event.seat] = entry.event
        if isinstance(entry.event, TableEvent):
            continue
        game = evolve(game, entry.event)
        if game.n > turned and (patterns := slappable(game)):
            openings.append(Opening(v, patterns[0]))
        turned = game.n
        if game.over:
            break
    seats = range(len(game.hands)) if game else sorted(sat)
    return History(tuple(entries[:v]), tuple(sat[seat] for seat in seats), tuple(openings), game)
