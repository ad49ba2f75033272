"""Every page on each engine at four sizes, on sheets of five pages: `scripts/pictures.py --contact-sheet`.

The sheets are made to be looked at: build/contact-sheet/chromium-1.png and so on, the pictures themselves beside them.
"""

from __future__ import annotations

import html
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import browsers

ROOT = Path(__file__).resolve().parent.parent
SHEETS = ROOT / "build" / "contact-sheet"
sys.path.insert(0, str(ROOT))

from tests.any_engine import Engines, View, post  # noqa: E402
from tests.browser.server import Server  # noqa: E402
from tests.browser.test_replay import GAME, keep  # noqa: E402
from tests.webkit.test_journeys import SIZES as SIZES  # noqa: E402

UNHURRIED = "1;classic;turn_ms=60000"
THUMBNAIL = 0.5
"""So large are the pictures on a sheet."""

SETTLE_MS = 600
"""What comes in by an animation is at its place."""

ROWS = 5
"""How many pages are on one sheet."""

WIDE, HIGH = 1580, 450
"""The size of a sheet with pictures of four widths, and of each of its rows."""

STYLE = """body { margin: 16px; background: #ddd; font: 14px sans-serif }
td, th { padding: 6px; vertical-align: top } th { width: 90px; text-align: left } img { display: block }"""


class Shot(NamedTuple):
    """A picture of the sheet: its name, the address, what is there when the page is complete, and what to do first."""

    name: str
    path: str
    shown: str
    first: Callable[[View], None] = lambda view: None
    then: Callable[[View], None] = lambda view: None


def by_id(name: str) -> str:
    """The selector of a test ID."""
    return f"[data-testid='{name}']"


def pressing(opener: str, shown: str) -> Callable[[View], None]:
    """Press one thing to see another."""

    def do(view: View) -> None:
        view.press(by_id(opener))
        view.see(by_id(shown))

    return do


def turning(view: View) -> None:
    """Turn the first card."""
    view.press(by_id("deck"))
    view.see("[data-testid=stage]:not([data-n='0'])")


def starting(view: View) -> None:
    """Have the cards dealt."""
    view.press(by_id("start"))
    view.see("[data-testid=stage][data-phase=play]")


def slapping(view: View) -> None:
    """Go on in a replay to its first slap."""
    view.press(by_id("slap"))
    view.see("[data-testid=stage]:not([data-n='0'])")


class Rooms(NamedTuple):
    """What the pictures of one size are taken of: a room with the page's own seat, and an arena."""

    room: str
    seat: int
    arena: str


def shots(rooms: Rooms) -> list[Shot]:
    """All pictures, in their order on the sheet."""
    room = f"/room/{rooms.room}"

    def sit(view: View) -> None:
        view.value(f"localStorage.setItem('ratscrew:seat:{rooms.room}', '{rooms.seat}')")

    return [
        Shot("start", "/", by_id("play")),
        Shot("start: opponents", "/", by_id("play"), then=pressing("against", "strength")),
        Shot("settings", "/", by_id("play"), then=pressing("settings-of-start", "settings")),
        Shot("rules", "/rules#1;wiki", by_id("sheet")),
        Shot("judge", "/judge", "h1"),
        Shot("practice", "/practice", by_id("begin")),
        Shot("learn", "/learn", by_id("coach")),
        Shot("together", "/together", by_id("deal")),
        Shot("arenas", "/arena", by_id("open-arena")),
        Shot("arena", f"/arena/{rooms.arena}", by_id("join-arena")),
        Shot("my games", "/me", by_id("keep-games")),
        Shot("friends", "/me/friends", by_id("friends")),
        Shot("leaderboard", "/players", by_id("choose-rules")),
        Shot("watch", "/watch", by_id("watch-refresh")),
        Shot("no such room", "/room/NOPE", "h2"),
        Shot("no such page", "/nowhere", by_id("missing")),
        Shot("join", room, by_id("join-go")),
        Shot("waiting room", room, by_id("start"), first=sit),
        Shot("table", room, by_id("start"), then=starting),
        Shot("table: a card", room, by_id("deck"), then=turning),
        Shot("table: menu", room, by_id("deck"), then=pressing("open-menu", "menu")),
        Shot("table: how it is judged", room, by_id("deck"), then=pressing("meter", "how-title")),
        Shot("television", f"/tv/{rooms.room}", by_id("stage")),
        Shot("recap", f"/game/{GAME}", by_id("story-title")),
        Shot("replay", f"/replay/{GAME}", "[data-testid=stage]", then=slapping),
    ]


class Picture(NamedTuple):
    """One that has been taken, by the name of its shot and the width of its screen."""

    name: str
    width: int
    file: Path


def main(names: Sequence[str]) -> None:
    """Make the sheets of these engines, or of all."""
    if unknown := set(names) - browsers.ENGINES.keys():
        raise SystemExit(f"no such engine: {', '.join(sorted(unknown))}; there are {', '.join(browsers.ENGINES)}")
    with Engines() as engines:
        for engine in names or browsers.ENGINES:
            (SHEETS / engine).mkdir(parents=True, exist_ok=True)
            pictures = [picture for width in SIZES for picture in take(engines, engine, width)]
            for sheet in draw(engines, engine, pictures):
                print(sheet.relative_to(ROOT))


def take(engines: Engines, engine: str, width: int) -> Iterator[Picture]:
    """Take every picture on screens this wide."""
    with serving() as url, engines.open(engine, *SIZES[width]) as view:
        view.goto(url)
        joined = post(view, "/api/rooms", name="Ana", bots=2, house=UNHURRIED, wait=True)
        arena = post(view, "/api/arenas", title="Friday night", starts_in_s=3600)
        rooms = Rooms(joined["room"], joined["player_id"], arena["code"])
        for number, shot in enumerate(shots(rooms)):
            shot.first(view)
            view.goto(f"{url}{shot.path}")
            view.see(shot.shown)
            shot.then(view)
            file = SHEETS / engine / f"{number:02}-{width}.png"
            view.wait(SETTLE_MS)
            view.save(file)
            yield Picture(shot.name, width, file)


@contextmanager
def serving() -> Iterator[str]:
    """A server with a game that is over."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.sqlite3"
        keep(file)
        with Server(file) as server:
            yield server.url


def draw(engines: Engines, engine: str, pictures: Sequence[Picture]) -> Iterator[Path]:
    """Put the pictures of an engine on sheets."""
    names = list(dict.fromkeys(picture.name for picture in pictures))
    for number, first in enumerate(range(0, len(names), ROWS), 1):
        shown = [picture for picture in pictures if picture.name in names[first : first + ROWS]]
        page = SHEETS / f"{engine}-{number}.html"
        title, table = f"<h1>{engine} {number}</h1>", f"<table>{table_of(engine, shown)}</table>"
        page.write_text(f"<!doctype html><style>{STYLE}</style>{title}{table}", encoding="utf-8")
        with engines.open("chromium", WIDE, HIGH * ROWS) as view:
            view.goto(page.as_uri())
            view.save(page.with_suffix(".png"))
        yield page.with_suffix(".png")


def table_of(engine: str, pictures: Sequence[Picture]) -> str:
    """The rows of a sheet: one for each page, with its pictures from the narrowest on."""
    rows: dict[str, str] = {}
    for name, width, file in pictures:
        source = html.escape(f"{engine}/{file.name}")
        rows[name] = f'{rows.get(name, "")}<td><img src="{source}" width="{width * THUMBNAIL:.0f}"></td>'
    return "".join(f"<tr><th>{html.escape(name)}</th>{cells}</tr>" for name, cells in rows.items())
