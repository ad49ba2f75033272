"""Turn order: maps seats to places in the circle, and the ints of `turn_logic` to a `Standing`."""

from __future__ import annotations

from ratscrew.game import turn_logic
from ratscrew.game.standing import Phase, Reason, Standing
from ratscrew.game.state import Game
from ratscrew.game.turn_logic import RawStanding
from ratscrew.rules.endgames import AT_ONCE, ends_alone
from ratscrew.rules.house import Rules

PHASES: tuple[Phase, ...] = ("play", "won", "last_chance")
REASONS: tuple[Reason, ...] = ("challenge", "sole_holder", "stalemate")
"""In the order of the ints of `turn_logic`; a standing of another phase does not change by itself."""


def after_card(game: Game, seat: int, chances: int, stops: bool) -> Standing:
    """The standing after `seat` has turned a card that gives this many chances, or that stops a challenge."""
    held, rules, now = held_by_place(game), game.rules, game.standing
    place = game.circle.index(seat)
    held[place] -= 1
    by = -1 if stops or now.challenger is None else game.circle.index(now.challenger)
    takes, ends = turn_options(rules, len(game.pile) + 1)
    return to_standing(game, turn_logic.after_card(place, chances, by, now.chances_left, held, rules.step, takes, ends))


def passed_on(game: Game) -> Standing:
    """The standing that follows by itself; the same object if none does."""
    now, place_of = game.standing, game.circle.index
    if now.phase not in PHASES:
        return now
    by = -1 if now.challenger is None else place_of(now.challenger)
    why = -1 if now.reason is None else REASONS.index(now.reason)
    raw = PHASES.index(now.phase), place_of(now.turn), by, now.chances_left, why
    last = -1 if game.last is None else place_of(game.last)
    out = [game.seat_states[seat].out for seat in game.circle]
    pile, theft = bool(game.pile), game.theft is not None
    after = turn_logic.passed_on(
        raw, last, held_by_place(game), out, pile, theft, game.rules.step, *turn_options(game.rules, len(game.pile))
    )
    return now if after == raw else to_standing(game, after)


def standing_stays(game: Game) -> bool:
    """Whether nothing follows by itself, as far as one look tells: a seat keeps its turn, or a won pile waits."""
    now = game.standing
    if now.phase == "won":
        return turn_logic.waits(turn_logic.WON, game.seat_states[now.turn].out)
    if now.phase != "play":
        return False
    held, pile = game.cards_held(now.turn), len(game.pile)
    return turn_logic.keeps_turn(turn_logic.PLAY, held, pile, ends_alone(game.rules.endgame, pile))


def winner(game: Game) -> int | None:
    """The seat that holds every card, or that is the last with cards where others are out at once; or None."""
    phase, theft, at_once = game.standing.phase, game.theft is not None, game.rules.endgame in AT_ONCE
    if (phase != "play" or game.pile) and not (at_once and phase in ("play", "won")):
        return None  # most of the time, so cards are not counted for it
    ends = turn_logic.AT_ONCE if at_once else 0
    place = turn_logic.winner(PHASES.index(phase), held_by_place(game), bool(game.pile), theft, ends)
    return None if place < 0 else game.circle[place]


def most_cards(game: Game) -> int | None:
    """The seat that holds the most cards; None if several hold as many."""
    place = turn_logic.most_cards(held_by_place(game))
    return None if place < 0 else game.circle[place]


def last_chance_of(game: Game, seat: int, loser: int | None) -> Standing:
    """The standing of a last chance, which the seat gives to others: to the loser of the last challenge, or all."""
    rules, place_of = game.rules, game.circle.index
    raw = turn_logic.last_chance_of(
        place_of(seat),
        -1 if loser is None else place_of(loser),
        rules.last_chance_who == "anyone",
        rules.last_chance,
        game.cards_held(seat),
        rules.step,
        len(game.circle),
    )
    return to_standing(game, raw)


def following_seats(game: Game, seat: int) -> list[int]:
    """Every other seat of the circle in the order of play, from the next one after `seat`; with cards or without.

    A player who is not in the circle yet counts as being at its end, where newcomers sit.
    """
    circle = game.circle if seat in game.circle else (*game.circle, seat)
    place, step = circle.index(seat), game.rules.step
    return [circle[(place + step * far) % len(circle)] for far in range(1, len(circle))]


def dealing_order(game: Game) -> list[int]:
    """The seats in the order of a redeal: the player whose turn it is deals, and so comes last."""
    dealer = game.standing.turn
    return [*following_seats(game, dealer), dealer]


def next_seat(game: Game, seat: int, back: bool = False) -> int:
    """The next seat in the circle (or the one before), with cards or without."""
    step = -game.rules.step if back else game.rules.step
    return game.circle[(game.circle.index(seat) + step) % len(game.circle)]


def turn_options(rules: Rules, pile: int) -> tuple[bool, int]:
    """What `turn_logic` has of a house's options: `challenger_takes`, and `ends` at a pile of so many cards."""
    return rules.run_out == "challenger_takes", ends_alone(rules.endgame, pile)


def held_by_place(game: Game) -> list[int]:
    """How many cards each place in the circle holds."""
    hands, asides = game.hands, game.asides
    return [len(hands[seat]) + len(asides[seat]) for seat in game.circle]


def to_standing(game: Game, raw: RawStanding) -> Standing:
    """The standing that `turn_logic` means, with seats instead of places."""
    phase, turn, by, left, why = raw
    return Standing(
        PHASES[phase],
        game.circle[turn],
        None if by < 0 else game.circle[by],
        left,
        None if why < 0 else REASONS[why],
    )
