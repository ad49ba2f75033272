"""The target of a slap of one of the last two cards: the pile, its pattern, and the seats that may slap it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ratscrew.errors import Refusal
from ratscrew.game.commands import Touch
from ratscrew.game.engine import find_pattern, slap_refusal, uncovered
from ratscrew.game.state import Game


@dataclass(frozen=True)
class SlapTarget:
    """The game with that card on top; `pattern` is its name, "" where players judge by their honour, None for none."""

    game: Game
    pattern: str | None

    @cached_property
    def eligible(self) -> Sequence[int]:
        """The seats that may slap it now."""
        return [seat for seat in range(len(self.game.hands)) if not slap_refusal(self.game, Touch(seat))]


def slap_target(game: Game, n: int) -> SlapTarget | None:
    """The target of a slap of card `n`, the newest or the one below it; None if it cannot be uncovered any more."""
    try:
        lies = game if n == game.n else uncovered(game)
    except Refusal:
        return None
    if lies.rules.judge == "honour":
        return SlapTarget(lies, "")
    pattern = find_pattern(lies)[0]
    return SlapTarget(lies, pattern.pattern.name if pattern else None)
