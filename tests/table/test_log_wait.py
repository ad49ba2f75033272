"""While the log stores nothing, no clock runs and players know why; then play goes on where it was."""

from __future__ import annotations

from pathlib import Path

from aiohttp.test_utils import TestClient, TestServer

from ratscrew.rules.presets import house
from ratscrew.table.core.pause import RESUME_US
from ratscrew.table.record.messages import Countdown, EventMessage, Saving, TurnCancelled
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from tests.table.people import Person, SlowLog, now, pass_ms, settle, two
from tests.web.http_requests import socket_of
from tests.web.pages import Page, open_room

TURN_MS = house("classic").turn_ms


def saving(person: Person) -> list[bool]:
    """What a player hears of the log, and nothing else may be left."""
    return [message.on for message in person.now() if isinstance(message, Saving)]


@on_manual_clock
async def test_no_clock_runs_while_the_log_stores_nothing(clock: ManualClock) -> None:
    """Ana's card waits for the log, so Bo's turn does not begin: later he has the rest of his time."""
    room, ana, bo = two(clock, log := SlowLog())
    room.play(ana, 0)
    await pass_ms(500)
    assert saving(bo) == []
    await pass_ms(1000)
    assert (saving(ana), saving(bo)) == ([True], [True])
    await pass_ms(5 * TURN_MS)
    assert (len(log.waiting), ana.now()) == (1, [])
    await log.keep_now()
    heard = ana.now()
    assert [type(message) for message in heard] == [EventMessage, Countdown, Countdown, Saving, Countdown]
    assert (heard[-1].awaited, heard[-1].left_ms) == ("resume", RESUME_US // 1000)
    await pass_ms(RESUME_US / 1000)
    left_ms = ana.now()[-1].left_ms
    assert abs(left_ms - (TURN_MS - 1000)) < 50  # it ran until the clocks stopped, a second after the append
    await pass_ms(left_ms - 10)
    assert log.waiting == []
    await pass_ms(500)
    assert len(log.waiting) == 1  # Bo's card is turned for him


@on_manual_clock
async def test_a_log_that_stores_one_thing_after_the_other_stops_nothing(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    room.play(ana, 0)
    await pass_ms(600)
    room.play(bo, 1)
    await pass_ms(600)
    await log.keep_now()
    await pass_ms(600)
    assert (saving(ana), len(log.waiting)) == ([], 1)


@on_manual_clock
async def test_a_card_that_is_played_meanwhile_goes_back_and_a_wrong_slap_counts(clock: ManualClock) -> None:
    room, ana, bo = two(clock, log := SlowLog())
    room.play(ana, 0)
    await pass_ms(2000)
    room.play(bo, 1)
    room.slap(ana, 1, now(clock), contact=FLAT)
    await pass_ms(3000)
    ana.now()
    assert len(log.waiting) == 2  # the card, and the slap's penalty
    await log.keep_now(count=2)
    heard = ana.now()
    assert [message.on for message in heard if isinstance(message, Saving)] == [False]
    assert TurnCancelled(1) in heard
    assert room.table.game
    assert room.table.game.n == 1
    await pass_ms(RESUME_US / 1000)
    room.play(bo, 1)
    await pass_ms(1000)
    assert room.table.game.n == 2


@on_manual_clock
async def test_pages_of_a_server_whose_log_waits_say_so(clock: ManualClock) -> None:
    log = SlowLog()
    log.append_soon = super(SlowLog, log).append_soon  # type: ignore[method-assign]
    async with TestClient(TestServer(make_app(log, clock, StaticFiles(Path("nowhere"))))) as client:
        joined = await open_room(client)
        page = Page(await client.ws_connect(socket_of(joined["room"]), autoping=False))
        await page.send("hello", player_ids=[joined["player_id"]])
        await page.receive("welcome")
        del log.append_soon
        said = await page.receive("saving")
        assert said["on"] is True
        while log.waiting:
            await log.keep_now()
        assert (await page.receive("saving"))["on"] is False
    await settle()
