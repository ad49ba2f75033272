"""Houses over HTTP: their options, houses by text or by choices, and errors in them."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import RulesError
from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.link import from_link, to_link
from ratscrew.rules.presets import PRESETS, TITLES
from ratscrew.web.rendering.rendering import house_of_text
from tests.web.http_requests import Client, ask, get

OWN = "1;wiki;turn_ms=5000;slaps.hoagie=off"


async def chosen(client: Client, text: str) -> dict[str, Any]:
    """The house of a text, as the server tells it."""
    status, told = await get(client, "/api/house", text=text)
    assert status == 200
    assert set(told) == {"link", "rules", "sheet", "preset", "title", "differences"}
    return dict(told)


# Everything that can be chosen


async def test_every_option_is_told_with_its_words(client: Client) -> None:
    status, told = await get(client, "/api/rules")
    assert status == 200
    options = {option["path"]: option for group in told["groups"] for option in group["options"]}
    turn = options["turn_ms"]
    assert (turn["least"], turn["most"]) == (1000, 600_000)
    assert all(option["title"] and option["hint"] for option in options.values())


async def test_whatever_a_preset_chooses_stands_among_the_options(client: Client) -> None:
    _, told = await get(client, "/api/rules")
    paths = {option["path"] for group in told["groups"] for option in group["options"]}
    for preset in PRESETS:
        rules = (await chosen(client, f"1;{preset}"))["rules"]
        assert {name for name, value in rules.items() if not isinstance(value, dict)} <= paths


# A house by its text


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_preset_is_its_own_nearest_and_differs_in_nothing(client: Client, preset: str) -> None:
    told = await chosen(client, f"1;{preset}")
    assert (told["link"], told["preset"], told["differences"]) == (f"1;{preset}", preset, [])
    assert told["sheet"]["title"] == f"{TITLES[preset]} rules"


async def test_a_preset_is_told_in_the_language_of_the_browser(client: Client) -> None:
    answers = [
        await client.get("/api/house", params={"text": "1;wiki"}, headers={"Accept-Language": language})
        for language in ("de", "en")
    ]
    titles = [(await answer.json())["title"] for answer in answers]
    assert titles == [LANGUAGES[language].words["preset.wiki"].title for language in ("de", "en")]
    assert {answer.headers["Vary"] for answer in answers} == {"Accept-Encoding, Accept-Language"}


async def test_a_house_of_ones_own_is_told_by_what_is_different(client: Client) -> None:
    told = await chosen(client, OWN)
    assert (told["link"], told["preset"]) == (OWN, "wiki")
    assert (told["rules"]["turn_ms"], "hoagie" in told["rules"]["slaps"]) == (5000, False)
    assert told["differences"] == [
        "Hoagie: doesn't count.",
        "You have 5 seconds to flip a card; then it's flipped for you.",
    ]


async def test_what_the_text_says_too_much_is_left_out(client: Client) -> None:
    assert (await chosen(client, "1;classic;decks=1"))["link"] == "1;classic"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["'': rules in a text begin with '1;' and a preset"]),
        ("2;classic", ["'2;classic': rules in a text begin with '1;' and a preset"]),
        ("1;nowhere", [f"there is no preset 'nowhere'; there are {', '.join(PRESETS)}"]),
        ("1;wiki;turn_ms", ["'turn_ms': a choice is written option=value"]),
        (
            "1;wiki;turn_ms=1;decks=99",
            ["decks = 99: it can be ", "turn_ms = 1: it can be a whole number"],
        ),
    ],
)
async def test_each_problem_of_a_text_is_told_in_a_sentence(client: Client, text: str, problems: list[str]) -> None:
    status, told = await get(client, "/api/house", text=text)
    assert (status, told["code"], len(told["problems"])) == (422, "rules", len(problems))
    assert all(said.startswith(problem) for said, problem in zip(sorted(told["problems"]), problems, strict=True))


async def test_without_a_text_there_is_no_house(client: Client) -> None:
    assert (await get(client, "/api/house"))[0] == 422


# A house by its choices


async def test_choices_are_laid_over_those_of_a_preset(client: Client) -> None:
    choices = {"turn_ms": 5000, "slaps": {"hoagie": False}}
    assert await ask(client, {"preset": "wiki", "choices": choices}, "/api/house") == (200, await chosen(client, OWN))


async def test_without_a_preset_choices_are_laid_over_classic(client: Client) -> None:
    status, told = await ask(client, {"choices": {}}, "/api/house")
    assert (status, told) == (200, await chosen(client, "1;classic"))


@pytest.mark.parametrize(
    ("asked", "problems"),
    [
        ({"choices": {"preset": "wiki"}}, ["preset: there is no such option"]),
        ({"choices": {"slaps": {"thunder": True}}}, ["slaps.thunder: there is no such pattern"]),
        ({"choices": {"max_players": 1}}, ["max_players = 1: it can be 0 (no limit), or 2 and more"]),
        ({"choices": {}, "preset": "nowhere"}, ["there is no preset 'nowhere'"]),
        ({"choices": {"colour": 1, "turn_ms": "soon"}}, ["colour: there is no such option", "turn_ms = 'soon': "]),
    ],
)
async def test_each_problem_of_choices_is_told_in_a_sentence(
    client: Client, asked: dict[str, Any], problems: list[str]
) -> None:
    status, told = await ask(client, asked, "/api/house")
    assert (status, told["code"], len(told["problems"])) == (422, "rules", len(problems))
    assert all(said.startswith(problem) for said, problem in zip(sorted(told["problems"]), problems, strict=True))


@pytest.mark.parametrize("body", [b"", b"[]", b"{", {}, {"choices": []}, {"choices": {}, "preset": 7}])
async def test_what_are_no_choices_is_no_request(client: Client, body: Any) -> None:
    status, told = await ask(client, body, "/api/house")
    assert (status, told["code"], len(told["problems"])) == (400, "request", 1)


# Whatever is asked

PATHS = [
    "turn_ms",
    "decks",
    "slaps",
    "slaps.run",
    "slaps.run.len",
    "chances",
    "chances.J",
    "wrong_slap",
    "wrong_slap.kind",
]


@given(
    st.sampled_from(["1", "2"]),
    st.sampled_from([*PRESETS, "nowhere"]),
    st.lists(st.tuples(st.sampled_from(PATHS) | st.text(max_size=8), st.sampled_from("= ;"), st.text(max_size=8))),
)
def test_any_text_has_problems_or_is_a_house_that_reads_back(
    version: str, preset: str, choices: list[tuple[str, str, str]]
) -> None:
    with suppress(RulesError):
        rules = from_link(";".join([version, preset, *map("".join, choices)]))
        told = json.loads(gzip.decompress(house_of_text(to_link(rules), "en").packed))
        assert from_link(told["link"]) == rules


async def test_any_choices_are_answered_with_a_house_or_with_problems(client: Client) -> None:
    """One server for all of them: strange values at every path that a house has."""
    strange: list[Any] = [
        None,
        -1,
        10**400,
        1.5,
        "",
        "x" * 99,
        [],
        {},
        [[]],
        {"kind": []},
        {"len": {}},
        {"kind": "burn", "x": 1},
    ]
    for path in [*PATHS, "stoppers", "no_cards", ""]:
        for value in strange:
            *outer, name = path.split(".")
            choices: dict[str, Any] = {name: value}
            for step in reversed(outer):
                choices = {step: choices}
            status, told = await ask(client, {"choices": choices}, "/api/house")
            assert status == 200 or (status in (400, 422) and told["problems"]), json.dumps(choices)
