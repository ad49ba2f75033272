"""Names are screened by a maintained list and the operator's own, without harm to Scunthorpe."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer

from ratscrew.errors import ConfigError, RulesError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.names.guest_names import GUEST_NAMES
from ratscrew.table.names.names import faults, tidy
from ratscrew.table.names.reserved_names import RESERVED, is_reserved
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.access.name_screen import NameScreen, read_words
from ratscrew.web.app import make_app
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.rendering.worker import execute_here
from tests.web.http_requests import Client, ask

SCREEN = NameScreen(["Blorp", "+Rosette"])


FORBIDDEN = (Path(__file__).parent / "forbidden_names.txt").read_text(encoding="utf-8").split()
"""What German law or decency forbids, in English and German, also in disguise."""

FORBIDDEN_PHRASES = (
    "Sieg Heil",
    "Heil  Hitler",
    "Juden raus",
    "White Power",
    "14 88",
    "kill yourself",
    "k y s",
    "f u c k",
)

PEOPLE = (Path(__file__).parent / "people.txt").read_text(encoding="utf-8").split()
"""Names of people in many languages, and words that have others in them."""

MORE_PEOPLE = ("Fuk Yuen", "Ana L.", "Mary Ann", "Du Fu", "Anna 88", "x" * 20, "kkkkkk", "فاطمه\u200cزهرا", "ශ්\u200dරී")


@pytest.mark.parametrize("name", [*FORBIDDEN, *FORBIDDEN_PHRASES])
def test_what_law_or_decency_forbids_is_refused_however_it_is_written(name: str) -> None:
    assert SCREEN.refuses(tidy(name))


@pytest.mark.parametrize("name", [*PEOPLE, *MORE_PEOPLE])
def test_people_are_called_what_they_are_called(name: str) -> None:
    assert faults(tidy(name)) == []
    assert not SCREEN.refuses(tidy(name))
    assert not is_reserved(tidy(name))


@pytest.mark.parametrize(
    "name",
    [
        *(*RESERVED, "thoth", "Тhoth", "Th0th", "R4", "SYSTEM", "5ystem", "[System]", "Y o u", "H0st"),
        *("Ana#0042", "Ana＃0042", "Ana #0042", "Ana♯0042", "Ana#٠٠٤٢"),
    ],
)
async def test_names_of_bots_of_the_program_and_of_accounts_are_reserved(name: str, client: Client) -> None:
    """Also where names are not screened, as here."""
    for path, body in (("/api/rooms", {"name": name, "bots": 1}), ("/api/quick", {"name": name})):
        status, answer = await ask(client, body, path)
        assert (status, answer["problems"]) == (422, ["This name is reserved: choose another one"])


@pytest.mark.parametrize(
    "name", ["Raj", "Yui", "Dua", "Hosta", "#1", "Ana #1", "Ana 12", "Cleo", "Botho", "Rae", *GUEST_NAMES]
)
def test_names_that_only_begin_like_those_are_free(name: str) -> None:
    assert not is_reserved(name)


REFUSED = (
    "fuck",
    "FuckYou",
    "xx_fuck_xx",
    "f.u.c.k",
    "ｆｕｃｋ",
    "sh1t",
    "Arschloch",
    "Hurensohn 7",
    "Wichser",
    "bl0rp",
)
PASS = (
    *("Ana", "Scunthorpe", "Cockburn", "Dickens", "Cassandra", "Essex", "Müller", "Fuchs", "Marsch", "Titus", "Niger"),
    *("Rosette", "Blorpy", "Khufu", "Anna-Lena", "Mary Ann", "李明", "Олег", "😀 Ana", "Guest 12", "", "–"),
)


@pytest.mark.parametrize("name", REFUSED)
def test_words_that_nobody_wants_to_read_are_refused_also_in_disguise(name: str) -> None:
    assert SCREEN.refuses(tidy(name))


@pytest.mark.parametrize("name", PASS)
def test_ordinary_names_pass(name: str) -> None:
    assert not SCREEN.refuses(name)


class Body:
    """The body of a request."""

    def __init__(self, name: str) -> None:
        self.name = name


@pytest.mark.parametrize("name", [" " * 500 + "fuck", "fuck\n\n", "F" + "\N{COMBINING ACUTE ACCENT}" + "uck fuck"])
def test_no_padding_hides_a_word(name: str) -> None:
    with pytest.raises(RulesError):
        SCREEN.check(Body(name))


def test_what_is_no_name_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a long one would take the event loop milliseconds; whoever takes the name refuses it with the reason."""
    screen = NameScreen()
    monkeypatch.setattr(screen, "refuses", lambda _: True)
    for name in ("Ana " * 20 + "fuck", "", "\u202eAna"):
        screen.check(Body(name))
    with pytest.raises(RulesError):
        screen.check(Body("Ana"))


async def test_a_refused_name_gets_a_clear_text_wherever_players_choose_one(
    log: MemoryLog[Entry], tmp_path: Path
) -> None:
    app = make_app(
        log, ManualClock(1), StaticFiles(tmp_path), execute=execute_here, community=CommunityOptions(), names=SCREEN
    )
    problem = {"code": "rules", "problems": ["This name isn't allowed here: choose another one"]}
    async with TestClient(TestServer(app)) as client:
        _, room = await ask(client, {"name": "Ana", "bots": 0, "wait": True})
        arena = {"house": "1;classic", "minutes": 10}
        for path, body in (
            ("/api/rooms", {"name": "Blorp", "bots": 1}),
            (f"/api/rooms/{room['room']}/seats", {"name": "Blorp"}),
            ("/api/quick", {"name": "Blorp"}),
            ("/api/account", {"name": "Blorp"}),
            ("/api/arenas", {"title": "Blorp", **arena}),
        ):
            assert await ask(client, body, path) == (422, problem), path
        answer = await client.post("/api/quick", json={"name": "Blorp"}, headers={"Accept-Language": "de"})
        assert (await answer.json())["problems"] == ["Dieser Name geht hier nicht: Nimm einen anderen"]


def test_the_operators_file_has_a_word_a_line(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("# ours\nBlorp\n\n  +Rosette \n", encoding="utf-8")
    assert read_words(file) == ["Blorp", "+Rosette"]
    file.write_text("Blorp\r\n", encoding="utf-8-sig")  # as Windows' editor writes it
    assert read_words(file) == ["Blorp"]
    with pytest.raises(ConfigError, match="cannot be read"):
        read_words(tmp_path / "missing.txt")
    file.write_text("word\n" * 5001, encoding="utf-8")
    with pytest.raises(ConfigError, match="5001 words"):
        read_words(file)
