"""The lessons: which cards lie where, so that each brings what it teaches. Nothing in this file says what to do.

A learner sits at seat 0, the teacher at seat 1, and both turn by turns. The learner has more cards than he needs, so
that a wrong slap, which burns his next card, ends no lesson before it is understood; nothing but what is meant can be
slapped on the way. No lesson has a clock that hurries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ratscrew.cards import Hand, cards
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

Name: TypeAlias = Literal["turn", "challenge", "double", "sandwich", "wrong", "slap_in"]

LEARNER, TEACHERS = 0, 1
TEACHERS_NAME = "Thoth"
"""Thoth taught people to write, and won five days from the moon at a game."""

HOUSE = house(turn_ms=600_000)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Two hands, top first, and who leads; `slaps` are the tops of piles, newest last, that are to be slapped."""

    learner: str
    teacher: str
    lead: int = LEARNER
    slaps: tuple[str, ...] = ()

    @property
    def tops(self) -> tuple[Hand, ...]:
        """What has to lie on top, the newest card last, when the learner should slap."""
        return tuple(map(cards, self.slaps))

    def lay(self, rules: Rules, seats: int) -> Dealt:
        """The cards as this lesson has them."""
        return Dealt(rules, (cards(self.learner), cards(self.teacher)), Standing("play", self.lead))


LESSONS: Mapping[Name, Lesson] = {
    # 5 8 9 3 2 6 7 ...: nothing happens, one turns by turns.
    "turn": Lesson("5H 9C 2S 7D 4H 8C", "8D 3C 6S TD 5S 9H"),
    # The teacher's king gives three chances; the queen, the third card, beats it. He fails her with the six and the
    # three, and the pile of six is the learner's. One or two cards burned before only bring the queen sooner.
    "challenge": Lesson("4C 9D QS 2H 7C TS 5D", "KS 6H 3C 9S 5C 8D", lead=TEACHERS),
    # 9 4 7 7: the teacher's card makes the double, so that the learner's hand is free.
    "double": Lesson("9C 7H 2S TD 5C 3D", "4D 7S JC 8C 6H 2D", slaps=("7H 7S",)),
    # 3 8 10 8.
    "sandwich": Lesson("3C TC 5D 9S 4H 2H", "8D 8S 2C 6H JD 9C", slaps=("8D TC 8S",)),
    # Nothing to slap for fourteen cards.
    "wrong": Lesson("6C 2D 9H 4S 7D TS 5H 3D", "TD 5S 3H 8C 2C 9C 6H JD"),
    # The learner's only card; then the teacher turns alone, and three times there is something to slap.
    "slap_in": Lesson("2C", "9D 4S 9H 7C 7D 3S 8H 3H 6C TD", slaps=("9D 4S 9H", "7C 7D", "3S 8H 3H")),
}
