"""Pages in browsers of any engine, with the few methods that scripts and benchmarks need on all three."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol, Self

from playwright.sync_api import Page, Playwright, sync_playwright

import browsers
from tests.browser.conftest import EXPERIENCED
from tests.browser.engines import Launcher
from tests.webkit.screen import Screen, x_server


class View(Protocol):
    """A page of a player who knows the game; `css` selects elements, of which the first counts."""

    def goto(self, url: str) -> None:
        """Go to a page, and wait until it has loaded."""

    def value(self, script: str) -> Any:
        """The value of an expression in the page; of a promise, what it brings."""

    def see(self, css: str) -> None:
        """Wait until it is shown."""

    def press(self, css: str) -> None:
        """Press it as soon as that is possible."""

    def wait(self, ms: float) -> None:
        """Wait for so long."""

    def save(self, file: Path) -> None:
        """Save a picture of the window as PNG."""


class PlaywrightView:
    """A page on Chromium or Firefox."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def goto(self, url: str) -> None:
        """Go to a page, and wait until it has loaded."""
        self._page.goto(url)

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self._page.evaluate(script)

    def see(self, css: str) -> None:
        """Wait until it is shown."""
        self._page.locator(css).first.wait_for()

    def press(self, css: str) -> None:
        """Press it as soon as that is possible."""
        self._page.locator(css).first.click()

    def wait(self, ms: float) -> None:
        """Wait for so long."""
        self._page.wait_for_timeout(ms)

    def save(self, file: Path) -> None:
        """Save a picture of the window as PNG."""
        self._page.screenshot(path=file)


class WebKitView:
    """A page on WebKit."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def goto(self, url: str) -> None:
        """Go to a page, and wait until it has loaded."""
        self._screen.goto(url)

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self._screen.evaluate(script)

    def see(self, css: str) -> None:
        """Wait until it is shown."""
        self._screen.locator(css).wait_for()

    def press(self, css: str) -> None:
        """Press it as soon as that is possible."""
        self._screen.locator(css).click()

    def wait(self, ms: float) -> None:
        """Wait for so long."""
        self._screen.wait_for_timeout(ms)

    def save(self, file: Path) -> None:
        """Save a picture of the window as PNG."""
        self._screen.screenshot(file)


class Engines:
    """Opens pages without stored data; each engine's browser is started by its first page, and they end together."""

    def __init__(self, begin: str = "") -> None:
        """`begin` is a script that begins each page."""
        self._begin = f"if (self.origin !== 'null') {{ {EXPERIENCED} {begin} }}"
        self._stack = ExitStack()
        self._launchers: dict[str, Launcher] = {}
        self._playwright: Playwright | None = None
        self._display = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @contextmanager
    def open(self, engine: str, width: int, height: int) -> Iterator[View]:
        """A page in a window of this size."""
        with self._on_webkit(width, height) if engine == "webkit" else self._on(engine, width, height) as view:
            yield view

    @contextmanager
    def _on(self, engine: str, width: int, height: int) -> Iterator[View]:
        if not self._playwright:
            self._playwright = self._stack.enter_context(sync_playwright())
        if engine not in self._launchers:
            browsers.find_or_install(engine)
            self._launchers[engine] = Launcher(self._playwright, self._stack, engine)
        context = self._launchers[engine].new_context(viewport={"width": width, "height": height})
        context.add_init_script(self._begin)
        yield PlaywrightView(context.new_page())
        context.close()

    @contextmanager
    def _on_webkit(self, width: int, height: int) -> Iterator[View]:
        driver = browsers.find_or_install("webkit")
        if not self._display:
            self._display = self._stack.enter_context(x_server())
        with tempfile.TemporaryDirectory() as home:
            screen = Screen(driver, self._display, Path(home), width, height, begin=self._begin)
            yield WebKitView(screen)
            screen.close()


def post(view: View, path: str, **body: object) -> dict[str, Any]:
    """What the server of the page answers to a request of the page, which keeps the cookies."""
    request = {"method": "POST", "headers": {"Content-Type": "application/json"}, "body": json.dumps(body)}
    return dict(view.value(f"fetch({json.dumps(path)}, {json.dumps(request)}).then((answer) => answer.json())"))
