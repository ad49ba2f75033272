"""One browser for all tests of a process; a page that fails its test on any error or policy violation."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, ViewportSize, expect, sync_playwright

from tests.browser import seed
from tests.browser.engines import (
    ENGINE,
    Launcher,
    adapt_playwright,
    must_fail,
    read_exceptions,
    reason_for,
    shown_by_one_engine,
)
from tests.browser.server import STOPPED
from tests.browser.strangers import asked_of_strangers

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 320, "height": 568}
USUAL: ViewportSize = {"width": 360, "height": 780}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
TABLET: ViewportSize = {"width": 1180, "height": 820}

LOST = (
    "WebSocket connection",
    "ERR_CONNECTION",
    "status of 502",  # a proxy says so of a server that is away
    "ERR_INTERNET",
    "error occurred when fetching the script",
    "already in CLOSING",  # of the driver's own socket, between a page and a network that has been cut
    "establish a connection to the server",  # Firefox, which also reports it as an error of the page
    "status of 502",  # and the next two: what a proxy answers for a server that is away
    "status of 503",
    "status of 504",
    "connection to ws",  # the same, if it ends while the page is loaded
)
"""The errors that a browser logs when it does not reach a server."""

ABORTED = "status=2152398850"
"""NS_BINDING_ABORTED: Firefox reports a font that still loads when its page is left as an error of that page."""

NO_SOUND = "an error from the audio device"
"""Chromium says so of a machine without sound, sooner or later."""

MODEST = """
  delete Navigator.prototype.serviceWorker
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
"""
"""A browser without storage and with data saving on: its pages do nothing on their own initiative."""

REPORT_VIOLATIONS = """
  addEventListener('securitypolicyviolation', (one) =>
    console.error(`against the policy: ${one.effectiveDirective} ${one.blockedURI} ${one.sourceFile}`))
"""
"""Firefox tells its driver nothing of what the content security policy forbids."""

EXCEPTED = pytest.StashKey[bool]()
"""Set for a test that cannot pass on this engine: what its pages complain of is part of that."""

EXPERIENCED = """
  try { localStorage['ratscrew:settings'] ??= '{"games":3}' } catch {}
"""
"""A player who knows the game: no tips of the first games."""

OpenPage: TypeAlias = Callable[..., Page]

expect.set_options(timeout=20_000)  # what is awaited comes at once or never, but a busy machine may stop for seconds


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what Chromium shows for all engines."""
    same = [item for item in items if shown_by_one_engine(item)]
    if ENGINE != "chromium":
        items[:] = [item for item in items if item not in same]
        config.hook.pytest_deselected(items=same)


def pytest_report_header() -> str:
    """Say what to repeat a run with."""
    return f"everything random is drawn from {seed.VARIABLE}={seed.SEED}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say it beside each failure, too."""
    report = yield
    if report.failed:
        report.sections.append(("Seed", f"Again: {seed.VARIABLE}={seed.SEED} pytest '{item.nodeid}'"))
    return report


@pytest.fixture(autouse=True)
def draw_from_the_seed() -> None:
    """What a test draws depends on the seed and on the test alone."""
    seed.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """A test in engines.toml has to fail on its engine: one that passes is an exception no longer."""
    reason = reason_for(item.nodeid, read_exceptions(ENGINE))
    if reason is None:
        return (yield)
    item.stash[EXCEPTED] = True
    with must_fail(reason):
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Launcher]:
    """A browser with an empty profile."""
    if ENGINE == "firefox":
        adapt_playwright()
    with sync_playwright() as playwright, ExitStack() as stack:
        yield Launcher(playwright, stack)


class Pages:
    """Opens pages, each in a context of its own, and knows what they complain of."""

    def __init__(self, browser: Launcher) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._complaints: list[str] = []
        self._strangers: list[list[str]] = []

    def open(
        self,
        viewport: ViewportSize,
        touch: bool = False,
        offline: bool = False,
        refused: bool = False,
        eager: bool = False,
        moving: bool = False,
        newcomer: bool = False,
        **more: Any,
    ) -> Page:
        """Open a page.

        `offline` says that the test itself takes the server away, so that failed connections are no complaint;
        `refused` that it asks the server for what is not to be had. Two things most browsers do are more than half of
        the work of a short test, and are done on request: `eager` keeps the page and fetches ahead, `moving` moves
        things. A `newcomer` has never played.
        """
        motion = "no-preference" if moving else "reduce"
        context = self._browser.new_context(viewport=viewport, has_touch=touch, **{"reduced_motion": motion, **more})
        context.add_init_script(REPORT_VIOLATIONS)
        if not newcomer:
            context.add_init_script(EXPERIENCED)
        if not eager:
            context.add_init_script(MODEST)
        self._contexts.append(context)
        self._strangers.append(asked_of_strangers(context))
        page = context.new_page()
        page.add_init_script(f"{seed.DRAW}({json.dumps(seed.seed_for('page'))})")

        def hear(message: ConsoleMessage) -> None:
            lost = offline and any(sign in message.text for sign in LOST)
            no = refused and "status of 4" in message.text
            stopped = "ERR_CONNECTION" in message.text and any(map(message.location["url"].startswith, STOPPED))
            if message.type in ("error", "warning") and not (lost or no or stopped or NO_SOUND in message.text):
                self._complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

        page.on("console", hear)

        def fail(error: Error) -> None:
            if ABORTED not in str(error) and not (offline and any(sign in str(error) for sign in LOST)):
                self._complaints.append(f"uncaught: {error}")

        page.on("pageerror", fail)
        return page

    def complaints(self) -> list[str]:
        """The errors that pages logged since the last call, and the third-party requests that they sent."""
        lists = [self._complaints, *self._strangers]
        found = [one for each in lists for one in each]
        for each in lists:
            each.clear()
        return found

    def close(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()


@pytest.fixture
def open_page(browser: Launcher, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Opens pages; afterwards none may have logged errors or sent third-party requests."""
    pages = Pages(browser)
    yield pages.open
    pages.close()
    if EXCEPTED not in request.node.stash:
        assert not pages.complaints()
