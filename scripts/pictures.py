"""Takes the screenshots for README and docs from real games: `.venv/bin/python scripts/pictures.py` after `make test`.

Each is taken in a real browser with a server of its own. With arguments, only the named pictures are taken.
`--contact-sheet` makes a sheet of every page on each engine at four sizes instead, or on the named engines.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright

import browsers
import contact_sheet

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
REACTION_MS = 260
LANDED_MS = 120
"""The moment when a hand has landed, and the pile has not yet moved to the winner."""

TRIES = 12

sys.path.insert(0, str(ROOT))

from tests.browser.conftest import EXPERIENCED, LAPTOP, PHONE, TABLET  # noqa: E402
from tests.browser.engines import CHROMIUM_FLAGS  # noqa: E402
from tests.browser.gathering import post  # noqa: E402
from tests.browser.player import Player  # noqa: E402
from tests.browser.server import Server  # noqa: E402

TELEVISION: ViewportSize = {"width": 1280, "height": 720}
UNHURRIED = "1;classic;turn_ms=60000"
DOUBLE = ("4C 9S 2C 7D JC 3H", "8H 9H 3S 5H KD 6D", "7H TC QD 2S 6H TD", "3C 8D TS 4S AD 5C")
"""Hands whose sixth card makes a double: two nines in a row."""


SHORT = ("AS 9S KD QC 4H JH AD KH QS JC", "4C 9H 7D 2S 5H 8S", "8H 3S 6D TD 2C 8C", "7H TC 2D 6H 4S 3H")
"""Hands with which a game of four is soon over."""


def main(names: list[str]) -> None:
    """Take the pictures of these names, or every one."""
    if unknown := [name for name in names if name not in TAKEN]:
        raise SystemExit(f"no such picture: {', '.join(unknown)}; there are {', '.join(TAKEN)}, and --contact-sheet")
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = {name: TAKEN[name] for name in names or TAKEN}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browsers.find_or_install(), args=CHROMIUM_FLAGS)
        for name, take in wanted.items():
            file = PICTURES / f"{name}.jpg"
            take(browser, file)
            print(file.relative_to(ROOT))
        browser.close()


@contextmanager
def serving(hands: tuple[str, ...] = (), speed: float = 1) -> Iterator[str]:
    """A server that deals these hands, if any; the answer is its address."""
    with tempfile.TemporaryDirectory() as folder:
        deal = Path(folder) / "deal.txt"
        dealt = [f"hand {seat} {hand}" for seat, hand in enumerate(hands, 1)]
        deal.write_text("\n".join(["ratscrew 1", "house 1;classic", *dealt, "lead 1", ""]), encoding="utf-8")
        with Server(Path(folder) / "games.sqlite3", speed=speed, deal=deal if hands else None) as server:
            yield server.url


@contextmanager
def looking(browser: Browser, size: ViewportSize, touch: bool = False) -> Iterator[Page]:
    """A new page of a player who knows the game."""
    context = browser.new_context(viewport=size, has_touch=touch, device_scale_factor=1.5)
    context.add_init_script(EXPERIENCED)
    yield context.new_page()
    context.close()


def named(url: str) -> str:
    """The same server by a name, as in a network where friends can come: only there its pages show a QR code."""
    return url.replace("127.0.0.1", "table.localhost")


def save_screenshot(page: Page, file: Path) -> None:
    """Save a screenshot of the page."""
    page.screenshot(path=file, type="jpeg", quality=86)


def rules(browser: Browser, file: Path) -> None:
    """The page on which a house is chosen and read, at its slaps."""
    with serving() as url, looking(browser, LAPTOP) as page:
        page.goto(f"{url}/rules#1;wiki;slaps.suit_run=3")
        page.get_by_test_id("switch-hoagie").scroll_into_view_if_needed()
        page.wait_for_timeout(800)
        save_screenshot(page, file)


def waiting(browser: Browser, file: Path) -> None:
    """A table that waits for friends: its code, its link as squares for cameras, who is here, and the house."""
    with serving() as url, looking(browser, LAPTOP) as page:
        page.goto(named(url))
        page.get_by_test_id("name").fill("Maya")
        page.get_by_test_id("friends").click()
        page.get_by_test_id("qr").wait_for()
        for name, shape in (("Noah", "wing"), ("Lina", "leaf")):
            post(
                page,
                f"{url}/api/rooms/{page.url.rpartition('/')[2]}/seats",
                name=name,
                appearance={"hue": len(name) - 2, "shape": shape},
            )
        page.get_by_test_id("bot-steady").click()
        page.get_by_test_id("waiting-seat").nth(3).wait_for()
        page.wait_for_timeout(800)
        save_screenshot(page, file)


def tablet(browser: Browser, file: Path) -> None:
    """Four people around one tablet, and three of their hands on a double."""
    with serving(DOUBLE) as url, looking(browser, TABLET, touch=True) as page:
        pads = sit_around(page, url)
        play_to_the_double(page, lambda seat: pads.nth(seat).get_by_test_id("deck").tap())
        for seat in (2, 0):
            pads.nth(seat).get_by_test_id("slap").tap()
        page.wait_for_timeout(LANDED_MS)
        save_screenshot(page, file)


def sit_around(page: Page, url: str) -> Locator:
    """Four people around this page, with their cards; the answer is their pads."""
    page.add_init_script(f"localStorage.setItem('ratscrew:settings', '{{\"house\":\"{UNHURRIED}\"}}')")
    page.goto(f"{url}/together")
    page.get_by_test_id("form").locator("input[value='tablet']").check()
    page.get_by_test_id("players").locator("input[value='4']").check()
    page.get_by_test_id("deal").click()
    pads = page.get_by_test_id("pad")
    pads.nth(3).wait_for()
    return pads


def television(browser: Browser, file: Path) -> None:
    """A room on a television, when one of its phones has slapped a double."""
    with serving(DOUBLE) as url, looking(browser, TELEVISION) as screen, looking(browser, TABLET, touch=True) as phone:
        pads = sit_around(phone, url)
        room = phone.url.rpartition("/")[2]
        screen.goto(f"{named(url)}/tv/{room}")
        play_to_the_double(screen, lambda seat: pads.nth(seat).get_by_test_id("deck").tap())
        pads.nth(2).get_by_test_id("slap").tap()
        screen.get_by_test_id("first").wait_for()
        screen.wait_for_timeout(LANDED_MS)
        save_screenshot(screen, file)


def play_to_the_double(page: Page, turn: Callable[[int], None]) -> None:
    """Turn the cards of `DOUBLE`, and wait as long as a person needs to see what they make."""
    stage = page.get_by_test_id("stage").first
    for n, seat in enumerate((0, 1, 2, 3, 0, 1), 1):
        page.wait_for_timeout(500)
        turn(seat)
        stage.and_(page.locator(f"[data-n='{n}']")).wait_for()
    page.wait_for_timeout(REACTION_MS)


def lesson(browser: Browser, file: Path) -> None:
    """A lesson, at its first card."""
    with serving() as url, looking(browser, PHONE, touch=True) as page:
        page.goto(f"{url}/learn")
        page.get_by_test_id("coach-says").wait_for()
        page.wait_for_timeout(900)
        save_screenshot(page, file)


def story(browser: Browser, file: Path) -> None:
    """The recap of a finished game."""
    with serving(SHORT, speed=6) as url, looking(browser, LAPTOP) as page:
        player = Player(page, touch=False, speed=6)
        player.start(url, name="Maya", bots=3, strength="steady")
        player.play(until=lambda sight: sight.over)
        page.wait_for_timeout(1000)  # a panel that has just come takes no click: it was meant for the table
        page.get_by_test_id("look").click()
        page.get_by_test_id("story").wait_for()
        page.wait_for_timeout(900)
        save_screenshot(page, file)


def laptop(browser: Browser, file: Path) -> None:
    """A game on a laptop, when a slap has been judged."""
    race(browser, LAPTOP, False, file)


def phone(browser: Browser, file: Path) -> None:
    """The same on a phone."""
    race(browser, PHONE, True, file)


def race(browser: Browser, size: ViewportSize, touch: bool, file: Path) -> None:
    """Play against bots until a slap is a good one with another hand close behind."""
    with serving() as url, looking(browser, size, touch) as page:
        player = Player(page, touch, speed=1)
        player.start(url, name="Maya", bots=3, strength="sharp")
        for _ in range(TRIES):
            player.play(until=lambda sight: player.sees_pattern())
            page.wait_for_timeout(REACTION_MS)
            page.keyboard.press("Space")
            page.wait_for_timeout(330)
            banner = " ".join(page.get_by_test_id("banner").all_text_contents())  # only what is shown at this moment
            if page.locator(".hand").count() > 1 and ("Double" in banner or "Sandwich" in banner):
                return save_screenshot(page, file)
            player.slapped.add(player.look().n)
            page.wait_for_timeout(1500)
    raise SystemExit(f"the moment for {file.name} did not come in {TRIES} slaps: run this again")


TAKEN: dict[str, Callable[[Browser, Path], None]] = {
    take.__name__: take for take in (laptop, phone, rules, waiting, tablet, television, lesson, story)
}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--contact-sheet"]:
        contact_sheet.main(sys.argv[2:])
    else:
        main(sys.argv[1:])
