"""The HTTP API: opening rooms, and responses with reasons to invalid requests."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.game.codec import Codec
from ratscrew.game.events import Dealt
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.presets import PRESETS, house
from ratscrew.table.record.entries import Appearance, Entry, Promised, RulesChanged, Sat
from ratscrew.table.registry.codes import is_code
from ratscrew.web.schema.http_schema import BODY_MOST, NewRoom
from tests.web.http_requests import ASKED, Client, ask

REQUEST = Codec[NewRoom](NewRoom)
NOWHERE = f"there is no preset 'nowhere'; there are {', '.join(PRESETS)}"


async def test_a_room_is_opened_and_its_seat_is_ours(client: Client, log: MemoryLog[Entry]) -> None:
    status, joined = await ask(client, ASKED)
    assert (status, set(joined), joined["seat"]) == (201, {"room", "seat", "player_id"}, 0)
    assert is_code(joined["room"])
    (game,) = log.games(f"{joined['room']}-")
    seats = [entry.event for entry in log.read(game) if isinstance(entry.event, Sat)]
    assert seats[0].name == "Ana"
    assert [seat.bot for seat in seats] == [None, "sharp", "sharp"]


async def test_the_house_may_be_named(client: Client, log: MemoryLog[Entry]) -> None:
    status, joined = await ask(client, {**ASKED, "house": "1;wiki;turn_ms=5000"})
    assert status == 201
    dealt = [entry.event for entry in log.read(log.games(joined["room"])[0]) if isinstance(entry.event, Dealt)]
    assert [event.rules for event in dealt] == [house("wiki", turn_ms=5000)]


async def test_without_a_house_it_is_classic(client: Client, log: MemoryLog[Entry]) -> None:
    _, joined = await ask(client, ASKED)
    dealt = [entry.event for entry in log.read(log.games(joined["room"])[0]) if isinstance(entry.event, Dealt)]
    assert [event.rules for event in dealt] == [house()]


async def test_a_room_that_waits_for_people_needs_no_bots_and_deals_nothing(
    client: Client, log: MemoryLog[Entry]
) -> None:
    """What has happened before the first game is in the log of game 0: the house, and who sits here."""
    status, joined = await ask(client, {"name": "Ana", "bots": 0, "house": "1;blog", "wait": True})
    assert (status, joined["seat"]) == (201, 0)
    (game,) = log.games(joined["room"])
    assert game.endswith("-0")
    *settled, promised = [entry.event for entry in log.read(game)]
    assert settled == [RulesChanged(house("blog"), "1;blog"), Sat(0, "Ana", None, 0, Appearance(0, "palm"))]
    assert isinstance(promised, Promised)


async def test_each_room_has_its_own_code(client: Client) -> None:
    answers = [(await ask(client, ASKED))[1] for _ in range(5)]
    assert len({answer["room"] for answer in answers}) == 5


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"bots": 8}, ["Number of bots: at most 7 with these rules, not 8"]),
        (
            {"name": "x" * 21, "bots": 0},
            ["A name needs 1 to 20 letters", "Number of bots: at least 1, not 0"],
        ),
        ({"house": "1;nowhere"}, [NOWHERE]),
        ({"house": ""}, ["'': rules in a text begin with '1;' and a preset"]),
        ({"house": "1;classic;turn_ms=1"}, ["turn_ms = 1: it can be a whole number from 1000 to 600000"]),
        ({"house": "1;beggar"}, ["Number of bots: at most 1 with these rules, not 2"]),
        ({"bots": 0, "house": "1;nowhere"}, [NOWHERE, "Number of bots: at least 1, not 0"]),
        ({"bots": 8, "wait": True}, ["Number of bots: at most 7 with these rules, not 8"]),
    ],
)
async def test_what_the_rules_forbid_is_told_with_every_problem(
    client: Client, change: dict[str, Any], problems: list[str]
) -> None:
    assert await ask(client, {**ASKED, **change}) == (422, {"code": "rules", "problems": problems})
    assert (await (await client.get("/api/health")).json())["rooms"] == 0


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "truncated"),
        (b"{", "truncated"),
        (b"\xff\xfe\x00", "malformed"),
        (b"[]", "Expected `object`, got `array`"),
        (b"null", "Expected `object`, got `null`"),
        ({}, "missing required field `name`"),
        ({"name": "Ana"}, "missing required field `bots`"),
        ({**ASKED, "bots": "2"}, r"$.bots: Expected `int`, got `str`"),
        ({**ASKED, "bots": 2.5}, r"$.bots: Expected `int`, got `float`"),
        ({**ASKED, "name": 7}, r"$.name: Expected `str`, got `int`"),
        ({**ASKED, "house": 1}, r"$.house: Expected `str`, got `int`"),
        ({**ASKED, "wait": 1}, r"$.wait: Expected `bool`, got `int`"),
        ({**ASKED, "strength": "iron"}, r"$.strength: Invalid enum value 'iron'"),
        (b"[" * 4000, "Expected `object`"),
        (b'{"name":' + b"[" * 4000, "Expected `str`"),
        (b'{"more":' + b"[" * 4000, "recursion"),
    ],
)
async def test_what_is_no_request_is_told_with_the_place(client: Client, body: Any, why: str) -> None:
    status, problem = await ask(client, body)
    assert (status, problem["code"], len(problem["problems"])) == (400, "request", 1)
    assert why in f"{problem['field']}: {problem['detail']}"


@pytest.mark.parametrize("size", [BODY_MOST + 1, 1_000_000])
async def test_a_body_too_large_is_not_read(client: Client, size: int) -> None:
    answer = await client.post("/api/rooms", data=json.dumps({**ASKED, "more": "x" * size}))
    assert answer.status == 413


async def test_a_body_just_small_enough_is_read(client: Client) -> None:
    body = json.dumps({**ASKED, "more": ""}).encode()
    padded = body.replace(b'""', b'"' + b"x" * (BODY_MOST - len(body)) + b'"')
    assert len(padded) == BODY_MOST
    assert (await ask(client, padded))[0] == 201


@pytest.mark.parametrize(("method", "path"), [("GET", "/api/quick"), ("PUT", "/api/rooms"), ("POST", "/api/health")])
async def test_another_method_is_refused(client: Client, method: str, path: str) -> None:
    assert (await client.request(method, path)).status in (404, 405)


async def test_health_says_how_many_rooms_there_are(client: Client) -> None:
    assert await (await client.get("/api/health")).json() == {"ok": True, "rooms": 0}
    await ask(client, ASKED)
    await ask(client, ASKED)
    assert await (await client.get("/api/health")).json() == {"ok": True, "rooms": 2}


@given(st.one_of(st.binary(max_size=200), st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists)))
def test_a_request_is_read_or_refused_and_nothing_else(body: Any) -> None:
    data = body if isinstance(body, bytes) else json.dumps({**ASKED, "bots": body}).encode()
    with suppress(ValueError):
        assert isinstance(REQUEST.decode(data), NewRoom)
