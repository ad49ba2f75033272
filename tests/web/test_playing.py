"""A whole game over a socket, as a page plays it."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.cards import Card, PileCard
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Entry, Judged
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import serve, stored_name


@pytest.mark.parametrize("by_stream", [False, True])
@on_manual_clock
async def test_a_whole_game_is_played_through_the_socket(clock: ManualClock, by_stream: bool) -> None:
    """Ana against two sharp bots: she turns her cards when it is her turn, and slaps what she sees after 280 ms."""
    log = MemoryLog[Entry]()
    async with serve(clock, log) as served:
        page = await served.enter(by_stream=by_stream)
        welcome = await page.receive("welcome")
        follow = Follow(welcome)
        while follow.to["phase"] != "over":
            if follow.to == {**follow.to, "phase": "play", "turn": 0} and not follow.asked:
                follow.asked = True
                await page.send("play", n=follow.n)
            if follow.slappable and not follow.slapped:
                follow.slapped = True
                await page.slap(follow.n, after_ms=280)
            follow.see(await page.receive("event", "turn_cancelled", "refused"))
        entries = log.read(stored_name(log, welcome["game"]))
        assert follow.version == len(entries)
        assert follow.wins > 0
        races = [entry.event.order for entry in entries if isinstance(entry.event, Judged)]
        mine = [hit for order in races for hit in order if hit.seat == 0]
        assert all(270_000 < hit.us < 400_000 for hit in mine)
        frames = [hit.proof.frame_us for hit in mine if hit.proof]
        assert set(frames) <= {None, 16_700}
        assert frames[-1] == 16_700  # the first slaps may come before a pong has said it
        await page.send("again")
        assert stored_name(log, (await page.receive("welcome"))["game"]) == f"{served.room.table.room}-2"


class Follow:
    """What Ana's page knows, from the events alone."""

    def __init__(self, welcome: dict[str, Any]) -> None:
        self.to, self.n, self.version = welcome["view"]["standing"], welcome["view"]["n"], welcome["version"]
        self.pile = [PileCard(Card.parse(shown["card"]), shown["kind"]) for shown in welcome["view"]["pile"]]
        self.asked = self.slapped = False
        self.wins = 0

    @property
    def slappable(self) -> bool:
        return house().first_match(house().sight_of(tuple(self.pile))) is not None

    def see(self, message: dict[str, Any]) -> None:
        """Follow one message."""
        if message["t"] == "turn_cancelled":
            self.asked = False
        if message["t"] != "event":
            return
        assert message["v"] == self.version + 1
        self.version, event = message["v"], message["e"]
        self.to = event.get("standing", self.to)
        match event["e"]:
            case "played":
                self.pile.append(PileCard(Card.parse(event["card"])))
                self.n, self.asked, self.slapped = event["n"], False, False
            case "burned":
                assert (event["place"], event["count"]) == ("bottom", len(event["cards"]))
                self.pile[:0] = [PileCard(Card.parse(card), "burned") for card in reversed(event["cards"])]
            case "taken":
                assert event["count"] == len(self.pile)
                self.pile.clear()
                self.asked = False
                self.wins += event["seat"] == 0
