"""Translates events into the event words of worked examples.

Examples have more events in one way (`challenge`, `continues`, `out`, `in` follow from what an event changes) and fewer
in others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ratscrew.cards import Card, Hand
from ratscrew.game import events as ev
from ratscrew.game import incidents
from ratscrew.game.events import Event
from ratscrew.game.state import Game


def narrate(before: Game, event: Event, after: Game, names: Sequence[str]) -> Iterator[list[Any]]:
    """The example events of one event, each a list: its word, then names and values."""
    yield from _itself(before, event, after, names)
    for seat in range(len(before.hands)):
        had, has = before.cards_held(seat), after.cards_held(seat)
        if had and not has and not isinstance(event, ev.Redealt):
            yield ["out", names[seat]]
        elif has and not had:
            yield ["in", names[seat]]
    yield from _moved(before, event, after, names)


def _moved(before: Game, event: Event, after: Game, names: Sequence[str]) -> Iterator[list[Any]]:
    """The example events about the turn and the challenge."""
    was, now = before.standing, after.standing
    if was == now or not isinstance(event, ev.Played | ev.Passed):
        return
    if now.phase == "won" and now.reason == "challenge":
        chances = isinstance(event, ev.Played) and after.rules.chances_by_card[event.card]
        if chances:
            yield ["challenge", names[now.turn], names[now.turn], chances]
        yield ["challenge_won", names[now.turn]]
    elif now.challenger is not None and now.phase == "play":
        if isinstance(event, ev.Played) and now.challenger == event.seat:
            yield ["challenge", names[now.challenger], names[now.turn], now.chances_left]
        elif now.turn != was.turn:
            yield ["continues", names[now.turn], now.chances_left]
    elif was.challenger is not None and was.phase == "play" and isinstance(event, ev.Played):
        yield ["stopped", names[event.seat]]


def _itself(before: Game, event: Event, after: Game, names: Sequence[str]) -> Iterator[list[Any]]:
    match event:
        case ev.Played(seat, card):
            yield ["play", names[seat], str(card)]
        case ev.Withdrawn(seat, card):
            yield ["withdrawn", names[seat], str(card)]
        case ev.Misplayed(seat, card, place):
            yield ["dead", names[seat], str(card), place]
        case ev.Exposed(seat, card):
            yield ["aside", names[seat], str(card)]
        case ev.Fouled(seat):
            yield ["wrong", names[seat]]
        case ev.Burned(seat, _, cards, place):
            yield ["burn", names[seat], _cards(cards), place]
        case ev.Given(seat, receiver, card):
            yield ["give", names[seat], names[receiver], str(card)]
        case ev.Struck(seat, strikes):
            yield ["strike", names[seat], strikes]
        case ev.Locked(seat):
            yield ["lockout", names[seat]]
        case ev.HandBurned(seat):
            yield ["burn_hand", names[seat]]
        case ev.Indebted(seat, cards):
            yield ["debt", names[seat], cards]
        case ev.Eliminated(seat):
            yield ["eliminated", names[seat]]
        case ev.Voided(seats):
            yield ["void", *(names[seat] for seat in seats)]
        case incidents.Claimed(seat):
            yield ["claim", names[seat]]
        case incidents.Contested(seat):
            yield ["contest", names[seat]]
        case incidents.Grabbed(seat, count):
            yield ["grab", names[seat], count]
        case incidents.Returned(seat):
            yield ["returned", names[seat]]
        case incidents.Stowed(seat):
            yield ["stow", names[seat]]
        case incidents.Split(seat, to):
            yield ["split", names[seat], names[to.turn]]
        case incidents.HalfTaken(seat, _, _, count):
            yield ["gets", names[seat], count]
        case ev.Taken(seat, count, why):
            yield ["take", names[seat], count, why]
        case ev.Joined(seat):
            yield ["join", names[seat]]
        case incidents.SlappedDown(seat, target):
            yield ["slap_down", names[seat], names[target]]
        case incidents.Hovered(seat, False):
            yield ["hover", names[seat]]
        case incidents.Touched(seat):
            yield ["forehead", names[seat]]
        case incidents.Feinted(seat, what):
            yield ["feint" if what == "card" else "fake_slap", names[seat]]
        case ev.LastChanceGiven(seat, to):
            yield ["last_chance", names[seat], to.chances_left]
        case ev.LimitSet(cards):
            yield ["limit", cards]
        case ev.Won(seat):
            yield ["win", names[seat]]
        case ev.Lost(seat):
            yield ["all_lose", names[seat]]
        case ev.Tied(seats):
            yield ["tie", *(names[seat] for seat in seats)]
        case ev.Drawn():
            yield ["draw"]
        case ev.Redealt():
            yield ["redeal"]


def _cards(cards: Hand | tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]
