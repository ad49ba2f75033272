"""Whether a slap counts at all. An ineligible slap has no effect and costs nothing."""

from __future__ import annotations

from ratscrew.errors import RefusalReason
from ratscrew.game.commands import Touch
from ratscrew.game.state import Game


def slap_refusal(game: Game, touch: Touch) -> RefusalReason | None:
    """Why this slap does not count, or None if it does."""
    seat, now, rules = touch.seat, game.standing, game.rules
    if not 0 <= seat < len(game.hands):
        return RefusalReason.NOT_PLAYING
    person = game.seat_states[seat]
    if person.out or (not person.playing and rules.late_join == "no"):
        return RefusalReason.NOT_PLAYING
    if now.phase in ("claim", "tie", "grab", "split"):
        return RefusalReason.TOO_LATE
    if not game.pile and game.sight_with_aside() is None:
        return RefusalReason.EMPTY_PILE
    if person.locked == "game" or person.locked == "pile" or game.n < person.locked:
        return RefusalReason.LOCKED_OUT
    if person.hand_burned:
        return RefusalReason.HAND_BURNED
    if _closed(game):
        return RefusalReason.CHALLENGE
    if now.phase == "last_chance" and now.challenger not in (None, seat):
        return RefusalReason.SLAP_IN
    if now.phase != "last_chance" and not game.cards_held(seat) and not _may_slap_in(game):
        return RefusalReason.SLAP_IN
    if not person.touched and (rules.redneck == "all" or (rules.redneck == "convicted" and person.convicted)):
        return RefusalReason.FOREHEAD
    if game.last == seat and _too_soon(game, touch):
        return RefusalReason.WITHDRAW
    return None


def _closed(game: Game) -> bool:
    """Whether the house forbids slaps now: during a challenge, or once it has failed."""
    now, window = game.standing, game.rules.slap_window
    failed = now.phase == "won" and now.reason == "challenge"
    runs = now.phase == "play" and now.challenger is not None
    return (window != "always" and failed) or (window == "not_during_challenge" and runs)


def _may_slap_in(game: Game) -> bool:
    if game.rules.slap_in == "while_two_active":
        return len(game.holders) >= 2
    return game.rules.slap_in == "always"


def _too_soon(game: Game, touch: Touch) -> bool:
    """Whether the player who turned the newest card slaps within `withdraw_ms` of turning it."""
    if touch.at_ms is None or game.turned_ms is None:
        return False
    return touch.at_ms - game.turned_ms < game.rules.withdraw_ms
