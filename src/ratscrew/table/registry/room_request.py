"""A request for a new room, and whether it is valid. No I/O here."""

from __future__ import annotations

from typing import NamedTuple

from ratscrew.bots.ladder import BOTS
from ratscrew.bots.names import NAMES
from ratscrew.errors import RulesError
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link, shared
from ratscrew.rules.presets import house
from ratscrew.rules.words import say
from ratscrew.table.names import names
from ratscrew.table.record.entries import Appearance
from ratscrew.table.record.room_kind import RoomKind

CLASSIC = shared(house())


class RoomRequest(NamedTuple):
    """A request for a new room: with so many bots of a strength, and the rules of the short text `house`.

    Its game begins at once, with the player's `nonce` in the shuffle, or (`wait`) when the host starts it, or (`fill`)
    when bots have filled the room. `address` is that of the client, for limits. `daily` is a date, whose deal is played
    (see `daily_deal`).
    """

    name: str
    bots: int
    strength: str = "steady"
    house: str = "1;classic"
    wait: bool = False
    listed: bool = False
    appearance: Appearance | None = None
    fill: bool = False
    nonce: str | None = None
    address: str = ""
    daily: str | None = None

    @property
    def kind(self) -> RoomKind:
        """What kind of room it is."""
        return "quick" if self.fill else "listed" if self.listed else "friends"


def check_request(name: str, request: RoomRequest) -> Rules:
    """The rules of a request, if all of it is valid.

    Raises: RulesError with every problem of the request.
    """
    problems = names.faults(name)
    rules = CLASSIC
    try:
        rules = from_link(request.house)
    except RulesError as error:
        problems += error.problems
    least, most = 0 if request.wait else 1, min(rules.max_players or len(NAMES), len(NAMES)) - 1
    if request.bots > most:
        problems.append(
            say("Number of bots: at most {most} with these rules, not {value}", most=most, value=request.bots)
        )
    elif request.bots < least:
        problems.append(say("Number of bots: at least {least}, not {value}", least=least, value=request.bots))
    if request.strength not in BOTS:
        problems.append(say("There is no such bot: choose another opponent"))
    if problems:
        raise RulesError(problems)
    return rules
