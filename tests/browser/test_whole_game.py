"""A person plays whole games against bots in a real browser."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import ViewportSize

from ratscrew.cards import PACK, text
from ratscrew.deck import shuffle
from ratscrew.game.events import Fouled, Taken
from ratscrew.game.evolve import replay
from ratscrew.table.record.entries import Entry, Sat, TableEvent
from tests.browser.conftest import LAPTOP, PHONE, OpenPage
from tests.browser.gathering import panel_ready
from tests.browser.player import Player
from tests.browser.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.each_engine]

SPEED = 1
"""Gentle bots are slow enough for a player who plays through a browser's driver on a busy machine; not so at 2."""


def lucky_deal(file: Path) -> Path:
    """A deal of the whole pack that gives a bot four cards each and seat 0 the rest.

    Whatever seat 0 leads, the bots' next cards make a double. Under `sprint` a bot without cards is out, so that the
    game is soon over, whoever slaps first. Under `classic` bots slap back in, and a slow player's game takes minutes.
    """
    bots = [["5H", "6H", "7H", "8H"], ["5D", "6D", "7D", "8D"]]
    first = ["2S", "3C", "4S", "9C", "TS", "2C", "3S", "4C"]
    given = {*first, *bots[0], *bots[1]}
    rest = [card for card in text(shuffle(PACK, Random(2).randrange)).split() if card not in given]
    lines = [f"hand {seat} {' '.join(hand)}" for seat, hand in enumerate([first + rest, *bots], 1)]
    file.write_text("\n".join(["ratscrew 1", "house classic", *lines, "lead 1"]))
    return file


@pytest.mark.parametrize(
    ("viewport", "touch"),
    [pytest.param(PHONE, True, id="phone"), pytest.param(LAPTOP, False, id="laptop")],
)
def test_a_person_plays_a_whole_game_against_two_bots(
    open_page: OpenPage, tmp_path: Path, viewport: ViewportSize, touch: bool
) -> None:
    with Server(tmp_path / "games.sqlite3", speed=SPEED, deal=lucky_deal(tmp_path / "deal.txt")) as server:
        player = Player(open_page(viewport, touch, eager=True, moving=True), touch, SPEED)
        room = player.start(server.url, preset="sprint")
        player.play(until=lambda sight: sight.over, both=True)
        shown = player.page.get_by_test_id("winner").inner_text()
        player.page.close()
    entries = server.log_of(room)
    names, game = _names(entries), replay(_events(entries))
    assert game.winner is not None
    assert ("You" if game.winner == 0 else names[game.winner]).lower() in shown.lower()
    assert len(game.hands[game.winner]) == 52
    mine = [entry.event for entry in entries if getattr(entry.event, "seat", None) == 0]
    assert any(isinstance(event, Fouled) for event in mine), "no wrong slap in the whole game"
    good = {event.reason for event in mine if isinstance(event, Taken) and event.reason.startswith("slap:")}
    assert good, "no good slap in the whole game"
    assert any(why.removeprefix("slap:") in banner.lower() for why in good for banner in player.banners)


def test_play_again_deals_another_game_to_the_same_seats(open_page: OpenPage, tmp_path: Path) -> None:
    deal = tmp_path / "deal.txt"
    deal.write_text("ratscrew 1\nhouse classic\nhand 1 9S AS KD 9C QC\nhand 2 9H 2D 3C 4S\nlead 1\n")
    with Server(tmp_path / "games.sqlite3", speed=10, deal=deal) as server:
        player = Player(open_page(LAPTOP, eager=True, moving=True), touch=False, speed=10)
        room = player.start(server.url, bots=1)
        player.play(until=lambda sight: sight.over)
        first = server_names(server, room)
        player.tops.clear()
        player.slapped.clear()
        panel_ready(player.page)
        player.page.get_by_test_id("again").click()
        player.play(until=lambda sight: not sight.over and sight.n >= 3)
        player.page.close()
    assert server_names(server, room) == first
    assert len(server.log_of(room)) < 400


def server_names(server: Server, room: str) -> list[str]:
    """The players of a room's latest game."""
    return _names(server.log_of(room))


def _names(entries: list[Entry]) -> list[str]:
    return [entry.event.name for entry in entries if isinstance(entry.event, Sat)]


def _events(entries: list[Entry]):  # type: ignore[no-untyped-def]
    return [entry.event for entry in entries if not isinstance(entry.event, TableEvent)]
