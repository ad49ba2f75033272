"""Joining a room over HTTP: a seat, or the reason for the refusal."""

from __future__ import annotations

from typing import Any

import pytest

from ratscrew.log.memory import MemoryLog
from ratscrew.table.names.guest_names import GUEST_NAMES
from ratscrew.table.record.entries import Appearance, Entry, Sat
from tests.web.http_requests import ASKED, Client, ask

WAITING = {"name": "Ana", "bots": 0, "wait": True}


async def room_of(client: Client, body: dict[str, Any]) -> str:
    """The code of a new room."""
    status, joined = await ask(client, body)
    assert status == 201
    return str(joined["room"])


async def sit(client: Client, room: str, name: str) -> tuple[int, Any]:
    """The response to a request for a seat."""
    return await ask(client, {"name": name}, f"/api/rooms/{room}/seats")


async def test_who_joins_has_the_next_seat_and_a_number_of_his_own(client: Client, log: MemoryLog[Entry]) -> None:
    _, host = await ask(client, WAITING)
    status, joined = await sit(client, host["room"], "  Bo \t B. ")
    assert (status, joined["room"], joined["seat"]) == (201, host["room"], 1)
    assert (host["player_id"], joined["player_id"]) == (0, 1)
    (game,) = log.games(host["room"])
    assert [entry.event for entry in log.read(game)][-1] == Sat(1, "Bo B.", None, 1, Appearance(1, "paw"))


async def test_the_code_may_be_typed_in_small_letters(client: Client) -> None:
    room = await room_of(client, WAITING)
    status, joined = await sit(client, room.lower(), "Bo")
    assert (status, joined["room"]) == (201, room)


async def test_who_comes_while_a_game_is_on_has_a_seat_too(client: Client) -> None:
    status, joined = await sit(client, await room_of(client, ASKED), "Bo")
    assert (status, joined["seat"]) == (201, 3)


@pytest.mark.parametrize("code", ["QQQQ", "x", "%20", "BEAR%2FBEAR", "🂡🂡🂡🂡"])
async def test_there_is_no_such_room(client: Client, code: str) -> None:
    status, problem = await sit(client, code, "Bo")
    assert (status, problem) == (404, {"code": "no_room", "problems": ["there is no room with this code"]})


async def test_a_room_is_full_where_the_house_says_so(client: Client) -> None:
    """Beggar is for two."""
    room = await room_of(client, {**WAITING, "house": "1;beggar"})
    assert (await sit(client, room, "Bo"))[0] == 201
    full = {"code": "room_full", "problems": ["every seat of this room is taken"]}
    assert await sit(client, room, "Cy") == (409, full)


async def test_a_room_of_no_limit_has_thirty_seats(client: Client) -> None:
    room = await room_of(client, {**WAITING, "house": "1;blog"})
    seats = [await sit(client, room, f"Bo {number}") for number in range(1, 31)]
    assert [status for status, _ in seats] == [201] * 29 + [409]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("x" * 21, "A name needs 1 to 20 letters"),
        ("\x1b[31mBo", "In the name, leave out the control character (U+001B)"),
    ],
)
async def test_a_name_that_is_none_is_refused(client: Client, name: str, problem: str) -> None:
    status, told = await sit(client, await room_of(client, WAITING), name)
    assert (status, told) == (422, {"code": "rules", "problems": [problem]})


async def test_people_who_choose_no_name_get_names_that_nobody_here_has(client: Client, log: MemoryLog[Entry]) -> None:
    room = await room_of(client, {**WAITING, "house": "1;blog", "name": " "})
    for _ in range(29):
        assert (await sit(client, room, ""))[0] == 201
    (game,) = log.games(room)
    given = [entry.event.name for entry in log.read(game) if isinstance(entry.event, Sat)]
    assert len(set(given)) == 30
    assert set(GUEST_NAMES) <= set(given)


@pytest.mark.parametrize("name", ["Ana", " Ana ", "aNA", "Аna", "Ａna"])
async def test_a_name_that_is_taken_is_refused_with_a_code_of_its_own(client: Client, name: str) -> None:
    taken = {
        "code": "name_taken",
        "problems": ["Somebody here has that name already, or one that looks like it"],
    }
    assert await sit(client, await room_of(client, WAITING), name) == (409, taken)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", {}, {"name": 7}])
async def test_what_is_no_request_is_told_with_the_place(client: Client, body: Any) -> None:
    room = await room_of(client, WAITING)
    status, problem = await ask(client, body, f"/api/rooms/{room}/seats")
    assert (status, problem["code"], len(problem["problems"])) == (400, "request", 1)
