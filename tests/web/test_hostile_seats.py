"""Hostile clients at a table: a forged token, one of another room or of another seat gives no access."""

from __future__ import annotations

import json

import pytest

from ratscrew.game.events import Slapped
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRequest, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.pages import Page, ServedRoom, serve


def forged(served: ServedRoom) -> dict[str, str]:
    """Tokens that look like those of this room's only person, and are not."""
    other = served.registry.open(RoomRequest("Eve", 2, "sharp"))
    _, _, signature = served.token.partition(".")
    now_us = served.clock.now_us()
    assert code_of(other.table.room) != served.code
    return {
        "another room's": served.tokens.sign("seat", other.table.room, [0], now_us),
        "a pass": served.room.passes.create([0], now_us),
        "another seat's": f"1.{signature}",
        "a bot's": f"2.{signature}",
        "a seat that there is not": f"99.{signature}",
        # the last sign of base64 has bits to spare, so another one may stand for the same signature
        "one sign changed": served.token[:-2] + ("0" if served.token[-2] != "0" else "1") + served.token[-1],
        "a part of it": served.token[:-1],
        "more than it": served.token + "0",
        "in capitals": served.token.swapcase(),
        "no signature": served.token.rpartition(".")[0],
        "another number for the same": f"0{served.token}",
        "with zeros": f"{served.token}%00",
        "not in letters": "0.🂡🂡🂡🂡",
    }


@pytest.mark.parametrize("kind", range(13))
@pytest.mark.parametrize("only", [None, "slaps"])
@on_manual_clock
async def test_no_forged_or_stolen_token_gives_a_seat(
    clock: ManualClock, kind: int, only: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """The client may watch, as anyone may; its messages for the seat have no effect."""
    async with serve(clock) as served:
        tokens = list(forged(served).values())
        assert len(tokens) == 13
        ana = await served.enter()
        await ana.receive("welcome")
        served.use_cookies(tokens[kind], tokens[kind - 1])
        eve = await served.enter(only=only)
        if only is None:
            assert (await eve.receive("welcome"))["yours"] == []
        await nothing_happens(eve, ana, served, only)
    assert caplog.records == []


async def nothing_happens(eve: Page, ana: Page, served: ServedRoom, only: str | None) -> None:
    """Whatever Eve says for Ana's seat, Ana loses nothing and stays here."""
    held = len(served.room.table.game.hands[0]) if served.room.table.game else 0
    for _ in range(3):
        await eve.send("slap", n=0, p_ms=0, t_ms=0, s=1, seat=0)
        if only is None:
            for wish in ("start", "again", "leave", "reopen"):
                await eve.send(wish)
            await eve.send("play", n=0, seat=0)
            await eve.send("remove", seat=0)
            assert (await eve.receive("refused"))["reason"] == "not_playing"
    assert (await ana.receive("event"))["e"]["e"] == "played"
    assert served.room.table.seats[0].here
    assert served.room.table.game is not None
    assert len(served.room.table.game.hands[0]) >= held - 1


@on_manual_clock
async def test_a_slap_said_again_is_no_second_slap(clock: ManualClock) -> None:
    """Replaying messages, one's own or those of another connection, has no effect."""
    log = MemoryLog[Entry]()
    async with serve(clock, log) as served:
        ana = await served.enter()
        await ana.receive("welcome")
        while (told := await ana.receive("event"))["e"]["e"] != "played":
            pass
        n = told["e"]["n"]
        await ana.slap(n, 300)
        slap = {"t": "slap", "n": n, "p_ms": ana.painted[n], "t_ms": ana.painted[n] + 300, "s": 1}
        for number in range(20):  # the same again, and the same card with another number
            await ana.socket.send_str(json.dumps(slap | {"s": 1 + number % 2}))
        for _ in range(13):
            await ana.receive("event")
        (game,) = log.games(f"{served.code}-")
        slapped = [entry.event for entry in log.read(game) if isinstance(entry.event, Slapped)]
    assert sum(0 in event.seats for event in slapped) == 1


@on_manual_clock
async def test_more_seats_than_fit_in_front_of_a_page_are_garbage(clock: ManualClock) -> None:
    """Nobody makes the server look for seats without end."""
    async with serve(clock) as served:
        eve = await served.enter(player_ids=[0] * 9)
        await eve.expect_close(after="garbage")
