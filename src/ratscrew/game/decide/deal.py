"""The beginning of a game: deals a deck into hands."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.cards import Card, PileCard, full_deck
from ratscrew.deck import Draw, deal_round, deal_stacks, riffle, shuffle
from ratscrew.errors import RulesError
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.words import say

PLAYERS_TO_A_DECK = 6
"""With `decks = auto` there is one deck for every six players, rounded up."""


def deck_for(rules: Rules, seats: int) -> tuple[Card, ...]:
    """Every card of a game for this many players, in order."""
    decks = -(-seats // PLAYERS_TO_A_DECK) if rules.decks == "auto" else rules.decks
    jokers = rules.jokers * decks
    deck = full_deck(rules.pack, decks, jokers, rules.missing)
    if rules.remainder == "jokers":
        deck = full_deck(rules.pack, decks, jokers + -len(deck) % seats, rules.missing)
    return deck


def deal(rules: Rules, seats: int, dealer: int, draw: Draw) -> Dealt:
    """The first event of a game: the deck is shuffled and dealt, and the player next to the dealer leads.

    Raises: RulesError if the house does not allow this many players, or has too few cards for them.
    """
    check_players(rules, seats)
    deck = deck_for(rules, seats)
    mixed = shuffle(deck, draw) if rules.shuffle == "uniform" else riffle(deck, draw)
    return deal_out(rules, mixed, seats, dealer)


def check_players(rules: Rules, seats: int) -> None:
    """Check that a house can deal to this many players.

    Raises: RulesError if it does not allow so many, or has too few cards for them.
    """
    cards = len(deck_for(rules, seats))
    if seats < 2 or (rules.max_players and seats > rules.max_players):
        raise RulesError(
            [say("{seats} players: these rules are for 2 to {most}", seats=seats, most=rules.max_players or cards)]
        )
    if seats > cards:
        raise RulesError(
            [say("{seats} players: these rules have only {cards} cards for them (decks)", seats=seats, cards=cards)]
        )


def deal_out(rules: Rules, deck: Sequence[Card], seats: int, dealer: int) -> Dealt:
    """The first event of a game with the deck in this order."""
    over = len(deck) % seats if rules.remainder == "pile" else 0
    dealt, rest = deck[: len(deck) - over], deck[len(deck) - over :]
    hands = (deal_round if rules.deal == "one_by_one" else deal_stacks)(dealt, seats, dealer, rules.step)
    pile = tuple(PileCard(card, "dead") for card in rest)
    return Dealt(rules, hands, Standing("play", (dealer + rules.step) % seats), pile)
