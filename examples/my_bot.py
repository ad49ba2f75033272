"""A bot of one's own: it turns its cards without haste, slaps doubles only, and sooner if it knew that they would come.

python examples/my_bot.py
"""

from __future__ import annotations

from ratscrew import View, house, replay
from ratscrew.bots import BOTS, Chance, Memory, Plan, may_slap
from ratscrew.testing import check_bot, play_bots


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

if __name__ == "__main__":
    check_bot(BOT)
    game = replay(play_bots(house("classic"), [BOT, BOTS["steady"], BOTS["seshat"]], seed=1))
    assert game.winner is not None
    print(f"{('My bot', 'Isis', 'Seshat')[game.winner]} wins after {game.n} cards")
