"""Timeouts: of a won pile, a claim, a tie, a false pickup, a choice, a last chance."""

from __future__ import annotations

from ratscrew.cards import Hand
from ratscrew.deck import deal_round, shuffle
from ratscrew.errors import Refusal, RefusalReason
from ratscrew.game.decide import cheating, honour, slap
from ratscrew.game.decide.take import take
from ratscrew.game.decide.turn_order import dealing_order
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Drawn, Redealt, Won
from ratscrew.game.standing import Standing


def timeout(builder: EventBuilder) -> None:
    """The waiting period is over.

    Raises: Refusal (nothing_to_take) if the game is waiting for a player only.
    """
    now = builder.game.standing
    match now.phase:
        case "won":
            bring_in(builder)
        case "claim":
            honour.settle(builder)
        case "tie":
            slap.award(builder, builder.game.tied[0])
        case "grab":
            cheating.stow(builder, now.turn)
        case "split":
            cheating.choose(builder, now.turn, "top")
        case "last_chance" if now.chances_left == 0:
            take(builder, now.turn, "last_chance")
            builder.add(Won(now.turn, Standing("over", now.turn)))
        case _:
            raise Refusal(RefusalReason.NOTHING_TO_TAKE)


def bring_in(builder: EventBuilder) -> None:
    """The won pile goes to its winner; if no seat held a card, the house's stalemate rule applies."""
    now, rules = builder.game.standing, builder.game.rules
    assert now.reason
    if all(builder.game.seat_states[seat].out for seat in builder.game.circle):
        builder.add(Drawn(Standing("over", now.turn)))
    elif now.reason != "stalemate" or rules.stalemate == "last_player":
        take(builder, now.turn, now.reason)
    elif rules.stalemate == "draw":
        builder.add(Drawn(Standing("over", now.turn)))
    else:
        _redeal(builder)


def _redeal(builder: EventBuilder) -> None:
    """Deal all cards again to every player who is not out: the player of the last card deals, the next one leads."""
    game = builder.game
    playing = [seat for seat in dealing_order(game) if not game.seat_states[seat].out]
    mixed = shuffle([laid.card for laid in game.pile], builder.draw)
    hands: list[Hand] = [()] * len(game.hands)
    for seat, hand in zip(playing, deal_round(mixed, len(playing), len(playing) - 1), strict=True):
        hands[seat] = hand
    builder.add(Redealt(tuple(hands), Standing("play", playing[0])))
