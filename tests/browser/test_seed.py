"""The same seed deals the same game at the same table: what failed in a random game can be looked at again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ratscrew.game.events import Dealt
from ratscrew.table.record.entries import Committed
from tests.browser import seed
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.player import Player
from tests.browser.server import Server

pytestmark = pytest.mark.browser


def dealt(open_page: OpenPage, folder: Path) -> tuple[str, object, object]:
    """The code of a room that a page opens for a game with bots, the numbers of its shuffle, and the hands."""
    folder.mkdir()
    seed.forget()
    with Server(folder / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True)
        room = Player(page, touch=True, speed=1).start(server.url)
        page.close()
        server.stop()
        entries = [entry.event for entry in server.log_of(room)]
        server.start()
    [shuffle] = (each for each in entries if isinstance(each, Committed))
    [deal] = (each for each in entries if isinstance(each, Dealt))
    assert shuffle.nonces
    return room, (shuffle.seed, shuffle.nonces), deal.hands


def test_the_same_seed_deals_the_same_game(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed, "SEED", "1")
    first = dealt(open_page, tmp_path / "test_a")
    assert dealt(open_page, tmp_path / "test_b") == first
    monkeypatch.setattr(seed, "SEED", "2")
    assert all(one != other for one, other in zip(first, dealt(open_page, tmp_path / "test_c"), strict=True))
