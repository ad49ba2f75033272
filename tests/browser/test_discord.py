"""The activity in a frame of Discord: everyone in one instance meets at one table, through Discord's proxy alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Page, expect

from tests.browser.conftest import EXPERIENCED, LAPTOP, MODEST, PHONE
from tests.browser.discord import APPLICATION, HOST, PAGE, around, discord_proxy, flags
from tests.browser.engines import Launcher
from tests.browser.far import Far
from tests.browser.server import Server

pytestmark = pytest.mark.browser

NO_WAKE_LOCK = "Permissions policy violation: screen-wake-lock"
"""The browser's note that a frame may not keep the screen on; the page goes on without."""


class Discord:
    """Discord's client with the activity, for one person."""

    def __init__(self, context: BrowserContext, instance: str) -> None:
        self.complaints: list[str] = []
        self.hosts = set[str]()
        context.add_init_script(EXPERIENCED)
        context.add_init_script(MODEST)  # a service worker is not fetched with the test's certificate
        context.route(PAGE, lambda route: route.fulfill(body=around(instance), content_type="text/html"))
        context.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        self.page: Page = context.new_page()
        self.page.on("console", lambda said: self.complaints.extend([said.text] if said.type == "error" else []))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(PAGE)

    @property
    def activity(self) -> FrameLocator:
        """What is in the frame."""
        return self.page.frame_locator("#activity")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Far]:
    """A server of the activity behind Discord's proxy."""
    server = Server(tmp_path / "games.sqlite3", more=("--discord", APPLICATION))
    with server, discord_proxy(tmp_path, server.port) as proxy:
        yield proxy


def test_all_in_one_instance_meet_at_one_table(browser: Launcher, served: Far) -> None:
    with ExitStack() as stack:

        def visit(instance: str, phone: bool = False) -> Discord:
            context = browser.new_context(
                viewport=PHONE if phone else LAPTOP, has_touch=phone, ignore_https_errors=True, flags=flags(served)
            )
            stack.callback(context.close)
            return Discord(context, instance)

        ana, ben, cleo = visit("i-1-gc-2-3"), visit("i-1-gc-2-3", phone=True), visit("i-9-gc-2-3")
        for name, person in (("Ana", ana), ("Ben", ben), ("Cleo", cleo)):
            person.activity.get_by_test_id("activity-name").fill(name)
            person.activity.get_by_test_id("activity-play").click()
            expect(person.activity.get_by_test_id("code")).to_be_visible()
        assert ana.page.evaluate("greetings[0]") == [0, APPLICATION, f"https://{HOST}"]
        code = ana.activity.get_by_test_id("code").inner_text()
        assert ben.activity.get_by_test_id("code").inner_text() == code
        assert cleo.activity.get_by_test_id("code").inner_text() != code
        ana.page.reload()  # Discord loads its frame anew: the seat is still theirs
        ana.activity.get_by_test_id("start").click()
        for person in (ana, ben):
            expect(person.activity.get_by_test_id("stage")).to_have_attribute("data-phase", "play")
        for person in (ana, ben, cleo):
            assert person.hosts == {"discord.com", HOST}
            assert not [said for said in person.complaints if not said.startswith(NO_WAKE_LOCK)]
