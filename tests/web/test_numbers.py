"""Nonces for the shuffle: in the request for a room, and as the reply to a promise over the WebSocket."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.commit_reveal import NO_NONCE
from ratscrew.table.record.entries import Committed, Entry
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.http_requests import ASKED, Client, ask
from tests.web.pages import full_server, stored_name
from tests.web.test_waiting_room import gather, refused

ANAS, BOS = "a1" * 16, "b0" * 16


async def test_a_game_that_begins_at_once_has_the_number_of_who_asked_for_it(
    client: Client, log: MemoryLog[Entry]
) -> None:
    _, joined = await ask(client, ASKED | {"nonce": ANAS})
    (game,) = log.games(joined["room"])
    (sealed,) = [entry.event for entry in log.read(game) if isinstance(entry.event, Committed)]
    assert (sealed.nonces, sealed.promise) == ((ANAS, NO_NONCE, NO_NONCE), None)


@pytest.mark.parametrize("nonce", ["", "a1", "A1" * 16, "a1" * 17, "-", 7])
async def test_what_is_no_number_is_told_so(client: Client, nonce: object) -> None:
    status, problem = await ask(client, ASKED | {"nonce": nonce})
    assert (status, problem["code"]) == (400, "request")
    assert problem["field"] == "$.nonce"


@on_manual_clock
async def test_a_page_answers_a_promise_and_everybody_is_told(clock: ManualClock, tmp_path: Path) -> None:
    log = MemoryLog[Entry]()
    async with full_server(clock, log, tmp_path) as client:
        room = await gather(client)
        (ana, welcome), (bo, _) = await room.enter(), await room.enter(await room.sit("Bo"))
        assert welcome["commitment"] is None
        await bo.send("nonce", promise=welcome["promise"], nonce=BOS)
        assert (await ana.receive("event"))["e"]["e"] == "sat"
        for page in (ana, bo):
            assert (await page.receive("event"))["e"] == {"e": "nonce_given", "seat": 1, "nonce": BOS}
        await bo.send("nonce", promise=welcome["promise"], nonce=ANAS)
        assert await bo.receive("refused") == refused("nonce", RefusalReason.TWICE)
        await ana.send("start")
        begun = await bo.receive("welcome")
        entries = log.read(stored_name(log, begun["game"]))
        (sealed,) = [entry.event for entry in entries if isinstance(entry.event, Committed)]
        assert (sealed.nonces, sealed.promise) == ((NO_NONCE, BOS), welcome["promise"])
        assert begun["commitment"] == sealed.commitment
        assert begun["promise"] not in (None, welcome["promise"])
