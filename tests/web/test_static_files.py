"""Static files: the built client from memory, compressed, cached by browsers, with strict security headers."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeAlias

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.log.memory import MemoryLog
from ratscrew.testing.clock import ManualClock
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import PART_HEADERS, StaticFiles

Client: TypeAlias = TestClient[web.Request, web.Application]

INDEX = "<!doctype html><title>Any page</title>" + "<p>many words</p>" * 50
START = "<!doctype html><title>Start</title>" + "<p>many words</p>" * 50
ROOM = "<!doctype html><title>Room</title>" + "<p>many words</p>" * 50
ROOM_IN_GERMAN = "<!doctype html><title>Raum</title>" + "<p>viele Worte</p>" * 50
SCRIPT = "console.log('many words');" * 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built client."""
    for name, text in {
        "index.html": INDEX,
        "start.html": START,
        "room.html": ROOM,
        "room.en.html": ROOM,
        "room.de.html": ROOM_IN_GERMAN,
        "assets/index-B3f.js": SCRIPT,
        "assets/font-C4d.woff2": "font",
        "icon.svg": "<svg/>",
        "icon.png": "png",
        "site.webmanifest": "{}",
        "assets/index-B3f.js.br": "as brotli",
        ".stamp": "secret",
    }.items():
        path = tmp_path / "page" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.txt").write_text("secret")
    return tmp_path / "page"


@pytest.fixture
async def client(folder: Path) -> AsyncIterator[Client]:
    """A browser that asks a server on this machine, and unpacks nothing by itself."""
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(folder))
    async with TestClient(TestServer(app), auto_decompress=False) as some:
        yield some


# What is where


async def test_the_front_door_and_every_room_have_a_page_that_names_what_they_need(client: Client) -> None:
    pages = {"/": START, "/room/BEAR": ROOM, "/room/anything": ROOM, "/rules": INDEX, "/judge": INDEX}
    for path, page in pages.items():
        answer = await client.get(path, headers={"Accept-Encoding": "identity"})
        assert (answer.status, answer.content_type, await answer.text()) == (200, "text/html", page)


@pytest.mark.parametrize(
    ("accepted", "page"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", ROOM_IN_GERMAN),
        ("fr, DE;q=0.5", ROOM_IN_GERMAN),
        ("en-GB,en;q=0.9,de;q=0.8", ROOM),
        ("fr", ROOM),
        ("", ROOM),
    ],
)
async def test_a_page_is_sent_in_the_first_language_that_it_is_made_for(
    client: Client, accepted: str, page: str
) -> None:
    answer = await client.get("/room/BEAR", headers={"Accept-Language": accepted, "Accept-Encoding": "identity"})
    assert await answer.text() == page
    assert answer.headers["Vary"] == "Accept-Encoding, Accept-Language"


async def test_a_page_that_is_made_for_no_language_is_sent_to_all(client: Client) -> None:
    answer = await client.get("/", headers={"Accept-Language": "de", "Accept-Encoding": "identity"})
    assert await answer.text() == START


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/assets/index-B3f.js", "text/javascript"),
        ("/assets/font-C4d.woff2", "font/woff2"),
        ("/icon.svg", "image/svg+xml"),
        ("/icon.png", "image/png"),
        ("/site.webmanifest", "application/manifest+json"),
    ],
)
async def test_a_file_has_the_type_that_browsers_ask_for(client: Client, path: str, kind: str) -> None:
    answer = await client.get(path)
    assert (answer.status, answer.content_type) == (200, kind)


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/assets/",
        "/assets",
        "/.stamp",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/index-B3f.js.br",
        "/room/BEAR/more",
        "/api/nowhere",
        "/%00",
        "/%ff",
    ],
)
async def test_there_is_nothing_else(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert answer.status == 404
    assert "secret" not in await answer.text()


NAVIGATES = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "Accept-Encoding": "identity"}
"""What browsers accept when they open an address (Fetch standard, 2.2.5)."""


@pytest.mark.parametrize("path", ["/nowhere", "/assets/old.js", "/room/BEAR/more", "/%ff"])
async def test_people_are_told_by_the_page_that_nothing_is_there(client: Client, path: str) -> None:
    answer = await client.get(path, headers=NAVIGATES)
    assert (answer.status, await answer.text()) == (404, INDEX)
    assert answer.headers["Content-Security-Policy"]
    # a browser must not ask whether it has changed: the answer to that has no body
    assert (answer.headers["Cache-Control"], "ETag" in answer.headers) == ("no-store", False)
    assert answer.headers["Vary"] == "Accept-Encoding, Accept-Language, Accept"


async def test_a_program_is_told_by_its_interface(client: Client) -> None:
    answer = await client.get("/api/nowhere", headers=NAVIGATES)
    assert (answer.status, answer.content_type) == (404, "application/json")


def test_a_page_that_is_not_built_is_known(folder: Path, tmp_path: Path) -> None:
    assert StaticFiles(folder).built
    assert not StaticFiles(tmp_path / "nowhere").built


# Compressed and kept


async def test_a_browser_that_unpacks_gets_it_packed(client: Client) -> None:
    for path, text, vary in (
        ("/", START, "Accept-Encoding, Accept-Language"),
        ("/assets/index-B3f.js", SCRIPT, "Accept-Encoding"),
    ):
        packed = await client.get(path, headers={"Accept-Encoding": "deflate, gzip;q=0.8"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(await packed.read()).decode() == text
        plain = await client.get(path, headers={"Accept-Encoding": "deflate"})
        assert "Content-Encoding" not in plain.headers
        assert await plain.text() == text
        assert packed.headers["Vary"] == plain.headers["Vary"] == vary
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])


