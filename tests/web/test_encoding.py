"""Each message of a room is encoded once, and missed events are bounded in bytes."""

from __future__ import annotations

from collections import Counter

import pytest

from ratscrew.protocol import player_connection as browser
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.registry.room_registry import RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import serve

WATCHING = 6


@pytest.mark.usefixtures("tireless")
@on_manual_clock
async def test_several_events_at_once_are_encoded_once_each_however_many_watch(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that takes the pile is several events; each page gets all of them before the next page gets any."""
    times: Counter[str] = Counter()
    encode = browser.TO.encode

    class Counting:
        """Counts what is encoded of what happens."""

        def encode(self, message: object) -> bytes:
            """See `Codec`."""
            data = encode(message)  # type: ignore[arg-type]
            if data.startswith(b'{"t":"event"'):
                times[data.decode()] += 1
            return data

    async with serve(clock) as served:
        ana = await served.enter()
        pages = [await served.enter(player_ids=[]) for _ in range(WATCHING)]
        for page in (ana, *pages):
            await page.receive("welcome")
        monkeypatch.setattr(browser, "TO", Counting())
        for _ in range(60):
            await ana.receive("event")
        assert len(times) >= 60
        assert set(times.values()) == {1}


@on_manual_clock
async def test_who_has_missed_too_much_is_shown_the_table_anew(clock: ManualClock) -> None:
    """Each of these houses is about a kilobyte; a hundred of them are more than is sent one by one."""
    houses = [from_link("1;classic"), from_link("1;wiki")]
    async with serve(clock, asked=RoomRequest("Ana", 0, wait=True)) as served:
        ana = await served.enter()
        welcome = await ana.receive("welcome")
        await ana.socket.close()
        table = served.room.table
        for number in range(90):
            served.room._do(execute, table, 0, requests.House(to_link(houses[(number + 1) % 2])), clock.now_us())
            if number == 4:
                again = await served.enter(game=welcome["game"], version=welcome["version"])
                assert (await again.receive("welcome", "reconnected"))["t"] == "reconnected"
                await again.socket.close()
        again = await served.enter(game=welcome["game"], version=welcome["version"])
        assert (await again.receive("welcome", "reconnected"))["version"] == table.state.version
        assert (await again.receive("link_stats", "event", "reconnected", "done", "welcome"))["t"] == "link_stats"
