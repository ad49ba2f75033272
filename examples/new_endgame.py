"""An endgame of one's own, declared in one place: it is on the sheet, in the form, and played live and in the lab.

python examples/new_endgame.py
"""

from __future__ import annotations

from random import Random

from ratscrew.bots.ladder import bot
from ratscrew.game.events import Taken
from ratscrew.lab.play import Backend, choose_backend, play
from ratscrew.rules.describe import described
from ratscrew.rules.endgames import Alone, endgame
from ratscrew.rules.presets import house
from ratscrew.rules.sheet import sheet
from ratscrew.table.effects import Store
from ratscrew.table.table import Table


@endgame
def big_pile(alone: Alone) -> bool:
    """If only one player has cards, they take the pile as soon as it has six cards."""
    return alone.pile >= 6


rules = house("classic", endgame="big_pile")
(text,) = (line.text for section in sheet(rules).sections for line in section.lines if "six cards" in line.text)
print(f"On the sheet: {text}")
choice = next(choice for group in described().groups for choice in group.options if choice.path == "endgame")
print(f"In the form: {choice.title}: {', '.join(str(value.value) for value in choice.values)}")

ends = list[int]()
for seed in range(20):
    chance = Random(seed)
    table = Table("EXAMPLE", rules, bot, chance.randrange, chance.random)
    for name in ("Isis", "Thoth"):
        table.add_seat(name, "gentle")
    effects = table.start(0)
    while (wake_us := table.wake_us()) is not None:
        effects += table.tick(wake_us)
    events = [entry.event for effect in effects if isinstance(effect, Store) for entry in effect.entries]
    ends += [event.count for event in events if isinstance(event, Taken) and event.reason == "sole_holder"]
assert ends
assert min(ends) >= 6
print(f"In play: {len(ends)} piles of 20 games went to a player who alone had cards, the smallest of {min(ends)} cards")

gentle = [bot("gentle")] * 2
assert choose_backend(rules, gentle) is Backend.KERNEL
assert play(rules, gentle, 200, seed=1) == play(rules, gentle, 200, seed=1, engine=True)
tally = play(rules, gentle, 2000, seed=1)
print(f"In the lab: {tally.games} games, by the kernel, of {tally.cards} cards")
