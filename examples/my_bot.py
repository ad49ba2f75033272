"""A bot of one's own: it turns its cards without haste, slaps doubles only, and sooner if it knew that they would come.

python examples/my_bot.py
"""

from __future__ import annotations

from random import Random

from ratscrew.bots.bot import Bot, Chance, Plan
from ratscrew.bots.duties import may_slap
from ratscrew.bots.ladder import bot
from ratscrew.bots.memory import Memory
from ratscrew.game.view import View
from ratscrew.rules.presets import house
from ratscrew.table.table import Table
from ratscrew.testing.check_bot import check_bot


class OnlyDoubles:
    """Sees what everybody sees, and knows one pattern."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """Turn after a second; slap a double in a third of one, or in a quarter."""
        mine = view.standing.phase == "play" and view.standing.turn == seat
        pattern = view.first_match()
        sees = pattern is not None and pattern.pattern.name == "double" and may_slap(view, seat)
        slap_us = 250_000 if memory.expected(seat, share=0.5) else 330_000
        return Plan(turn_us=1_000_000 if mine else None, slap_us=slap_us if sees else None)


BOT = OnlyDoubles()
"""What `ratscrew bot --module my_bot --room CODE` sends to a room."""


def make_bot(kind: str) -> Bot:
    """My bot, or one of those that come with the game."""
    return BOT if kind == "mine" else bot(kind)


if __name__ == "__main__":
    check_bot(BOT)
    chance = Random(1)
    table = Table("EXAMPLE", house("classic"), make_bot, chance.randrange, chance.random)
    for name, kind in (("Mine", "mine"), ("Isis", "steady"), ("Seshat", "seshat")):
        table.add_seat(name, kind)
    table.start(0)
    while (wake_us := table.wake_us()) is not None:
        table.tick(wake_us)
    assert table.game is not None
    assert table.game.winner is not None
    print(f"{table.seats[table.game.winner].name} wins after {table.game.n} cards")
