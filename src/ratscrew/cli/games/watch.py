"""`ratscrew watch`: bots play a game in the terminal, on a simulated clock. The same seed plays the same game."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from ratscrew.bots.ladder import bot as make_bot
from ratscrew.bots.names import NAMES
from ratscrew.cards import Card, Pile
from ratscrew.cli.games.rules import find
from ratscrew.cli.terminal import can_print, echo, one_line
from ratscrew.game.codec import Codec
from ratscrew.game.events import Burned, Dealt, Drawn, Event, Fouled, LimitSet, Played, Slapped, Taken, Touched, Won
from ratscrew.game.evolve import evolve
from ratscrew.game.standing import EndReason, Standing
from ratscrew.game.state import Game
from ratscrew.table.core.table import Table
from ratscrew.table.record.effects import Effect, Store
from ratscrew.table.record.entries import Entry, Judged, Recorded, TableEvent

_DRAWN: Mapping[EndReason, str] = {
    "play": "no one has cards left",
    "limit": "no one has the most cards",
    "repetition": "the game would go round in circles",
}
_SUITS = {"C": ("♣", "green"), "D": ("♦", "blue"), "H": ("♥", "red"), "S": ("♠", "bold")}


def watch(seed: int | None, players: int, strength: str, preset: str, speed: float, json: bool) -> None:
    """Play one game to its end and print it.

    Raises: RulesError for an unknown house or strength.
    """
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    chance = random.Random(seed)
    table = Table("WATCH", find(preset), make_bot, chance.randrange, chance.random)
    for name in chance.sample(NAMES, players):
        table.add_seat(name, strength)
    out = Console(highlight=False, soft_wrap=True)
    codec = Codec[Entry](Entry)
    picture = _Picture([one_line(seat.name) for seat in table.seats], out)
    at_us, effects = 0, table.start(0)
    if not json:
        out.print(Text(f"{players} {strength} bots play {preset}; seed {seed}", "dim"))
    while True:
        for entry in _entries(effects):
            if json:
                echo(codec.encode(entry).decode())
            else:
                picture.show(entry.event)
        if (wake_us := table.wake_us()) is None:
            return
        if speed:
            time.sleep((wake_us - at_us) / 1e6 / speed)
        at_us, effects = wake_us, table.tick(wake_us)


def _entries(effects: list[Effect]) -> list[Entry]:
    return [entry for effect in effects if isinstance(effect, Store) for entry in effect.entries]


class _Picture:
    """Prints a game to a terminal: a line for each card and for each other event."""

    def __init__(self, names: list[str], out: Console) -> None:
        self._names, self._out = names, out
        self._wide = max(map(len, names))
        self._game: Game | None = None
        self._judged: Judged | None = None

    def show(self, event: Recorded) -> None:
        """Print an event."""
        if isinstance(event, Judged):
            self._judged = event
            return
        if isinstance(event, TableEvent):
            return
        self._game = evolve(self._game, event)
        match event:
            case Dealt(_, hands, to):
                self._say("cyan", f"{sum(map(len, hands))} cards are dealt; {self._names[to.turn]} leads")
            case Played(seat, card, n, to):
                self._card(seat, card, n, to)
            case Burned(seat, _, cards):
                burned = Text(" ").join(map(_card, cards))
                self._say("yellow", f"{self._names[seat]} burns", burned)
            case Taken(seat, count, why):
                self._taken(seat, count, why)
            case Slapped() | Touched():
                pass  # the events that follow say what happened
            case Fouled(seat):
                self._say("yellow", f"{self._names[seat]} slaps wrongly")
            case LimitSet(cards):
                self._say("yellow", f"the game ends with the pile after card {cards:,}: most cards win")
            case Won(seat, _, why):
                by_limit = f" with the most cards, after {self._game.n:,}" if why == "limit" else ""
                self._say("bold green", f"{self._names[seat]} wins{by_limit}")
            case Drawn(_, why):
                self._say("bold green", f"a draw: {_DRAWN[why]}")
            case _:
                self._tell(event)

    def _tell(self, event: Event) -> None:
        """Print any other event by its type's name, with its player and its counts."""
        words = str(event.__struct_config__.tag).replace("_", " ")
        who = getattr(event, "seat", None)
        said = f"{self._names[who]}: {words}" if who is not None else words
        told = [name for name in ("strikes", "until", "half", "claim_type", "feint_type") if hasattr(event, name)]
        more = [f"{name.replace('_', ' ')} {getattr(event, name)}" for name in told]
        self._say("yellow", " ".join([said, *more]))

    def _card(self, seat: int, card: Card, n: int, to: Standing) -> None:
        assert self._game
        line = Text(f"{n:5}  {self._names[seat]:{self._wide}}  ")
        line.append_text(_card(card)).append("   ")
        line.append_text(_pile(self._game.pile)).append("   ")
        line.append(" ".join(str(self._game.cards_held(other)) for other in range(len(self._game.hands))), "dim")
        if to.challenger is not None:
            line.append(
                f"   {self._names[to.turn]} must answer {self._names[to.challenger]}: {to.chances_left} left", "magenta"
            )
        elif to.phase == "won":
            line.append(f"   {self._names[to.turn]} has won the pile ({to.reason})", "magenta")
        self._out.print(line)

    def _taken(self, seat: int, cards: int, why: str) -> None:
        kind, _, pattern = why.partition(":")
        if kind != "slap" or self._judged is None:
            self._say("green", f"{self._names[seat]} takes {cards} cards ({why})")
            return
        judged, self._judged = self._judged, None
        hands = ", ".join(f"{self._names[hit.seat]} {hit.us / 1000:.0f} ms" for hit in judged.order)
        self._say("bold green", f"{pattern}! {self._names[seat]} takes {cards} cards ({hands})")

    def _say(self, style: str, words: str, more: Text | None = None) -> None:
        line = Text("       ").append(words, style)
        self._out.print(line.append(" ").append_text(more) if more else line)


def _card(card: Card) -> Text:
    name = str(card)
    if name.startswith("JK"):
        return Text(name, "bold magenta")
    suit, style = _SUITS[name[1]]
    suit = suit if can_print(suit) else name[1].lower()
    return Text(f"{name[0].replace('T', '10'):>2}{suit}", style)


def _pile(pile: Pile) -> Text:
    shown = Text(" ").join(_card(laid.card) for laid in pile[-5:-1])
    return Text(f"{len(pile):3} in the pile: ", "dim").append_text(shown)
