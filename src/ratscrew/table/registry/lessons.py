"""The lessons: the cards of each, laid out so that it shows what it teaches. The client has the instructions.

The learner has seat 0, the teacher seat 1, and they take turns. The learner has more cards than they need, so a wrong
slap, which burns their next card, does not end a lesson early; nothing can be slapped but what the lesson is about. No
lesson has a short turn timeout.
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
    """Two hands, top first, and the leading seat; `slaps` are the tops of piles to slap, newest card last."""

    learner: str
    teacher: str
    lead: int = LEARNER
    slaps: tuple[str, ...] = ()

    @property
    def tops(self) -> tuple[Hand, ...]:
        """The tops of the pile, newest card last, that the learner should slap."""
        return tuple(map(cards, self.slaps))

    def lay(self, rules: Rules, seats: int) -> Dealt:
        """The deal of this lesson."""
        return Dealt(rules, (cards(self.learner), cards(self.teacher)), Standing("play", self.lead))


LESSONS: Mapping[Name, Lesson] = {
    # 5 8 9 3 2 6 7 ...: nothing to slap; learner and teacher take turns.
    "turn": Lesson("5H 9C 2S 7D 4H 8C", "8D 3C 6S TD 5S 9H"),
    # The teacher's king gives three chances; the queen, the third card, answers it. The teacher fails to answer the
    # queen with the six and the three, and the learner takes the pile of six. A burned card or two only bring the queen
    # sooner.
    "challenge": Lesson("4C 9D QS 2H 7C TS 5D", "KS 6H 3C 9S 5C 8D", lead=TEACHERS),
    # 9 4 7 7: the teacher's card makes the double, so the learner's hand is free.
    "double": Lesson("9C 7H 2S TD 5C 3D", "4D 7S JC 8C 6H 2D", slaps=("7H 7S",)),
    # 3 8 10 8.
    "sandwich": Lesson("3C TC 5D 9S 4H 2H", "8D 8S 2C 6H JD 9C", slaps=("8D TC 8S",)),
    # Nothing to slap for fourteen cards.
    "wrong": Lesson("6C 2D 9H 4S 7D TS 5H 3D", "TD 5S 3H 8C 2C 9C 6H JD"),
    # The learner's only card; then the teacher turns alone, and there is something to slap three times.
    "slap_in": Lesson("2C", "9D 4S 9H 7C 7D 3S 8H 3H 6C TD", slaps=("9D 4S 9H", "7C 7D", "3S 8H 3H")),
}
