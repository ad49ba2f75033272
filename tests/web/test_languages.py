"""The server responds in the requested language, or in English if it does not support that."""

from __future__ import annotations

import pytest

from tests.web.http_requests import Client


@pytest.mark.parametrize(
    ("lang", "accepted", "title"),
    [
        ("de", "", "Karten"),
        ("de-AT", "", "Karten"),
        ("de", "en", "Karten"),
        ("en", "de", "Cards"),
        ("", "de-CH,de;q=0.9,en;q=0.8", "Karten"),
        ("", "fr, de;q=0.5", "Karten"),
        ("", "en-GB,de;q=0.9", "Cards"),
        ("xx", "", "Cards"),
        ("", "", "Cards"),
    ],
)
async def test_rules_are_told_in_the_language_asked_for(client: Client, lang: str, accepted: str, title: str) -> None:
    answer = await client.get("/api/rules", params={"lang": lang}, headers={"Accept-Language": accepted})
    assert (await answer.json())["groups"][0]["title"] == title


async def test_a_house_is_told_in_german(client: Client) -> None:
    told = await (await client.get("/api/house", params={"text": "1;wiki;turn_ms=5000", "lang": "de"})).json()
    assert (told["title"], told["sheet"]["title"]) == ("Sandwichladen", "Wie „Sandwichladen“, mit Änderungen")
    assert told["differences"] == [
        "Du hast 5 Sekunden Zeit, eine Karte aufzudecken; danach wird sie für dich aufgedeckt."
    ]


async def test_the_problems_of_a_house_are_described_in_german(client: Client) -> None:
    answer = await client.post("/api/house", json={"choices": {"max_players": 1}}, headers={"Accept-Language": "de"})
    assert answer.status == 422
    assert (await answer.json())["problems"] == ["max_players = 1: erlaubt ist 0 (beliebig viele) oder 2 und mehr"]


async def test_what_is_wrong_with_a_room_or_a_seat_is_told_in_german(client: Client) -> None:
    german = {"Accept-Language": "de"}
    room = await client.post("/api/rooms", json={"name": "x" * 21, "bots": 8}, headers=german)
    drill = await client.get("/api/drill", params={"house": "1;classic", "cards": "many", "seed": "1"}, headers=german)
    assert [await answer.json() for answer in (room, drill)] == [
        {
            "code": "rules",
            "problems": [
                "Ein Name hat 1 bis 20 Zeichen",
                "Anzahl der Bots: höchstens 7 nach diesen Regeln, nicht 8",
            ],
        },
        {"code": "rules", "problems": ["cards = many: erlaubt ist 1 bis 200"]},
    ]
