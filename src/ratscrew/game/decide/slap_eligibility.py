"""Whether a slap counts at all. An ineligible slap has no effect and costs nothing.

The decision is that of `slap_logic`, which knows only ints; here the game, or its public view, is described in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ratscrew.errors import RefusalReason
from ratscrew.game import slap_logic
from ratscrew.game.commands import Touch
from ratscrew.game.slap_logic import FOREVER, REDNECKS, SLAP_INS, SLAP_WINDOWS, SlapHouse, SlapTable
from ratscrew.game.standing import Phase, Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.game.turn_logic import LAST_CHANCE, OVER, PLAY, SETTLING, WON
from ratscrew.game.view import View
from ratscrew.rules.example import slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.once import once

REASONS: Sequence[RefusalReason | None] = (
    None,
    RefusalReason.NOT_PLAYING,
    RefusalReason.TOO_LATE,
    RefusalReason.EMPTY_PILE,
    RefusalReason.LOCKED_OUT,
    RefusalReason.HAND_BURNED,
    RefusalReason.CHALLENGE,
    RefusalReason.SLAP_IN,
    RefusalReason.FOREHEAD,
    RefusalReason.WITHDRAW,
    RefusalReason.ALREADY_WON,
    RefusalReason.NO_SLAPS,
)
"""In the order of the ints of `slap_logic`."""

PHASES: Mapping[Phase, int] = {
    "play": PLAY,
    "won": WON,
    "last_chance": LAST_CHANCE,
    "claim": SETTLING,
    "tie": SETTLING,
    "grab": SETTLING,
    "split": SETTLING,
    "over": OVER,
}

LONG_MS = 1 << 40
"""The time since the newest card was turned, where nobody has measured it."""


def slap_refusal(game: Game, touch: Touch) -> RefusalReason | None:
    """Why this slap does not count, or None if it does."""
    seat = touch.seat
    if not 0 <= seat < len(game.hands):
        return RefusalReason.NOT_PLAYING
    if game.voided and seat not in game.tied:  # a hand for the pair that has gone: late, like one after the first
        return RefusalReason.TOO_LATE
    waited_ms = LONG_MS if touch.at_ms is None or game.turned_ms is None else touch.at_ms - game.turned_ms
    house, table = _described(game)
    person = game.seat_states[seat]
    why = slap_logic.slap_refusal(
        house,
        table,
        seat,
        game.cards_held(seat),
        _is_out(game.rules, person),
        not person.playing,
        person.missed,
        _locked(person),
        person.hand_burned,
        person.touched,
        person.convicted,
        waited_ms,
    )
    return REASONS[why]


def slap_bar(view: View, seat: int) -> RefusalReason | None:
    """What bars a seat from slapping, as everybody sees it, whatever the seat does and however long it waits."""
    if view.standing.phase == "over":
        return RefusalReason.GAME_OVER
    house, table = _described_view(view)
    person, held = view.seat_states[seat], view.cards_held[seat]
    out, newcomer = _is_out(view.rules, person), not person.playing
    why = slap_logic.slap_bar(
        house, table, seat, held, out, newcomer, person.missed, _locked(person), person.hand_burned
    )
    return REASONS[why]


def needs_forehead(view: View, seat: int) -> bool:
    """Whether a seat has to touch its forehead before it slaps."""
    person = view.seat_states[seat]
    return slap_logic.needs_forehead(_house(view.rules).redneck, person.touched, person.convicted)


@once
def _house(rules: Rules) -> SlapHouse:
    return SlapHouse(
        slappable(rules),
        SLAP_WINDOWS.index(rules.slap_window),
        SLAP_INS.index(rules.slap_in),
        REDNECKS.index(rules.redneck),
        rules.withdraw_ms,
    )


@once
def _described(game: Game) -> tuple[SlapHouse, SlapTable]:
    """The house and the table, which are the same for each seat that slaps."""
    cards, last = bool(game.pile) or game.sight_with_aside() is not None, -1 if game.last is None else game.last
    held = map(game.cards_held, game.circle)
    return _house(game.rules), _table(game.standing, cards, game.n, last, game.rules, held)


@once
def _described_view(view: View) -> tuple[SlapHouse, SlapTable]:
    """The same, as far as the view shows it."""
    now = view.resume_state or view.standing
    cards = bool(view.pile) or (now.phase == "play" and bool(view.asides[now.turn]))
    return _house(view.rules), _table(view.standing, cards, view.n, -1, view.rules, view.cards_held)


def _table(now: Standing, cards: bool, n: int, last: int, rules: Rules, held: Iterable[int]) -> SlapTable:
    facts = (
        PHASES[now.phase],
        now.phase == "won" and now.reason == "challenge",
        -1 if now.challenger is None else now.challenger,
        cards,
        n,
        last,
        rules.slap_in == "while_two_active" and sum(map(bool, held)) > 1,
    )
    return tuple.__new__(SlapTable, facts)  # in half the time of SlapTable(...), for each state and view of a game


def _is_out(rules: Rules, person: SeatState) -> bool:
    """Whether the player is in the game no more, or not yet where newcomers have to wait."""
    return person.out or (not person.playing and rules.late_join == "no")


def _locked(person: SeatState) -> int:
    """The number of the card before which the player may not slap, or `FOREVER`."""
    return FOREVER if isinstance(person.locked, str) else person.locked
