"""An endgame of one's own, declared in one place: it is on the sheet, in the form, and played live and in the lab.

python examples/new_endgame.py
"""

from __future__ import annotations

from ratscrew import events, house
from ratscrew.bots import BOTS
from ratscrew.lab import Backend, choose_backend, play_games
from ratscrew.rules import Alone, described, endgame, sheet
from ratscrew.testing import play_bots


@endgame
def big_pile(alone: Alone) -> bool:
    """If only one player has cards, they take the pile as soon as it has six cards."""
    return alone.pile >= 6


rules = house("classic", endgame="big_pile")
(text,) = (line.text for section in sheet(rules).sections for line in section.lines if "six cards" in line.text)
print(f"On the sheet: {text}")
choice = next(choice for group in described().groups for choice in group.options if choice.path == "endgame")
print(f"In the form: {choice.title}: {', '.join(str(value.value) for value in choice.values)}")

gentle = [BOTS["gentle"]] * 2
games = [play_bots(rules, gentle, seed) for seed in range(45)]
taken = [event for game in games for event in game if isinstance(event, events.Taken)]
ends = [event.count for event in taken if event.reason == "sole_holder"]
assert ends
assert min(ends) >= 6
print(
    f"In play: in {len(games)} games, {len(ends)} piles went to a player who alone had cards: {min(ends)} cards or more"
)

assert choose_backend(rules, gentle) is Backend.KERNEL
assert play_games(rules, gentle, 200, seed=1) == play_games(rules, gentle, 200, seed=1, engine=True)
tally = play_games(rules, gentle, 2000, seed=1)
print(f"In the lab: {tally.games} games, by the kernel, of {tally.cards} cards")
