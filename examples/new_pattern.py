"""A slap pattern of one's own, declared in one place: it is on the sheet, in the census and in the form, and is played.

python examples/new_pattern.py
cd examples; ratscrew lab run --module new_pattern --preset "1;classic;slaps.court=2" --players 2
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Annotated

from msgspec import Meta

from ratscrew.bots.ladder import bot
from ratscrew.game.events import Taken
from ratscrew.rules.census import census
from ratscrew.rules.describe import described
from ratscrew.rules.pattern import slap
from ratscrew.rules.presets import house
from ratscrew.rules.ranks import JACK, KING
from ratscrew.rules.sheet import sheet
from ratscrew.table.effects import Store
from ratscrew.table.table import Table


@slap(yes=["JS KD", ("JS QD QH", {"len": 3})], no=["JS TD", "AS KD", ("JS QD TH", {"len": 3})])
def court(*cards: int, len: Annotated[int, Meta(ge=2, le=5)] = 2) -> bool:
    """Jacks, queens and kings, one after the other.

    len: Cards. How many must lie on each other.
    len = {}: {} cards
    """
    return all(JACK <= rank <= KING for rank in cards)


if __name__ == "__main__":
    rules = house("classic", slaps={"court": 2})
    for line in (line for section in sheet(rules).sections for line in section.lines if line.slap == "court"):
        print(f"On the sheet: {line.text}   {line.cards}")
    match, of = census(rules)["court"]
    assert (match, of) == (12 * 11, 52 * 51)
    print(f"In the census: {match} of {of} windows of two cards, which is 12 * 11 of 52 * 51")
    box = next(box for box in described().slaps if box.name == "court")
    print(f"In the form: [x] {box.title}, {box.parameters[0].least} to {box.parameters[0].most} cards: {box.text}")

    chance = Random(1)
    table = Table("EXAMPLE", rules, bot, chance.randrange, chance.random)
    for name, strength in (("Isis", "steady"), ("Thoth", "gentle"), ("Horus", "sharp")):
        table.add_seat(name, strength)
    effects = table.start(0)
    while (wake_us := table.wake_us()) is not None:
        effects += table.tick(wake_us)
    events = [entry.event for effect in effects if isinstance(effect, Store) for entry in effect.entries]
    won = Counter(event.reason for event in events if isinstance(event, Taken))
    assert table.game is not None
    assert won["slap:court"]
    print(f"In play: {won['slap:court']} of {won.total()} piles were won by it in a game of {table.game.n} cards")
