"""Valid slaps: the pattern on the pile, and what the slap wins."""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.game.commands import Touch
from ratscrew.game.decide.take import take
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Lost, Won
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.rules.pattern import BoundPattern


class SlapMatches(NamedTuple):
    """The patterns that a slap would find, in reading order; `aside` is the owner of the card aside that they use."""

    patterns: tuple[BoundPattern, ...] = ()
    aside: int | None = None


_latest: tuple[Game | None, SlapMatches] = None, SlapMatches()


def find_patterns(game: Game) -> SlapMatches:
    """All patterns that a slap would find.

    A card aside whose owner is next to play may count as turned or not, whichever makes a pattern. The answer for the
    latest game is kept, because one card is asked about several times: by slaps, by the race, and when it is covered.
    """
    global _latest
    latest = _latest
    if latest[0] is not game:
        latest = _latest = game, _find_patterns(game)
    return latest[1]


def _find_patterns(game: Game) -> SlapMatches:
    if game.voided:
        return SlapMatches()
    if game.pile and (patterns := game.rules.all_matches(game.sight)):
        return SlapMatches(patterns)
    virtual = game.sight_with_aside()
    if virtual and (patterns := game.rules.all_matches(virtual)):
        return SlapMatches(patterns, (game.resume_state or game.to).turn)
    return SlapMatches()


def find_pattern(game: Game) -> tuple[BoundPattern | None, int | None]:
    """The pattern that a slap would find, and the owner of the card aside that it would use (None if none)."""
    patterns, aside = find_patterns(game)
    return patterns[0] if patterns else None, aside


def accept_slap(builder: EventBuilder, touch: Touch) -> None:
    """A valid slap wins the pile or the game, or makes everybody lose."""
    game, seat = builder.game, touch.seat
    pattern, aside = find_pattern(game)
    assert pattern, "a good slap has its pattern"
    over = Standing("over", seat)
    if pattern.ends == "win":
        builder.add(Won(seat, over))
    elif pattern.ends == "all_lose":
        builder.add(Lost(seat, over))
    else:
        take(builder, seat, f"slap:{pattern.pattern.name}", aside, touch.after)