async def test_what_the_build_has_left_as_brotli_is_sent_so_to_who_takes_it(client: Client) -> None:
    for accepted, encoding in (("gzip, deflate, br", "br"), ("br", "br"), ("gzip, br;q=0", "gzip")):
        answer = await client.get("/assets/index-B3f.js", headers={"Accept-Encoding": accepted})
        assert (answer.headers["Content-Encoding"], answer.content_type) == (encoding, "text/javascript")
        assert (await answer.read() == b"as brotli") == (encoding == "br")


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("gzip;q=0.1", True),
        ("gzip; q=1.0, identity;q=0", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("br, gzip;q=0", False),
        ("x-gzip-not", False),
        ("gzip;q=0, gzip", False),
        ("", False),
    ],
)
async def test_a_browser_that_will_not_unpack_gets_it_plain(client: Client, accepted: str, packed: bool) -> None:
    answer = await client.get("/", headers={"Accept-Encoding": accepted})
    assert (answer.headers.get("Content-Encoding") == "gzip") == packed
    assert (await answer.read() == START.encode()) != packed


@pytest.mark.parametrize("path", ["/icon.png", "/assets/font-C4d.woff2"])
async def test_what_is_packed_already_is_not_packed_again(client: Client, path: str) -> None:
    answer = await client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers


async def test_what_a_browser_has_is_not_sent_again(client: Client) -> None:
    tag = (await client.get("/")).headers["ETag"]
    again = await client.get("/", headers={"If-None-Match": tag})
    assert (again.status, await again.read(), again.headers["ETag"]) == (304, b"", tag)
    other = await client.get("/", headers={"If-None-Match": '"something else"'})
    assert other.status == 200


async def test_each_content_has_a_tag_of_its_own(client: Client, folder: Path) -> None:
    tags = {(await client.get(path)).headers["ETag"] for path in ("/", "/icon.svg", "/icon.png")}
    assert len(tags) == 3
    (folder / "start.html").write_text("new")
    app = make_app(MemoryLog(), ManualClock(1), StaticFiles(folder))
    async with TestClient(TestServer(app)) as other:
        assert (await other.get("/")).headers["ETag"] not in tags


async def test_only_what_is_named_by_its_content_is_kept_for_ever(client: Client) -> None:
    kept = {path: (await client.get(path)).headers["Cache-Control"] for path in ("/", "/icon.svg", "/room/BEAR")}
    assert set(kept.values()) == {"no-cache"}
    asset = await client.get("/assets/index-B3f.js")
    assert asset.headers["Cache-Control"] == "max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("path", "listed"),
    [("/", True), ("/learn", True), ("/room/BEAR", False), ("/players/a1", False), ("/nothing", False)],
)
async def test_search_engines_list_no_page_with_names_or_codes(client: Client, path: str, listed: bool) -> None:
    answer = await client.get(path, headers={"Accept": "text/html"})
    assert answer.headers.get("X-Robots-Tag") == (None if listed else "noindex")


async def test_a_head_is_the_answer_without_its_body(client: Client) -> None:
    answer = await client.head("/")
    assert (answer.status, await answer.read()) == (200, b"")


# Headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/icon.png", 200),
        ("GET", "/nowhere", 404),
        ("DELETE", "/", 405),
    ],
)
async def test_every_document_carries_the_headers(client: Client, method: str, path: str, status: int) -> None:
    answer = await client.request(method, path)
    assert answer.status == status
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Server" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/api/health", 200), ("POST", "/api/rooms", 400), ("GET", "/api/rooms/BEAR/socket", 400)],
)
async def test_data_may_do_nothing_if_it_is_opened_as_a_document(
    client: Client, method: str, path: str, status: int
) -> None:
    answer = await client.request(method, path)
    assert answer.status == status
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["X-Robots-Tag"] == "noindex"
    assert "Server" not in answer.headers


async def test_the_parts_of_a_page_carry_what_binds_parts(client: Client) -> None:
    answer = await client.get("/assets/index-B3f.js")
    assert {name: answer.headers[name] for name in PART_HEADERS} == PART_HEADERS
    assert PART_HEADERS["X-Content-Type-Options"] == "nosniff"
    assert "Content-Security-Policy" not in answer.headers


async def test_the_answers_without_a_body_carry_the_headers(client: Client) -> None:
    tag = (await client.get("/")).headers["ETag"]
    for answer in (await client.get("/", headers={"If-None-Match": tag}), await client.head("/nowhere")):
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


async def test_the_page_may_load_from_its_own_server_only(client: Client) -> None:
    """Everything is forbidden that is not named, and nothing that is named comes from elsewhere or is written in it."""
    policy = (await client.get("/")).headers["Content-Security-Policy"]
    rules = {name: set(sources) for name, *sources in (rule.split() for rule in policy.split(";"))}
    assert rules.pop("default-src") == {"'none'"}
    for name in ("base-uri", "form-action", "frame-ancestors"):
        assert rules.pop(name) == {"'none'"}
    assert rules.pop("img-src") == {"'self'", "data:"}
    assert rules.pop("require-trusted-types-for") == {"'script'"}
    rules.pop("trusted-types", None)
    for name in ("script-src", "style-src", "font-src", "connect-src"):
        assert rules.pop(name) == {"'self'"}
    assert all(sources == {"'self'"} for sources in rules.values())
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
