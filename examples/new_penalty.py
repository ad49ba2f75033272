"""A penalty of one's own, declared in one place: it is on the sheet and in the form, and is played live and in the lab.

python examples/new_penalty.py
"""

from __future__ import annotations

from ratscrew import events, house
from ratscrew.bots import BOTS
from ratscrew.lab import Backend, choose_backend, play_games
from ratscrew.rules import WRONG_SLAP, Burn, Consequence, Count, Lock, Offence, costs, described, sheet
from ratscrew.testing import play_bots


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

gentle = [BOTS["gentle"]] * 3
locked = sum(isinstance(event, events.Locked) for event in play_bots(rules, gentle, seed=1))
assert locked
print(f"In play: {locked} wrong slaps locked a hand in one game")

assert choose_backend(rules, gentle) is Backend.KERNEL
assert play_games(rules, gentle, 20, seed=1) == play_games(rules, gentle, 20, seed=1, engine=True)
tally = play_games(rules, gentle, 2000, seed=1)
print(f"In the lab: {sum(tally.wrong)} wrong slaps in {tally.games} games, by the kernel, of {tally.cards} cards")
