"""Turn order: maps seats to places in the circle, and the ints of `turn_logic` to a `Standing`."""

from __future__ import annotations

from ratscrew.game import turn_logic
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game


def after_card(game: Game, seat: int, chances: int, stops: bool) -> Standing:
    """The standing after `seat` has turned a card that gives this many chances, or that stops a challenge."""
    place, by, held = _places(game, seat)
    held[place] -= 1
    if stops:
        by = -1
    if (
        chances == 0
        and by >= 0
        and game.standing.chances_left > 1
        and not held[place]
        and game.rules.run_out == "challenger_takes"
    ):
        return _standing(game, (turn_logic.WON, by, by, 0))
    answer = turn_logic.after_card(place, chances, by, game.standing.chances_left, held, game.rules.step)
    return _lone(game, seat, _standing(game, answer), held)


def after_loss(game: Game) -> Standing:
    """The standing after the seat whose turn it is has lost its last card other than by playing."""
    place, by, held = _places(game, game.standing.turn)
    if by >= 0 and game.rules.run_out == "challenger_takes":
        return _standing(game, (turn_logic.WON, by, by, 0))
    last = place if game.last is None else game.circle.index(game.last)
    return _standing(game, turn_logic.after_loss(place, by, game.standing.chances_left, last, held, game.rules.step))


def previous_holder(game: Game, seat: int) -> int | None:
    """The nearest earlier seat that holds cards, or None."""
    place, _, held = _places(game, seat)
    held[place] = 0
    found = turn_logic.next_holder(place, held, -game.rules.step)
    return None if found < 0 else game.circle[found]


def following_seats(game: Game, seat: int) -> list[int]:
    """Every other seat of the circle in the order of play, from the next one after `seat`; with cards or without.

    A player who is not in the circle yet counts as being at its end, where newcomers sit.
    """
    circle = game.circle if seat in game.circle else (*game.circle, seat)
    place, step = circle.index(seat), game.rules.step
    return [circle[(place + step * far) % len(circle)] for far in range(1, len(circle))]


def stalemate_standing(game: Game) -> Standing:
    """The standing when no seat holds a card: the pile waits for the player of its last card.

    If that player is out of the game, it waits for the next player who is not; if all are out, it stays with them.
    """
    last = game.standing.turn if game.last is None else game.last
    playing = (seat for seat in (last, *following_seats(game, last)) if not game.seat_states[seat].out)
    return Standing("won", next(playing, last), reason="stalemate")


def dealing_order(game: Game) -> list[int]:
    """The seats in the order of a redeal: the player whose turn it is deals, and so comes last."""
    dealer = game.standing.turn
    return [*following_seats(game, dealer), dealer]


def next_seat(game: Game, seat: int, back: bool = False) -> int:
    """The next seat in the circle (or the one before), with cards or without."""
    step = -game.rules.step if back else game.rules.step
    return game.circle[(game.circle.index(seat) + step) % len(game.circle)]


def _lone(game: Game, seat: int, to: Standing, held: list[int]) -> Standing:
    """The same standing, unless the house ends the game when one player alone holds cards."""
    if to.phase != "play" or to.challenger is not None or game.rules.endgame == "play_out":
        return to
    holders = [game.circle[place] for place, count in enumerate(held) if count]
    if len(holders) != 1 or (game.rules.endgame == "must_play" and holders != [seat]):
        return to
    return Standing("won", holders[0], reason="sole_holder")


def _places(game: Game, seat: int) -> tuple[int, int, list[int]]:
    """The place of a seat in the circle, the challenger's (or -1), and how many cards each place holds."""
    by = -1 if game.standing.challenger is None else game.circle.index(game.standing.challenger)
    return game.circle.index(seat), by, [game.cards_held(other) for other in game.circle]


def _standing(game: Game, answer: turn_logic.RawStanding) -> Standing:
    state, turn, by, left = answer
    if state == turn_logic.PLAY:
        return Standing("play", game.circle[turn], None if by < 0 else game.circle[by], left)
    return Standing("won", game.circle[turn], reason="challenge" if state == turn_logic.WON else "stalemate")
