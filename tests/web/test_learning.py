"""Lessons and drills over HTTP: a room with stacked cards, and cards whose patterns are checked independently."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from tests.web.http_requests import Client, ask, get, socket_of
from tests.web.pages import Page

FACES = {"J": 1, "Q": 2, "K": 3, "A": 4}
RANKS = "23456789TJQKA"


async def drilled(client: Client, house: str, seed: int = 1, cards: int = 60) -> list[list[tuple[str, list[str]]]]:
    """The piles of a drill: each card, and for what it can be slapped."""
    status, told = await get(client, "/api/drill", house=house, cards=str(cards), seed=str(seed))
    assert status == 200
    assert told["house"] == house
    assert len(told["cards"]) == cards
    assert told["cards"][0]["fresh"]
    piles: list[list[tuple[str, list[str]]]] = []
    for card in told["cards"]:
        if card["fresh"]:
            piles.append([])
        piles[-1].append((card["card"], card["slaps"]))
    return piles


def looks(pile: Sequence[str]) -> set[str]:
    """What lies on a pile of whole cards, by the plain words of each pattern: the newest card is the last."""
    ranks, suits = [card[:-1] for card in pile], [card[-1] for card in pile]
    found = set()
    if len(pile) > 1:
        if ranks[-1] == ranks[-2]:
            found.add("double")
        if {*ranks[-2:]} == {"K", "Q"}:
            found.add("marriage")
        if {*ranks[-2:]} == {"6", "9"}:
            found.add("sixty_nine")
        if ranks[-1] == ranks[0]:
            found.add("top_bottom")
    if len(pile) > 2:
        if ranks[-1] == ranks[-3] != ranks[-2]:
            found.add("sandwich")
        if len({*ranks[-3:]}) == 1:
            found.add("triple")
        if len({*suits[-3:]}) == 1:
            found.add("suit_run")
        places = [RANKS.index(rank) for rank in ranks[-3:]]
        lows = [-1 if place == 12 else place for place in places]
        steps = [[b - a for a, b in pairwise(row)] for row in (places, lows)]
        if [1, 1] in steps or [-1, -1] in steps:
            found.add("run")
    if len(pile) > 3 and ranks[-1] == ranks[-4] and ranks[-1] not in ranks[-3:-1]:
        found.add("hoagie")
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_every_card_says_for_what_it_can_be_slapped(client: Client, seed: int) -> None:
    house = "1;wiki"
    known = {"double", "sandwich", "hoagie", "run", "top_bottom", "marriage"}
    for pile in await drilled(client, house, seed):
        for n, (_, slaps) in enumerate(pile, 1):
            assert set(slaps) == looks([card for card, _ in pile[:n]]) & known


@pytest.mark.parametrize("house", ["1;classic", "1;wiki", "1;stayandplay", "1;chaos", "1;tournament"])
async def test_about_a_third_can_be_slapped_and_every_pattern_comes(client: Client, house: str) -> None:
    piles = await drilled(client, house)
    slaps = [names for pile in piles for _, names in pile]
    assert 15 <= sum(map(bool, slaps)) <= 25
    _, told = await get(client, "/api/house", text=house)
    on = {name for name, value in told["rules"]["slaps"].items() if value not in (False, None, 0, [], "off")} - {"wild"}
    if not told["rules"]["jokers"]:
        on -= {"instant"}  # the house's slap cards are jokers, and it has none
    assert {name for names in slaps for name in names} == on


async def test_the_others_often_look_as_if_they_could(client: Client) -> None:
    """A rank that lay among the four cards under it, or next to one of them: at random that were less than a third."""
    near = others = 0
    for pile in await drilled(client, "1;classic", cards=200):
        for n, (card, slaps) in enumerate(pile):
            under = [RANKS.index(below[0]) for below, _ in pile[max(0, n - 4) : n]]
            if under and not slaps:
                others += 1
                near += any(abs(RANKS.index(card[0]) - rank) < 2 for rank in under)
    assert others > 40
    assert near > others / 2


async def test_the_same_seed_brings_the_same_cards_and_another_others(client: Client) -> None:
    first = await drilled(client, "1;classic", seed=7)
    assert await drilled(client, "1;classic", seed=7) == first
    assert await drilled(client, "1;classic", seed=8) != first


async def test_no_card_lies_twice_in_a_pile_of_one_pack(client: Client) -> None:
    for pile in await drilled(client, "1;classic", cards=200):
        assert len({card for card, _ in pile}) == len(pile)


async def test_a_pile_ends_where_a_challenge_has_been_lost(client: Client) -> None:
    """A jack leaves one chance, an ace four: no pile goes on behind that."""
    for pile in await drilled(client, "1;classic", cards=200):
        left = None
        for card, _ in pile:
            assert left != 0
            left = FACES.get(card[0]) or (None if left is None else left - 1)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"house": "1;beggar", "cards": "60", "seed": "1"}, "nothing to practise"),
        ({"house": "1;nowhere", "cards": "60", "seed": "1"}, "nowhere"),
        ({"house": "1;classic", "cards": "0", "seed": "1"}, "cards = '0'"),
        ({"house": "1;classic", "cards": "201", "seed": "1"}, "1 to 200"),
        ({"house": "1;classic", "cards": "60", "seed": "-1"}, "seed = '-1'"),
        ({"house": "1;classic", "cards": "60"}, "seed = ''"),
        ({"house": "1;classic", "cards": "六十", "seed": "1"}, "cards ="),
    ],
)
async def test_what_cannot_be_practised_is_told_in_a_sentence(client: Client, query: dict[str, str], says: str) -> None:
    status, told = await get(client, "/api/drill", **query)
    assert status == 422
    assert says in " ".join(told["problems"])


# Lessons


async def test_a_lesson_is_a_room_with_its_cards(client: Client) -> None:
    status, told = await ask(client, {"name": "Ana", "lesson": "slap_in"}, "/api/lessons")
    assert status == 201
    assert (told["seat"], told["slaps"]) == (0, [["9D", "4S", "9H"], ["7C", "7D"], ["3S", "8H", "3H"]])
    async with client.ws_connect(socket_of(told["room"])) as socket:
        await socket.send_json({"t": "hello", "player_ids": [told["player_id"]]})
        welcome = await Page(socket).receive("welcome")
    assert welcome["view"]["cards_held"] == [1, 10]
    assert [seat["bot"] for seat in welcome["seats"]] == [None, "teacher"]


@pytest.mark.parametrize(
    ("body", "status"),
    [({"name": "Ana", "lesson": "juggling"}, 400), ({"name": "x" * 21, "lesson": "turn"}, 422), ({"name": "Ana"}, 400)],
)
async def test_another_lesson_there_is_not(client: Client, body: Any, status: int) -> None:
    assert (await ask(client, body, "/api/lessons"))[0] == status
