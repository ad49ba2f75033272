"""A remote bot: it plays in a room as a person does, reconnects, and remembers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar

from ratscrew.bots import user_modules
from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.duties import may_slap, to_turn
from ratscrew.bots.memory import Memory
from ratscrew.bots.user_modules import find_bot
from ratscrew.errors import RatscrewError
from ratscrew.game.commands import (
    Award,
    Choose,
    Collect,
    Command,
    Contest,
    Feint,
    Forehead,
    Hover,
    Notice,
    Place,
    Play,
    Reveal,
    SlapDown,
)
from ratscrew.game.engine import deal, replay
from ratscrew.game.view import View
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.table_action import action_of, command_of
from ratscrew.web.remote_bot import RemoteBot
from tests.browser.server import Server

WITHIN_S = 60
SPEED = 4
HOUSE = "1;classic;turn_ms=60000"
DEAL = """ratscrew 1
house 1;classic
hand 1 9S 3C 4D 5C 6D 7C 8D
hand 2 9H TC TD 2D 3S 4S 5S
lead 1
"""
"""Ana turns her nine, the guest another. Ana never slaps, and has a minute for her next card: the guest may be late."""


class Quick:
    """As quick as people are, at a table that goes four times as fast as life."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """See `Bot`."""
        slaps = may_slap(view, seat) and view.first_match()
        return Plan(100_000 if to_turn(view, seat) else None, 60_000 if slaps else None)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(WITHIN_S):
        while not true():
            await asyncio.sleep(0.02)


async def test_it_takes_a_pile_by_its_own_slap_and_remembers_it_when_its_line_has_broken(tmp_path: Path) -> None:
    (tmp_path / "deal.txt").write_text(DEAL)
    with Server(tmp_path / "games.sqlite3", SPEED, tmp_path / "deal.txt") as server:
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as ana:
            body = {"name": "Ana", "bots": 0, "house": HOUSE, "wait": True}
            joined = await (await ana.post(f"{server.url}/api/rooms", json=body)).json()
            guest = RemoteBot(Quick(), server.url, joined["room"], "Guest", lambda: 0.5)
            playing = asyncio.create_task(guest.play())
            await until(lambda: guest.seat == 1)
            async with ana.ws_connect(f"{server.url}/api/rooms/{joined['room']}/socket") as socket:
                await socket.send_json({"t": "hello", "player_ids": [joined["player_id"]]})
                await socket.send_json({"t": "start"})
                await until(lambda: guest.memory is not None)
                await socket.send_json({"t": "play", "n": 0})
                await until(lambda: collected(guest) == ["9S", "9H"])
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
        turned = guest.memory.game.n if guest.memory else 0
        await until(lambda: guest.memory is not None and guest.memory.game.n > turned)
        assert collected(guest)[:2] == ["9S", "9H"]
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        judged = next(entry.event for entry in server.log_of(joined["room"]) if isinstance(entry.event, Judged))
        assert (judged.order[0].seat, judged.order[0].proof is None) == (1, False)


def collected(guest: RemoteBot) -> list[str]:
    """What the remote bot knows of its own hand."""
    known = guest.memory.known(1) if guest.memory and len(guest.memory.game.hands) > 1 else ()
    return [str(card) for card in known if card]


async def test_where_there_is_no_seat_it_says_why(tmp_path: Path) -> None:
    no_room = pytest.raises(RatscrewError, match="there is no room with this code")
    with Server(tmp_path / "games.sqlite3") as server, no_room:
        await RemoteBot(Quick(), server.url, "QQQQ", "Guest", lambda: 0.5).play()
    with pytest.raises(RatscrewError, match="cannot take a seat: Cannot connect"):
        await RemoteBot(Quick(), server.url, "QQQQ", "Guest", lambda: 0.5).play()


DEEDS: list[Command] = [
    *(act(2) for act in (Collect, Reveal, Contest, Notice, Forehead, Hover)),
    *(Hover(2, True), Place(2, 1), Award(1), SlapDown(2, 1), Choose(2, "top"), Choose(2, "bottom")),
    *(Feint(2, "slap"), Feint(2, "card")),
]


@pytest.mark.parametrize("command", DEEDS, ids=str)
def test_whatever_a_bot_means_to_do_a_person_can_ask_for(command: Command) -> None:
    game = replay([deal(house("classic", judge="honour"), 3, 0, lambda n: 0)])
    assert command_of(action_of(command), 2, game) == command


def test_to_turn_a_card_is_no_action_of_a_table() -> None:
    with pytest.raises(ValueError, match="no action of a table stands for this command"):
        action_of(Play(1))


# The command


def test_a_bot_is_found_in_a_module_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(user_modules, "_loaded", {})  # or processes of later tests would look for these modules
    (tmp_path / "quick_one.py").write_text("from tests.web.test_remote_bot import Quick\nBOT = Quick()\n")
    (tmp_path / "no_bot_here.py").write_text("BOT = 3\n")
    assert hasattr(find_bot("quick_one"), "plan")
    with pytest.raises(RatscrewError, match="the module no_bot_here has no BOT with a method plan"):
        find_bot("no_bot_here")
    with pytest.raises(RatscrewError, match="No module named 'nowhere'"):
        find_bot("nowhere")
