"""A table written as text: `table("A: KS 2C | B: 4H")`, then `do(game, "A B! take")`, then `hands`, `where`, `told`.

In a script `A` turns the top card of seat A, `A!` is a slap by A, `take` ends the wait for a won pile.
"""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew import cards
from ratscrew.errors import Refusal
from ratscrew.game import events as ev
from ratscrew.game.commands import Command, Play, Timeout, slap
from ratscrew.game.engine import decide, evolve
from ratscrew.game.events import Event
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.rules.presets import house

SEATS = "ABCDEFGH"


def table(text: str, *, turn: str = "A", pile: str = "", **options: Any) -> Game:
    """A game of these hands (top first) in a house of `classic` with these options; the pile is bottom first."""
    decks = [seat.partition(":")[2] for seat in text.split("|")]
    rules, to, seats = house("classic", **options), Standing("play", SEATS.index(turn)), len(decks)
    last = (to.turn - rules.step) % seats if pile else None
    hands, laid = tuple(map(cards.cards, decks)), cards.pile(pile)
    return Game(rules, hands, to, tuple(range(seats)), (SeatState(),) * seats, ((),) * seats, laid, last)


def read(word: str) -> Command:
    """One word of a script."""
    if word == "take":
        return Timeout()
    seat = SEATS.index(word[0])
    return slap(seat) if word[1:] == "!" else Play(seat)


def run(game: Game, script: str) -> tuple[Game, tuple[Event, ...]]:
    """The game after a script, and everything that happened."""
    events: tuple[Event, ...] = ()
    for word in script.split():
        game, more = decide(game, read(word))
        events += more
    return game, events


def do(game: Game, script: str) -> Game:
    """The game after a script."""
    return run(game, script)[0]


def told(game: Game, script: str) -> list[str]:
    """What happens in a script, in words."""
    return tell(game, run(game, script)[1])


def refused(game: Game, word: str) -> str:
    """The code with which a game refuses a command."""
    with pytest.raises(Refusal) as caught:
        decide(game, read(word))
    return caught.value.reason


def hands(game: Game) -> str:
    """All hands, top first, written as `table` reads them."""
    return " | ".join(f"{SEATS[seat]}: {cards.text(hand)}".strip() for seat, hand in enumerate(game.hands))


def where(game: Game) -> str:
    """Where play stands, in words."""
    to = game.standing
    seat = SEATS[to.turn]
    if to.phase == "over":
        return f"{seat} has won the game"
    if to.phase == "won":
        return f"{seat} has won the pile: {to.reason}"
    return (
        f"{seat} plays" if to.challenger is None else f"{seat} answers {SEATS[to.challenger]}, {to.chances_left} left"
    )


def pile(game: Game) -> str:
    """The pile, bottom first; a star marks a burned card."""
    return cards.text(game.pile)


def strikes(game: Game) -> tuple[int, ...]:
    """The strikes of each seat."""
    return tuple(person.strikes for person in game.seat_states)


def barred(game: Game) -> tuple[bool, ...]:
    """Of each seat, whether it may not slap any more."""
    return tuple(person.locked == "game" for person in game.seat_states)


def tell(game: Game, events: tuple[Event, ...]) -> list[str]:
    """What happened in a game of `classic`, in words; what follows from the rest without any is left out."""
    words = []
    for event in events:
        words += say(game, event)
        game = evolve(game, event)
    return words


def say(game: Game, event: Event) -> list[str]:
    """An event in words."""
    match event:
        case ev.Played(seat, card):
            return [f"{SEATS[seat]} turns {card}"]
        case ev.Fouled(seat):
            return [f"{SEATS[seat]} slaps wrong"]
        case ev.Burned(seat, _, burned):
            return [f"{SEATS[seat]} burns {cards.text(burned)}"]
        case ev.Struck(seat, count):
            return [f"{SEATS[seat]} has strike {count}"]
        case ev.Locked(seat, "game"):
            return [f"{SEATS[seat]} is barred"]
        case ev.Taken(seat, _, why):
            return [f"{SEATS[seat]} takes {cards.text(laid.card for laid in game.pile)}: {why}"]
        case ev.Won(seat):
            return [f"{SEATS[seat]} wins"]
    assert isinstance(event, (ev.Slapped, ev.Passed)), event
    return []
