"""Turning a card: in turn, out of turn, or early."""

from __future__ import annotations

from ratscrew.errors import RefusalReason
from ratscrew.game.decide.turn_order import after_card
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Burned, Exposed, Misplayed, Played
from ratscrew.game.standing import Standing


def play(builder: EventBuilder, seat: int, at_ms: int | None = None) -> None:
    """The seat turns its next card: onto the pile in its turn, otherwise by the house's `out_of_turn`.

    Raises: Refusal (not_your_turn, no_cards).
    """
    now = builder.game.standing
    if now.turn == seat and (now.phase == "play" or (now.phase == "last_chance" and now.chances_left)):
        turn_card(builder, at_ms)
    else:
        _out_of_turn(builder, seat)


def reveal(builder: EventBuilder, seat: int) -> None:
    """The seat shows its next card early; in its turn this plays the card.

    Raises: Refusal (not_your_turn, no_cards).
    """
    now = builder.game.standing
    if now.phase == "play" and now.turn == seat and not builder.game.asides[seat]:
        turn_card(builder)
    else:
        _out_of_turn(builder, seat)


def place(builder: EventBuilder, owner: int) -> None:
    """Lay a card that lies aside onto the pile for its owner, whose turn it is.

    Raises: Refusal (not_your_turn, nothing_aside).
    """
    game = builder.game
    builder.require(0 <= owner < len(game.hands), RefusalReason.NOT_PLAYING)
    builder.require(game.standing.phase == "play" and game.standing.turn == owner, RefusalReason.NOT_YOUR_TURN)
    builder.require(bool(game.asides[owner]), RefusalReason.NOTHING_ASIDE)
    turn_card(builder)


def turn_card(builder: EventBuilder, at_ms: int | None = None) -> None:
    """The seat whose turn it is turns a card: the first of those aside, else its top card."""
    game, now = builder.game, builder.game.standing
    seat = now.turn
    aside = bool(game.asides[seat])
    card = game.asides[seat][0] if aside else game.hands[seat][0]
    rules = game.rules
    at_ms = at_ms if rules.withdraw_ms else None
    if now.phase == "last_chance":
        after = Standing("last_chance", seat, now.challenger, now.chances_left - 1)
        builder.add(Played(seat, card, game.n + 1, after, 0, aside, at_ms))
        return
    chances = rules.chances_by_card[card]
    chance = 0 if chances else game.next_answer_number(now)
    stops = now.challenger is not None and card in rules.stops and not chances
    builder.add(Played(seat, card, game.n + 1, after_card(game, seat, chances, stops), chance, aside, at_ms))


def _out_of_turn(builder: EventBuilder, seat: int) -> None:
    """A card played out of turn: refused, dead, or laid aside, as the house has it."""
    game, rules = builder.game, builder.game.rules
    builder.require(
        rules.out_of_turn != "reject" and game.standing.phase in ("play", "won"), RefusalReason.NOT_YOUR_TURN
    )
    builder.require(bool(game.hands[seat]), RefusalReason.NO_CARDS)
    if rules.out_of_turn == "aside":
        builder.add(Exposed(seat, game.hands[seat][0]))
        return
    builder.add(Misplayed(seat, game.hands[seat][0], rules.dead_place))
    if fine := builder.game.hands[seat][: rules.out_of_turn_burn]:
        builder.add(Burned(seat, len(fine), fine, "bottom", rules.burn_face_up))
