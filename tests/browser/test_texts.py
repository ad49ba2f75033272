"""Every text fits wherever it may stand, at every size that is promised and in every language; no game is played."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import community_scenes, page_scenes, panel_scenes, seat_scenes, table_scenes, waiting_scenes
from tests.browser.catalogue import LANGUAGES, lost_at_any_size, matching, present, record
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.scenes import SCENES, TABLE
from tests.browser.server import Server

__all__ = [
    "community_scenes",
    "page_scenes",
    "panel_scenes",
    "seat_scenes",
    "table_scenes",
    "waiting_scenes",
]  # they add their screens

pytestmark = [
    pytest.mark.browser,
    pytest.mark.one_engine(
        "Each screen is laid out in twenty ways; how engines differ is seen at the screens of games."
    ),
]

TEXTS = tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all pages."""
    with Server(Path(tmp_path_factory.mktemp("texts")) / "games.sqlite3") as one:
        yield one


def show(open_page: OpenPage, server: Server, language: str, scene: str) -> Page:
    """Open a screen in a language, with its texts recorded."""
    page = open_page(PHONE, offline=True, refused=True, locale=language)
    page.add_init_script(TABLE)
    record(page, language)
    SCENES[scene].open(page, server.url)
    return page


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits(open_page: OpenPage, server: Server, language: str, scene: str) -> None:
    page = show(open_page, server, language, scene)
    gone = (
        {*TEXTS["screens"].get(scene, [])}
        - present(page)
        - matching([one for each in SCENES[scene].places.values() for one in each])
    )
    assert not gone, f"texts.toml says that these are here: {sorted(gone)}"
    found = lost_at_any_size(page, SCENES[scene])
    page.close()
    assert not found, "\n".join(found)
