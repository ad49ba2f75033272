"""What players read of a failed request is a sentence of the catalogue in their language, never a validator's text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import RefusalReason
from ratscrew.log.memory import MemoryLog
from ratscrew.protocol import wire
from ratscrew.rules.german import SENTENCES
from ratscrew.table.record.messages import Refused
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.openapi import EXAMPLES
from ratscrew.web.rendering.worker import execute_here
from ratscrew.web.routes import API_ROUTES, LINES, Route
from ratscrew.web.schema.problems import REFUSALS, problem, refusal
from tests.web.http_requests import ASKED, Client, ask

SOURCE = Path(__file__).parents[2] / "src/ratscrew"
CLIENT = Path(__file__).parents[2] / "client/src/i18n"

RAW = re.compile(r"[`$]|Expected|validat|msgspec|Traceback|truncated|malformed|got `|matching regex|enum|daily =")
"""What validators write, and no sentence for players."""


def pages_texts(language: str) -> Mapping[str, str]:
    """The page's own sentences for a code (`problem` in its catalogue): it shows these instead of the server's."""
    text = (CLIENT / f"{language}.ts").read_text(encoding="utf8")
    block = text[text.index("  problem: {") :]
    block = block[: block.index("\n  }")]
    return {code: text for code, _, text in re.findall(r"^    (\w+):\s+(['\"])(.*)\2,$", block, re.MULTILINE)}


TEXTS = {language: pages_texts(language) for language in ("en", "de")}

PATTERNS = {
    "en": [re.escape(re.sub(r"{.*?}", "\0", each)).replace("\0", ".*") for each in SENTENCES],
    "de": [re.escape(re.sub(r"{.*?}", "\0", each)).replace("\0", ".*") for each in SENTENCES.values()],
}


def shown(language: str, answer: Mapping[str, Any]) -> list[str]:
    """What the page shows of an error response (`errorMessages` in client/src/net/api.ts)."""
    own = TEXTS[language].get(answer["code"])
    return [own] if own else list(answer["problems"])


def is_a_sentence(language: str, text: str) -> bool:
    """Whether a text is one of the catalogue, and nothing that a validator has written."""
    if text in TEXTS[language].values():
        return True
    return not RAW.search(text) and any(re.fullmatch(each, text, re.DOTALL) for each in PATTERNS[language])


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "zzz",
    "x" * 3000,
    [],
    [[]],
    {},
    {"a": {"b": {"c": {"d": 1}}}},
    "\x00\u202e",
)
"""Values of which each field takes hardly any."""


def wrong_bodies(route: Route) -> Iterator[Any]:
    """Bodies for a route in which one field is wrong, or the whole."""
    yield from (None, 7, "text", [], {}, [{}])
    example = route.example or {}
    for field in msgspec.inspect.type_info(route.request).fields:  # type: ignore[attr-defined]
        for value in WRONG:
            yield {**example, field.encode_name: value}
    if "appearance" in route.request.__struct_fields__:
        yield {**example, "appearance": {"hue": 99, "shape": "octopus"}}
        yield {**example, "appearance": {"hue": 1, "shape": "octopus"}}


def whole_server() -> web.Application:
    """A server with all routes."""
    clock = ManualClock(1)
    return make_app(
        MemoryLog(), clock, StaticFiles(Path("nowhere")), execute=execute_here, community=CommunityOptions()
    )


TAKES_A_BODY = [route for route in API_ROUTES if route.request not in (None, LINES)]
"""Routes with JSON: messages are answered by messages."""


@pytest.mark.parametrize("route", TAKES_A_BODY, ids=lambda route: f"{route.method} {route.path}")
async def test_no_wrong_body_shows_a_player_a_validators_text(route: Route) -> None:
    path = re.sub(r"{(\w+)[^}]*}", lambda found: EXAMPLES[found[1]], route.path)
    count = 0
    async with TestClient(TestServer(whole_server())) as client:
        for body in wrong_bodies(route):
            for language in ("en", "de"):
                async with client.request(
                    route.method, path, json=body, headers={"Accept-Language": language}
                ) as response:
                    if response.status < 400:
                        continue
                    assert response.status != 500
                    for text in shown(language, await response.json()):
                        count += 1
                        assert is_a_sentence(language, text), (body, text)
    assert count


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 4000, b'{"name":' + b"[" * 3000, b'{"name":"\\ud800"}'])
async def test_what_is_no_json_is_said_in_a_sentence_too(body: bytes) -> None:
    async with TestClient(TestServer(whole_server())) as client:
        for route in TAKES_A_BODY:
            path = re.sub(r"{(\w+)[^}]*}", lambda found: EXAMPLES[found[1]], route.path)
            async with client.request(route.method, path, data=body, headers={"Accept-Language": "de"}) as response:
                assert 400 <= response.status < 500
                for text in shown("de", await response.json()):
                    assert is_a_sentence("de", text), (route.path, text)


@pytest.mark.parametrize(
    "path",
    [
        *("/api/drill?house=1;classic&cards=many&seed=1", "/api/drill?house=1;nothing&cards=1&seed=1", "/api/drill"),
        *("/api/house?text=2;", "/api/house?text=1;classic;turn_ms=x", "/api/house?text=1;classic;slaps.run.len.x=1"),
        *("/api/house?text=1;classic;chances=x", "/api/house?text=1;classic;chances.J=x", "/api/house?text=1;a;b"),
        *(
            "/api/house?text=1;classic;wrong_slap.kind=x",
            "/api/house?text=1;classic;=",
            "/api/house?text=1;classic;a.b=1",
        ),
        *(
            "/api/games/none",
            "/api/games/none.txt",
            "/api/nowhere",
            "/api/leaderboard?season=never",
            "/api/players/none",
        ),
        *("/api/friends", "/api/account/export", "/api/account/blocks", f"/api/rules?lang={'x' * 500}"),
        *("/api/rooms/BEAR4821/arena", "/api/rooms/BEAR4821/blocks", f"/api/{'x' * 300}"),
    ],
)
async def test_no_wrong_address_shows_a_player_a_validators_text(path: str) -> None:
    async with TestClient(TestServer(whole_server())) as client:
        for language in ("en", "de"):
            async with client.get(path, headers={"Accept-Language": language}) as response:
                assert 400 <= response.status < 500
                for text in shown(language, await response.json()):
                    assert is_a_sentence(language, text), text


async def test_developers_get_the_field_and_what_is_wrong_with_it(client: Client) -> None:
    status, answer = await ask(client, {**ASKED, "appearance": {"hue": 99, "shape": "palm"}})
    assert status == 400
    assert answer == {
        "code": "request",
        "problems": ["Something in this request isn't right: reload the page and try again"],
        "field": "$.appearance.hue",
        "detail": "Expected `int` <= 7",
    }


@pytest.mark.parametrize("day", ["2026-12-01", "1971-01-01"])
async def test_a_device_whose_clock_is_days_off_is_told_so(client: Client, day: str) -> None:
    for language, sentence in (
        ("en", f"Your device's date, {day}, isn't today's: set its clock to play today's deal"),
        (
            "de",
            f"Auf deinem Gerät ist der {day}, das ist nicht heute: Stell seine Uhr, um das Spiel des Tages zu spielen",
        ),
    ):
        asked = {"name": "Ana", "bots": 2, "daily": day}
        async with client.post("/api/rooms", json=asked, headers={"Accept-Language": language}) as response:
            assert (response.status, (await response.json())["problems"]) == (422, [sentence])


def test_messages_have_codes_and_no_texts_for_players() -> None:
    """What a page shows of a refusal or of the end of a connection is in its own catalogue."""
    for kind in (wire.Bye, wire.RateLimited, Refused):
        for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]
            if isinstance(field.type, msgspec.inspect.StrType):
                assert (kind, field.name) == (Refused, "reason")  # one of RefusalReason
    assert set(get_args(Refused.__annotations__["reason"])) <= set(RefusalReason)


@pytest.mark.parametrize("reason", RefusalReason)
def test_every_refusal_has_a_sentence(reason: RefusalReason) -> None:
    from ratscrew.errors import Refusal

    for language in ("en", "de"):
        (text,) = refusal(language, Refusal(reason, "some text of a developer's")).problems
        assert is_a_sentence(language, text)
    assert set(REFUSALS) <= set(RefusalReason)


# In the code


def parsed() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the packages of a server, with the name of its module."""
    for package in ("rules", "game", "bots", "accounts", "table", "limits", "protocol", "web"):
        for path in sorted((SOURCE / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
                if isinstance(node, ast.Call):
                    yield path.relative_to(SOURCE).as_posix(), node


def name_of(call: ast.Call) -> str:
    """What is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_every_sentence_of_the_code_is_translated() -> None:
    said = (call.args[0] for _, call in parsed() if name_of(call) == "say")
    patterns = {pattern.value for pattern in said if isinstance(pattern, ast.Constant)}
    assert patterns - set(SENTENCES) == set()
    assert set(SENTENCES) - patterns == set()
    for pattern, german in SENTENCES.items():
        names = [set(re.findall(r"{(\w+)", each)) for each in (pattern, german)]
        assert names[0] == names[1], pattern


def test_only_one_module_makes_problems() -> None:
    makers = {module for module, call in parsed() if name_of(call) in ("Problem", "SlowDown")}
    assert makers == {"web/schema/problems.py"}
    assert problem("de", "busy").problems == ()


PLAIN = {"rules/link.py", "bots/ladder.py"}
"""Modules that also read files of the operator's, or options of a command, and say in English what is wrong there."""


def test_errors_for_players_are_made_of_sentences_not_of_plain_text() -> None:
    found = []
    for module, call in parsed():
        texts: list[ast.expr] = []
        if name_of(call) == "RulesError" and call.args and isinstance(call.args[0], ast.List | ast.Tuple):
            texts = call.args[0].elts
        elif name_of(call) == "Refusal":
            texts = call.args[1:]
        if module not in PLAIN and any(isinstance(text, ast.JoinedStr | ast.Constant) for text in texts):
            found.append(f"{module}:{call.lineno}")
    assert found == [], "say(...) a sentence, and translate it in rules/german.py"
