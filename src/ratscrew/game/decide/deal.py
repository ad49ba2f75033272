"""The beginning of a game: a deck becomes hands. The order of the deck comes from the caller."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.cards import Card
from ratscrew.cards import deal as deal_out
from ratscrew.errors import RulesError
from ratscrew.game.events import Dealt, Standing
from ratscrew.rules.house import Rules


def deal(rules: Rules, deck: Sequence[Card], seats: int, dealer: int) -> Dealt:
    """The first event of a game: the deck dealt out, and the player next to the dealer leads.

    Raises: RulesError if the house does not allow so many players.
    """
    if not 2 <= seats <= rules.max_players:
        raise RulesError([f"{seats} players: this house is for 2 to {rules.max_players}"])
    return Dealt(rules, deal_out(deck, seats, dealer, rules.step), Standing("play", (dealer + rules.step) % seats))
