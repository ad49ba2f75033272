"""Everything that a client sends has a size that is checked before any other code sees it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from ratscrew.errors import InputError, WireError
from ratscrew.game.bounds import INTEGER_MOST, NAME_MOST, InputCodec, Integer, NameText, unbounded
from ratscrew.protocol import wire
from ratscrew.protocol.session import decode
from ratscrew.table.names.names import LONGEST, PARTS_MOST
from ratscrew.web.middleware import HEADER_BYTES_MOST, HEADERS_READ_WHOLE, VARIABLES_MOST
from ratscrew.web.routes import LINES, ROUTES
from tests.web.http_requests import Client, ask

SOURCE = Path(__file__).parents[2] / "src/ratscrew"

BODIES = [route.request for route in ROUTES if route.request is not None and route.request != LINES]


@pytest.mark.parametrize("kind", [*BODIES, wire.ClientMessage], ids=str)
def test_every_field_of_every_body_and_message_is_bounded(kind: Any) -> None:
    assert list(unbounded(kind)) == []


class Inner(Struct):
    """A part of a body."""

    notes: list[Annotated[str, Meta(max_length=5)]]
    again: Inner | None = None


class Body(Struct):
    """A body with a field of each kind that a client could fill without end."""

    good: NameText
    number: Integer
    text: str
    count: Annotated[int, Meta(ge=0)]
    share: float
    anything: Any
    inner: Inner
    numbers: Annotated[tuple[int, ...], Meta(max_length=3)]
    choices: dict[str, bool] | None


def test_an_unbounded_field_is_found_wherever_it_is_and_a_server_with_one_does_not_start() -> None:
    wrong = [
        *("Body.text", "Body.count", "Body.share", "Body.anything", "Body.inner.notes", "Body.numbers[]"),
        *("Body.choices", "Body.choices{}"),
    ]
    assert list(unbounded(Body)) == wrong
    with pytest.raises(TypeError, match=r"use the types of bounds.py: Body.text, Body.count, "):
        InputCodec[Body](Body, 100)


def test_what_is_too_large_is_refused_with_its_place() -> None:
    codec = InputCodec[Inner](Annotated[list[NameText], Meta(max_length=2)], 1000)
    for text, field, fault in (
        (f'["{"x" * (NAME_MOST + 1)}"]', "$[0]", "Expected `str` of length <= 200"),
        ('["a","b","c"]', "$", "Expected `array` of length <= 2"),
        ("[" + " " * 1000 + "]", "$", "more than 1000 bytes"),
        ("[", "$", "Input data was truncated"),
    ):
        with pytest.raises(InputError) as caught:
            codec.decode(text)
        assert (caught.value.field, caught.value.fault) == (field, fault)


def test_a_name_has_space_for_twenty_of_the_longest_emoji() -> None:
    assert LONGEST * PARTS_MOST == NAME_MOST


@pytest.mark.parametrize("number", [INTEGER_MOST + 1, -INTEGER_MOST - 1, 10**400])
def test_a_number_that_no_page_has_exactly_is_no_message(number: int) -> None:
    decode(f'{{"t":"play","n":{INTEGER_MOST}}}')
    with pytest.raises(WireError):
        decode(f'{{"t":"play","n":{number}}}')


# No other way in


DECODE = {"Codec", "InputCodec", "Decoder", "decode", "decode_lines", "convert", "loads"}
"""What makes values of text: `Codec` and msgspec's own, and the json module's."""

TRUSTED = {
    "accounts": "values that this server or another node of its cluster has stored",
    "game/bounds": "the decoder of bounded input",
    "game/codec": "the codec itself",
    "game/notation": "a file of the operator's, of limited length (`table/history/import_export.py`)",
    "game/referee": "a file of the operator's",
    "log": "entries that this server has stored",
    "table/arenas/arena_registry": "stored values",
    "table/arenas/stored": "stored values",
    "table/room/recent_events": "messages that this process has made",
    "table/record/moment": "rendered by the worker process",
    "accounts/passkeys": "stored values; what clients send is base64 of a bounded length, which fido2 decodes",
    "table/state/log_snapshot": "stored values",
    "table/history/settling": "stored values",
    "table/registry/cluster_rooms": "rows of other nodes",
    "table/registry/tokens": "signed by this server",
    "web/cluster/cluster": "of other nodes",
    "web/api/community_profiles": "rendered by the worker process",
    "web/api/link_previews": "rendered by the worker process",
    "web/access/name_screen": "lists of words that are installed with the server",
    "web/openapi": "only encodes",
    "protocol/player_connection": "only encodes",
    "web/access/presence": "stored values of other nodes",
    "web/remote_bot": "a client: it reads the messages of a server",
    "web/rendering/rendering": "entries of the log, and a house's choices by `InputCodec`",
    "web/rendering/rendering_process": "jobs of the server",
    "web/http/responses": "only encodes",
    "web/routes": "bodies, by `InputCodec`",
    "limits/shared_limits": "counts of other nodes",
    "protocol/session": "messages, by `InputCodec`",
    "protocol/spectators": "messages that this process has made",
    "web/rendering/worker": "rendered by the worker process",
}
"""Modules that decode, and why nothing unbounded comes in there. Who adds one says why here, or uses `InputCodec`."""

BODY_READERS = {
    "web/socket/channel_handlers",
    "web/cluster/forwarding",
    "web/http/idempotency",
    "web/middleware",
    "web/routes",
    "web/api/rule_sets",
}
"""Modules that read the body of a request: it has `BODY_MOST` bytes at most, and `routes` decodes it,
or each message in it `protocol/session.py`."""


def calls(tree: ast.AST) -> Iterator[str]:
    """The names of what is called, or subscripted and called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            if isinstance(called, ast.Attribute) and called.attr in ("decode", "loads", "convert"):
                inner = called.value
                owner = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
                if owner in ("json", "msgpack", "msgspec", "tomllib"):
                    yield called.attr
            else:
                yield called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def server_modules() -> Iterator[tuple[str, ast.AST]]:
    """The modules of a running server, and their code."""
    for package in ("game", "accounts", "log", "cluster", "table", "limits", "protocol", "web"):
        for path in sorted((SOURCE / package).rglob("*.py")):
            yield path.relative_to(SOURCE).with_suffix("").as_posix(), ast.parse(path.read_text(encoding="utf8"))


