"""Between seats and their places in the circle, and between the ints of `flow` and a `Standing`."""

from __future__ import annotations

from ratscrew.game import flow
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def after_card(game: Game, seat: int, chances: int, stops: bool) -> Standing:
    """Where play stands once `seat` has turned a card that gives so many chances, or that stops a challenge."""
    place, by, held = _places(game, seat)
    held[place] -= 1
    if stops:
        by = -1
    if chances == 0 and by >= 0 and game.to.left > 1 and not held[place] and game.rules.run_out == "challenger_takes":
        return _standing(game, (flow.WON, by, by, 0))
    answer = flow.after_card(place, chances, by, game.to.left, held, game.rules.step)
    return _lone(game, seat, _standing(game, answer), held)


def after_loss(game: Game) -> Standing:
    """Where play stands once who has to play has lost the last of his cards otherwise."""
    seat = game.to.turn
    if seat not in game.circle:
        return _after_exit(game)
    place, by, held = _places(game, seat)
    if by >= 0 and game.rules.run_out == "challenger_takes":
        return _standing(game, (flow.WON, by, by, 0))
    last = place if game.last is None else game.circle.index(game.last)
    return _standing(game, flow.after_loss(place, by, game.to.left, last, held, game.rules.step))


def before(game: Game, seat: int) -> int | None:
    """The nearest earlier seat that holds cards, or None."""
    place, _, held = _places(game, seat)
    held[place] = 0
    found = flow.next_holder(place, held, -game.rules.step)
    return None if found < 0 else game.circle[found]


def next_seat(game: Game, seat: int, back: bool = False) -> int:
    """The next seat in the circle (or the one before), with cards or without."""
    step = -game.rules.step if back else game.rules.step
    return game.circle[(game.circle.index(seat) + step) % len(game.circle)]


def _lone(game: Game, seat: int, to: Standing, held: list[int]) -> Standing:
    """The same, unless the house ends the game when one player alone holds cards."""
    if to.phase != "play" or to.by is not None or game.rules.endgame == "play_out":
        return to
    holders = [game.circle[place] for place, count in enumerate(held) if count]
    if len(holders) != 1 or (game.rules.endgame == "must_play" and holders != [seat]):
        return to
    return Standing("won", holders[0], why="sole_holder")


def _after_exit(game: Game) -> Standing:
    holders = game.holders
    return Standing("play", holders[0]) if holders else Standing("won", game.last or 0, why="stalemate")


def _places(game: Game, seat: int) -> tuple[int, int, list[int]]:
    """The place of a seat in the circle, the challenger's (or -1), and how many cards each place holds."""
    by = -1 if game.to.by is None else game.circle.index(game.to.by)
    return game.circle.index(seat), by, [game.held(other) for other in game.circle]


def _standing(game: Game, answer: flow.Answer) -> Standing:
    state, turn, by, left = answer
    if state == flow.PLAY:
        return Standing("play", game.circle[turn], None if by < 0 else game.circle[by], left)
    return Standing("won", game.circle[turn], why="challenge" if state == flow.WON else "stalemate")
