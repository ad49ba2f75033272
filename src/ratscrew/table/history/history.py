"""A game as read from its log: its players, its events up to the end, its text. No decisions here."""

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
from ratscrew.game.view import View
from ratscrew.game.view_changes import Changes, replayed
from ratscrew.rules.link import to_link
from ratscrew.table.record.entries import Committed, Entry, PublicEvent, Sat, TableEvent, is_game_event
from ratscrew.table.state.log_writer import numbered


class Opening(Struct, frozen=True):
    """With the `v`-th event a card was turned that made this pattern: from then on the pile could be slapped."""

    v: int
    pattern: str


class Happened(Struct, frozen=True, omit_defaults=True):
    """An event of a game that is over, `at_ms` after its cards were dealt; negative if it came before.

    `c` and `view` are those of `event`.
    """

    at_ms: int
    e: PublicEvent
    c: Changes = {}
    view: View | None = None


class Finished(Struct, frozen=True):
    """`GET /api/games/GAME`: a game that is over, by the name that `welcome` gives. Its text is at `GAME.txt`.

    `seats` are its players by seat; the `v`-th event is `events[v - 1]`; `house` is the short text of its rules. The
    cards were shuffled from `seed` and the nonces of `committed`; null if they were not shuffled.
    """

    game: str
    house: str
    seats: tuple[Sat, ...]
    events: tuple[Happened, ...]
    openings: tuple[Opening, ...]
    seed: str | None


class History(NamedTuple):
    """A game's entries up to its end, and its state then: None if nothing has been dealt.

    `seats` are its players by seat, without those who joined for the next game only.
    """

    entries: tuple[Entry, ...]
    seats: tuple[Sat, ...]
    openings: tuple[Opening, ...]
    game: Game | None

    def text(self) -> str:
        """The game in the notation, with the players' names; it must have been dealt.

        Raises: NotationError if another version decided something in it that this one decides differently: a text
        holds the commands only, so it would describe another game.
        """
        events = [entry.event for entry in self.entries if not isinstance(entry.event, TableEvent)]
        try:
            return notation.write_game(events, [sat.name for sat in self.seats])
        except (ValueError, Refusal) as error:
            raise NotationError(
                f"this game cannot be exported as text: another version of Ratscrew decided it differently ({error})"
            ) from error

    def finished(self, game: str) -> Finished:
        """The game as every client at the table has received it; it must have been dealt."""
        dealt_us, house = next(
            (entry.at_us, entry.event.rules) for entry in self.entries if isinstance(entry.event, Dealt)
        )
        played = [entry.event for entry in self.entries if is_game_event(entry.event)]
        messages = numbered([entry.event for entry in self.entries], 1, replayed(played, len(played))[1])
        events = tuple(
            Happened((entry.at_us - dealt_us) // 1000, message.e, message.c, message.view)
            for entry, message in zip(self.entries, messages, strict=True)
        )
        seed = next((entry.event.seed for entry in self.entries if isinstance(entry.event, Committed)), None)
        return Finished(game, to_link(house), self.seats, events, self.openings, seed)


def history(entries: Sequence[Entry]) -> History:
    """Read a game from the entries of its log."""
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