def test_every_module_that_decodes_says_why_nothing_unbounded_comes_in() -> None:
    found = {module for module, tree in server_modules() if DECODE & set(calls(tree))}
    unknown = {module for module in found if not TRUSTED.keys() & {module, module.partition("/")[0]}}
    assert unknown == set(), "decode what clients send with InputCodec (game/bounds.py), or say in TRUSTED who sent it"


def test_only_known_modules_read_a_body() -> None:
    reads = {"read", "json", "text", "post", "multipart"}
    found = set[str]()
    for module, tree in server_modules():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in reads
                and getattr(node.func.value, "id", "") == "request"
            ):
                found.add(module)
    assert found == BODY_READERS


# Addresses and headers


def test_every_parameter_that_the_code_reads_has_a_bound() -> None:
    declared = {name for route in ROUTES for name in route.parameters}
    read = set[str]()
    for path in (SOURCE / "web").rglob("*.py"):
        text = path.read_text()
        read |= set(re.findall(r"request\.query(?:\.get\(|\[)\"(\w+)\"", text))
        for names in re.findall(r"request\.query\.get\(name, \"\"\) for name in \(([^)]*)\)", text):
            read |= set(re.findall(r"\"(\w+)\"", names))
    assert {"text", "seed", "question"} <= read  # or the pattern has grown old
    assert read - declared == set()


def test_every_variable_of_a_path_has_a_bound() -> None:
    assert {name for route in ROUTES for name in re.findall(r"{(\w+)", route.path)} == set(VARIABLES_MOST)


HEADERS_READ_IN_PART = {"Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "Cookie"}
"""Of these only the beginning is read, or what a pattern finds in one pass; the name of a `Cookie` is checked first."""


def test_every_header_that_is_read_whole_has_a_bound() -> None:
    pattern = r"headers\.(?:get|getall)\(\s*\"([\w-]+)\"|_forwarded\(request, \"([\w-]+)\""
    read = {
        name
        for path in (SOURCE / "web").rglob("*.py")
        for pair in re.findall(pattern, path.read_text())
        for name in pair
    }
    assert "X-Forwarded-For" in read  # or the pattern has grown old
    assert read - {"", "Allow"} - HEADERS_READ_IN_PART - set(HEADERS_READ_WHOLE) == set()


@pytest.mark.parametrize("name", HEADERS_READ_WHOLE)
async def test_a_header_that_is_too_long_is_refused(client: Client, name: str) -> None:
    if name in ("Connection", "Host", "Upgrade", "Content-Encoding"):
        return  # checked before, by aiohttp or for their values
    answer = await client.get("/api/health", headers={name: "x" * (HEADER_BYTES_MOST + 1)})
    assert answer.status == 431


@pytest.mark.parametrize(
    "path",
    [
        f"/api/rules?lang={'x' * 201}",
        f"/api/drill?house=1;classic&cards={'1' * 41}&seed=1",
        f"/api/leaderboard?season={'x' * 21}",
        f"/api/games/{'x' * 101}",
        f"/api/rooms/{'x' * 65}/arena",
        f"/api/players/{'x' * 65}",
    ],
)
async def test_a_variable_that_is_too_long_is_refused_before_it_is_used(client: Client, path: str) -> None:
    assert (await client.get(path)).status == 400


async def test_a_long_name_is_refused_before_it_is_normalised(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    normalised = list[str]()

    def tidy(text: str) -> str:
        normalised.append(text)
        return text

    monkeypatch.setattr("ratscrew.table.names.names.tidy", tidy)
    name = "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 600
    for path, body in {
        "/api/rooms": {"name": name, "bots": 1},
        "/api/quick": {"name": name},
        "/api/lessons": {"name": name, "lesson": "turn"},
    }.items():
        status, problem = await ask(client, body, path)
        assert (status, problem["problems"]) == (400, ["A name needs 1 to 20 letters"])
    assert normalised == []
