"""Finished games over HTTP: anyone may read them whole; games in progress are never sent."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ratscrew.cards import PACK
from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt, Played, Slapped, Won
from ratscrew.game.evolve import replay
from ratscrew.log.memory import MemoryLog
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.record.entries import Appearance, Entry, Judged, Recorded, Sat, SlapRecord
from tests.web.http_requests import ASKED, Client, ask, get

GAME = "WOLF-1f-1"
TEXT = """ratscrew 1
house 1;classic
name 1 Ana
name 2 Bo
hand 1 9S 2C
hand 2 9H
lead 1
1:9S 2:9H 1!double 1#
"""
"""Bo's last card makes a double: Ana slaps it and holds all three cards."""

ANA, BO = Sat(0, "Ana", appearance=Appearance(4, "paw")), Sat(1, "Bo", "sharp")
RACE = Judged(2, "double", (SlapRecord(0, 243_000), SlapRecord(1, 301_000)))
DEALT_US = 1_000_000


def events() -> list[Recorded]:
    """The whole game, with who sat there and how the race was judged."""
    noted: list[Recorded] = [ANA, BO]
    for event in notation.read_game(TEXT).events:
        noted += [RACE, event] if isinstance(event, Slapped) else [event]
    return noted


def keep(log: MemoryLog[Entry], *noted: Recorded, game: str = GAME) -> None:
    """Keep events, of which everything after the deal comes half a second after what was before it."""
    times = range(DEALT_US - 1_000_000, 100_000_000, 500_000)
    log.append(game, 0, [Entry(at_us, event) for at_us, event in zip(times, noted, strict=False)])


async def test_a_game_that_is_over_is_told_whole(client: Client, log: MemoryLog[Entry]) -> None:
    keep(log, *events())
    status, told = await get(client, f"/api/games/{GAME}")
    assert status == 200
    assert (told["game"], told["house"]) == (GAME, "1;classic")
    assert [(seat["name"], seat["bot"], seat["appearance"]) for seat in told["seats"]] == [
        ("Ana", None, {"hue": 4, "shape": "paw"}),
        ("Bo", "sharp", None),
    ]
    assert [(event["at_ms"], event["e"]["e"]) for event in told["events"]] == [
        (-1000, "sat"),
        (-500, "sat"),
        (0, "dealt_public"),
        (500, "played"),
        (1000, "played"),
        (1500, "judged"),
        (2000, "slapped"),
        (2500, "taken"),
        (3000, "won"),
    ]
    assert told["openings"] == [{"v": 5, "pattern": "double"}]
    assert [hit["us"] for hit in told["events"][5]["e"]["order"]] == [243_000, 301_000]


async def test_its_text_reads_back_as_the_same_game(client: Client, log: MemoryLog[Entry]) -> None:
    keep(log, *events())
    answer = await client.get(f"/api/games/{GAME}.txt")
    assert (answer.status, answer.content_type) == (200, "text/plain")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="ratscrew-{GAME}.txt"'
    text = await answer.text()
    assert text == TEXT
    written = notation.read_game(text)
    game = replay(written.events)
    assert (written.names, game.winner, [len(hand) for hand in game.hands]) == (("Ana", "Bo"), 0, [3, 0])


async def test_who_has_sat_down_for_the_next_game_is_not_in_this_one(client: Client, log: MemoryLog[Entry]) -> None:
    """Bo has left after it, and Cy has that seat now."""
    keep(log, *events(), Sat(1, "Cy"), Sat(2, "Dora"))
    _, told = await get(client, f"/api/games/{GAME}")
    assert [seat["name"] for seat in told["seats"]] == ["Ana", "Bo"]
    assert told["events"][-1]["e"]["e"] == "won"
    assert await (await client.get(f"/api/games/{GAME}.txt")).text() == TEXT


@pytest.mark.parametrize("path", [GAME, f"{GAME}.txt"])
@pytest.mark.parametrize("until", [Sat, Dealt, Played], ids=["nothing dealt", "dealt", "running"])
async def test_of_a_game_that_goes_on_nothing_is_told(
    client: Client, log: MemoryLog[Entry], path: str, until: type
) -> None:
    noted = events()
    last = max(number for number, event in enumerate(noted) if isinstance(event, until))
    assert not isinstance(noted[last], Won)
    keep(log, *noted[: last + 1])
    assert await get(client, f"/api/games/{path}") == (
        409,
        {"code": "not_over", "problems": ["this game is not over yet"]},
    )


async def test_nor_of_somebody_elses_at_a_live_table(client: Client, log: MemoryLog[Entry]) -> None:
    _, joined = await ask(client, ASKED)
    (stored,) = log.games(f"{joined['room']}-")
    game = GameNames.read(log).public(stored)
    for path in (game, f"{game}.txt"):
        answer = await client.get(f"/api/games/{path}")
        assert answer.status == 409
        said = await answer.text()
        assert not any(f'"{card}"' in said for card in PACK)


async def test_once_it_is_over_it_can_be_had(client: Client, log: MemoryLog[Entry]) -> None:
    noted = events()
    keep(log, *noted[:-1])
    assert (await get(client, f"/api/games/{GAME}"))[0] == 409
    log.append(GAME, len(noted) - 1, [Entry(9_000_000, noted[-1])])
    assert (await get(client, f"/api/games/{GAME}"))[0] == 200


@pytest.mark.parametrize("game", ["WOLF-1f-2", "WOLF", "x", "%00", "..", "WOLF-1f-1.txt.txt"])
async def test_a_game_that_there_is_not_is_said_to_be_none(client: Client, log: MemoryLog[Entry], game: str) -> None:
    keep(log, *events())
    answer = await client.get(f"/api/games/{game}")
    assert answer.status == 404
    if answer.content_type == "application/json":
        assert (await answer.json())["code"] in ("no_such_game", "nowhere")


async def test_it_is_packed_for_whoever_can_unpack_it(client: Client, log: MemoryLog[Entry]) -> None:
    keep(log, *events())
    bodies: list[Any] = []
    for accepted, encoding in (("gzip", "gzip"), ("identity", None)):
        answer = await client.get(f"/api/games/{GAME}", headers={"Accept-Encoding": accepted})
        assert answer.headers.get("Content-Encoding") == encoding
        bodies.append(json.loads(await answer.text()))
    assert bodies[0] == bodies[1]


def test_events_are_kept_as_they_were() -> None:
    """These entries are such as a log has."""
    codec = Codec[Entry](Entry)
    for event in events():
        assert codec.decode(codec.encode(Entry(1, event))).event == event
