"""Strangers at a table: with a forged token, one of another room or of another seat nobody gets anything."""

from __future__ import annotations

import json

import pytest

from ratscrew.game.events import Slapped
from ratscrew.log.memory import MemoryLog
from ratscrew.table.records.entries import Entry
from ratscrew.table.rooms.room_registry import RoomRequest, code_of
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.web.talking import Page, Place, serve


def forged(place: Place) -> dict[str, str]:
    """Tokens that look like those of this room's only person, and are not."""
    other = place.registry.open(RoomRequest("Eve", 2, "sharp"))
    _, _, signature = place.token.partition(".")
    now_us = place.clock.now_us()
    assert code_of(other.table.room) != place.code
    return {
        "another room's": place.tokens.sign("seat", other.table.room, [0], now_us),
        "a pass": place.room.passes.create([0], now_us),
        "another seat's": f"1.{signature}",
        "a bot's": f"2.{signature}",
        "a seat that there is not": f"99.{signature}",
        # the last sign of base64 has bits to spare, so another one may stand for the same signature
        "one sign changed": place.token[:-2] + ("0" if place.token[-2] != "0" else "1") + place.token[-1],
        "a part of it": place.token[:-1],
        "more than it": place.token + "0",
        "in capitals": place.token.swapcase(),
        "no signature": place.token.rpartition(".")[0],
        "another number for the same": f"0{place.token}",
        "with zeros": f"{place.token}%00",
        "not in letters": "0.🂡🂡🂡🂡",
    }


@pytest.mark.parametrize("kind", range(13))
@pytest.mark.parametrize("only", [None, "slaps"])
@on_manual_clock
async def test_no_forged_or_stolen_token_gives_a_seat(
    clock: ManualClock, kind: int, only: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """He may watch, as everybody may; what he says for the seat does not happen."""
    async with serve(clock) as place:
        tokens = list(forged(place).values())
        assert len(tokens) == 13
        ana = await place.enter()
        await ana.hear("welcome")
        place.bring(tokens[kind], tokens[kind - 1])
        eve = await place.enter(only=only)
        if only is None:
            assert (await eve.hear("welcome"))["yours"] == []
        await nothing_happens(eve, ana, place, only)
    assert caplog.records == []


async def nothing_happens(eve: Page, ana: Page, place: Place, only: str | None) -> None:
    """Whatever Eve says for Ana's seat, Ana loses nothing and stays here."""
    held = len(place.room.table.game.hands[0]) if place.room.table.game else 0
    for _ in range(3):
        await eve.say("slap", n=0, p_ms=0, t_ms=0, s=1, seat=0)
        if only is None:
            for wish in ("start", "again", "leave", "lift"):
                await eve.say(wish)
            await eve.say("play", n=0, seat=0)
            await eve.say("remove", seat=0)
            assert (await eve.hear("refused"))["why"] == "not_playing"
    assert (await ana.hear("told"))["e"]["e"] == "played"
    assert place.room.table.seats[0].here
    assert place.room.table.game is not None
    assert len(place.room.table.game.hands[0]) >= held - 1


@on_manual_clock
async def test_a_slap_said_again_is_no_second_slap(clock: ManualClock) -> None:
    """Whoever repeats what he has heard on another's line, or has said himself, gets nothing by it."""
    log = MemoryLog[Entry]()
    async with serve(clock, log) as place:
        ana = await place.enter()
        await ana.hear("welcome")
        while (told := await ana.hear("told"))["e"]["e"] != "played":
            pass
        n = told["e"]["n"]
        await ana.slap(n, 300)
        slap = {"t": "slap", "n": n, "p_ms": ana.painted[n], "t_ms": ana.painted[n] + 300, "s": 1}
        for number in range(20):  # the same again, and the same card with another number
            await ana.socket.send_str(json.dumps(slap | {"s": 1 + number % 2}))
        for _ in range(13):
            await ana.hear("told")
        (game,) = log.games(f"{place.code}-")
        slapped = [entry.event for entry in log.read(game) if isinstance(entry.event, Slapped)]
    assert sum(0 in event.seats for event in slapped) == 1


@on_manual_clock
async def test_more_seats_than_fit_in_front_of_a_page_are_garbage(clock: ManualClock) -> None:
    """Nobody makes the server look for seats without end."""
    async with serve(clock) as place:
        eve = await place.enter(player_ids=[0] * 9)
        await eve.ends(after="garbage")
