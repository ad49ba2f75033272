"""The daily deal: on one date everybody gets the same cards, against the same bots. No I/O here.

The cards follow from the date alone, so it is no secret how they lie, and the game is logged as laid out. Players name
the date where they live, which may be a day off that of the server.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ratscrew.errors import RulesError
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Dealt
from ratscrew.rules.house import Rules
from ratscrew.rules.words import say
from ratscrew.table.record.commit_reveal import draws
from ratscrew.table.registry.room_request import RoomRequest
from ratscrew.table.state.dealer import Laid

HOUSE, BOTS, STRENGTH = "1;classic", 2, "steady"
"""What everybody plays: rules, number and strength of the bots."""


def as_daily(request: RoomRequest, day: str, now_us: int) -> RoomRequest:
    """A request for a room with the deal of this day, whatever else it says of rules and bots.

    Raises: RulesError if it is no date on which anybody lives now.
    """
    today = datetime.fromtimestamp(now_us / 1e6, UTC).date()
    days = {str(today + timedelta(days=off)) for off in (-1, 0, 1)}
    if day not in days:
        sentence = say("Your device's date, {day}, isn't today's: set its clock to play today's deal", day=day)
        raise RulesError([sentence])
    return request._replace(house=HOUSE, bots=BOTS, strength=STRENGTH, wait=False)


def daily_deal(day: str) -> Laid:
    """Lays out the cards of a day for a room's first game; its other games are shuffled."""
    dealt = False

    def lay(rules: Rules, seats: int) -> Dealt | None:
        nonlocal dealt
        if dealt:
            return None
        dealt = True
        draw = draws(f"daily-{day}", "", ())
        return deal(rules, seats, draw(seats), draw)

    return lay
