"""Makes the pictures of the README from a real game: `.venv/bin/python scripts/pictures.py` after `make test`.

A person plays against bots in a real browser until a slap of theirs is a good one with another hand close behind;
that moment is the picture.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

import chromium

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
REACTION_MS = 260
TRIES = 12

sys.path.insert(0, str(ROOT))

from tests.browser.conftest import FLAGS, LAPTOP, PHONE  # noqa: E402
from tests.browser.player import Player  # noqa: E402
from tests.browser.server import Server  # noqa: E402


def main() -> None:
    """Take every picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "games.sqlite3") as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=chromium.find_or_install(), args=FLAGS)
        take(browser, server.url, LAPTOP, False, PICTURES / "laptop.jpg")
        take(browser, server.url, PHONE, True, PICTURES / "phone.jpg")
        show_rules(browser, server.url, PICTURES / "rules.jpg")
        browser.close()


def show_rules(browser: Browser, url: str, file: Path) -> None:
    """The page on which a house is chosen and read, at its slaps."""
    context = browser.new_context(viewport=LAPTOP, device_scale_factor=1.5)
    page = context.new_page()
    page.goto(f"{url}/rules#1;wiki;slaps.suit_run=3")
    page.get_by_test_id("switch-hoagie").scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    page.screenshot(path=file, type="jpeg", quality=85)
    print(file.relative_to(ROOT))
    context.close()


def take(browser: Browser, url: str, size: ViewportSize, touch: bool, file: Path) -> None:
    """Play until the moment comes, and keep it."""
    context = browser.new_context(viewport=size, has_touch=touch, device_scale_factor=1.5)
    player = Player(context.new_page(), touch, speed=1)
    player.start(url, name="Maya", bots=3, strength="sharp")
    for _ in range(TRIES):
        player.play(until=lambda sight: player.sees_pattern(), wrong_every=10**6)
        player.page.wait_for_timeout(REACTION_MS)
        player.page.keyboard.press("Space")
        hands = player.page.locator(".hand")
        player.page.wait_for_timeout(330)
        if hands.count() > 1 and ("Double" in player.look().banner or "Sandwich" in player.look().banner):
            player.page.screenshot(path=file, type="jpeg", quality=88)
            break
        player.slapped.add(player.look().n)
        player.page.wait_for_timeout(1500)
    else:
        raise SystemExit(f"the moment for {file.name} did not come in {TRIES} slaps: run this again")
    print(file.relative_to(ROOT))
    context.close()


if __name__ == "__main__":
    main()
