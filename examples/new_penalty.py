"""A penalty of one's own, declared in one place: it is on the sheet and in the form, and is played live and in the lab.

python examples/new_penalty.py
"""

from __future__ import annotations

from random import Random

from ratscrew.bots.ladder import bot
from ratscrew.game.events import Locked
from ratscrew.lab.play import Backend, choose_backend, play
from ratscrew.rules.describe import described
from ratscrew.rules.penalties import WRONG_SLAP, Burn, Consequence, Count, Lock, Offence, costs
from ratscrew.rules.presets import house
from ratscrew.rules.sheet import sheet
from ratscrew.table.effects import Store
from ratscrew.table.table import Table


@costs(WRONG_SLAP)
def timeout(offence: Offence, *, cards: Count = 3) -> list[Consequence]:
    """You burn a card and can't slap for a while, longer after each wrong slap until your next good one.

    cards: Cards. How long it lasts at first.
    cards = {}: {} cards at first
    """
    return [Burn(1, "bottom"), Lock(cards + offence.fouls)]


rules = house("classic", wrong_slap={"kind": "timeout", "cards": 2})
(text,) = (line.text for section in sheet(rules).sections for line in section.lines if "longer after" in line.text)
print(f"On the sheet: {text}")
cost = next(cost for cost in described().wrong_slap if cost.kind == "timeout")
print(f"In the form: ( ) {cost.text} {cost.parameters[0].title}: {cost.parameters[0].default}")

chance = Random(1)
table = Table("EXAMPLE", rules, bot, chance.randrange, chance.random)
for name in ("Isis", "Thoth", "Horus"):
    table.add_seat(name, "gentle")
effects = table.start(0)
while (wake_us := table.wake_us()) is not None:
    effects += table.tick(wake_us)
events = [entry.event for effect in effects if isinstance(effect, Store) for entry in effect.entries]
locked = sum(isinstance(event, Locked) for event in events)
assert locked
print(f"In play: {locked} wrong slaps locked a hand in one game")

gentle = [bot("gentle")] * 3
assert choose_backend(rules, gentle) is Backend.KERNEL
assert play(rules, gentle, 20, seed=1) == play(rules, gentle, 20, seed=1, engine=True)
tally = play(rules, gentle, 2000, seed=1)
print(f"In the lab: {sum(tally.wrong)} wrong slaps in {tally.games} games, by the kernel, of {tally.cards} cards")
