"""Valid slaps: the pattern on the pile, and what the slap wins."""

from __future__ import annotations

from ratscrew.game.commands import Touch
from ratscrew.game.decide.take import take
from ratscrew.game.event_builder import EventBuilder
from ratscrew.game.events import Lost, Won
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.rules.pattern import BoundPattern


def find_pattern(game: Game) -> tuple[BoundPattern | None, int | None]:
    """The pattern that a slap would find, and the owner of the card aside that it would use (None if none)."""
    patterns, aside = game.slap_matches
    return patterns[0] if patterns else None, aside


def accept_slap(builder: EventBuilder, touch: Touch, pattern: BoundPattern, aside: int | None) -> None:
    """A slap of a pattern that `find_pattern` has found wins the pile or the game, or makes everybody lose."""
    seat = touch.seat
    if pattern.ends == "win":
        builder.add(Won(seat, Standing("over", seat)))
    elif pattern.ends == "all_lose":
        builder.add(Lost(seat, Standing("over", seat)))
    else:
        take(builder, seat, f"slap:{pattern.pattern.name}", aside, touch.after)
