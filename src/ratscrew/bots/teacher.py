"""The teacher of the lessons: turns cards calmly and never slaps. Not available at an ordinary table."""

from __future__ import annotations

from ratscrew.bots.bot import Bot
from ratscrew.bots.ladder import bot as some_bot
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import Reflexes

TEACHER = "teacher"
"""The teacher's strength, as the log names it."""

_CALM = ReflexBot(Reflexes(0, 0, 0, 0, pace_us=1_800_000, miss=1.0, false_alarm=0.0, lure_false_alarm=0.0))


def bot(strength: str) -> Bot:
    """The bot of a strength, the teacher among them.

    Raises: RulesError if there is no such strength.
    """
    return _CALM if strength == TEACHER else some_bot(strength)
