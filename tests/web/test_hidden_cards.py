"""Hidden cards are not sent: in two games that differ only in hidden cards, all clients receive the same bytes.

Left out are pings and how everybody's line is, which come by the clock of this machine; a countdown's `left_ms`, the
moment `at_ms` of a card and the `us` of a hand count as nothing, for the same reason. Everything else is compared,
byte for byte.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from typing import Any

import pytest
from msgspec.structs import replace

from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Dealt
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Committed, Entry, Promised
from ratscrew.table.registry import room_registry
from ratscrew.table.state import dealer as dealing
from ratscrew.testing.clock import ManualClock, manual_loop
from tests.web.pages import Page, page_ms, serve

CARDS = 8
"""So many cards are turned in the part that is compared."""

BY_THE_CLOCK = re.compile(r'"(left_ms|at_ms|us)":-?[0-9.]+')


def swapped(*given: Any) -> Dealt:
    """The last cards of the first two hands change places: nobody turns them for a long time."""
    dealt = deal(*given)
    first, second, *others = dealt.hands
    assert first[-1] != second[-1]
    return replace(dealt, hands=((*first[:-1], second[-1]), (*second[:-1], first[-1]), *others))


def received() -> tuple[str, str]:
    """What a player and somebody who watches receive, up to the last card of the part, one message a line.

    No seed is in it, whether its game is under way or to come.
    """
    clock, log = ManualClock(1_000_000), MemoryLog[Entry]()

    async def story() -> tuple[str, str]:
        async with serve(clock, log) as served:
            watcher = await served.enter(player_ids=[])
            first = [await text(watcher)]
            player = await served.enter()
            hers, his = await asyncio.gather(until_the_last(player), until_the_last(watcher))
            return "\n".join(hers), "\n".join(first + his)

    with asyncio.Runner(loop_factory=lambda: manual_loop(clock)) as runner:
        heard = runner.run(story())
    events = [entry.event for game in log.games() for entry in log.read(game)]
    seeds = [event.seed for event in events if isinstance(event, Promised | Committed)]
    assert [seed for seed in seeds if seed is None or seed in heard[0] + heard[1]] == []
    assert len(seeds) == 2
    return heard


async def until_the_last(page: Page) -> list[str]:
    """Everything that comes, in its order, until the last card is there."""
    heard = [await text(page)]
    while f'"n":{CARDS}' not in heard[-1] or '"e":"played"' not in heard[-1]:
        heard.append(await text(page))
    return heard


async def text(page: Page) -> str:
    """The next message that does not come by the clock of this machine, as it came."""
    while True:
        message = await page.receive_text()
        if (said := json.loads(message))["t"] == "ping":
            await page.send("pong", k=said["k"], c_ms=page_ms())
        elif said["t"] != "link_stats":
            return BY_THE_CLOCK.sub(r'"\1":0', message)


@pytest.mark.usefixtures("tireless")
def test_cards_that_nobody_has_turned_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same chance is used for both games: the same code, the same seed, the same bots."""

    def play() -> tuple[str, str]:
        chance = random.Random(7)
        monkeypatch.setattr(secrets, "randbelow", chance.randrange)
        monkeypatch.setattr(secrets, "token_bytes", chance.randbytes)
        monkeypatch.setattr(room_registry, "_CHANCE", chance.random)
        return received()

    play()  # what a process draws once, as a key, is drawn now
    player, watcher = play()
    monkeypatch.setattr(dealing, "deal", swapped)
    assert play() == (player, watcher)
    assert '"t":"welcome"' in player
    assert player.count('"e":"played"') == watcher.count('"e":"played"') == CARDS
