"""A slap pattern of one's own, declared in one place: it is on the sheet, in the census and in the form, and is played.

python examples/new_pattern.py
cd examples; ratscrew lab run --module new_pattern --preset "1;classic;slaps.court=2" --players 2
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from msgspec import Meta

from ratscrew import events, house, replay
from ratscrew.bots import BOTS
from ratscrew.rules import census, described, sheet, slap
from ratscrew.rules.ranks import JACK, KING
from ratscrew.testing import play_bots


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

    game = play_bots(rules, [BOTS["steady"], BOTS["gentle"], BOTS["sharp"]], seed=1)
    won = Counter(event.reason for event in game if isinstance(event, events.Taken))
    assert won["slap:court"]
    print(f"In play: {won['slap:court']} of {won.total()} piles were won by it in a game of {replay(game).n} cards")
