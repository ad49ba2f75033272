"""A page on WebKit, with the few methods of a Playwright page that journeys use, so that they read like its tests."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

WINDOW = Path(__file__).with_name("window.py")
PATIENCE_S = 20.0
"""What is awaited comes at once or never, but a busy machine may stop for seconds."""

LOOK_S = 0.02

NOT_YET = (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)
"""What a press meets while the page still moves."""

FUNCTION = re.compile(r"\s*(async )?(\([^()]*\)|\w+) =>")
"""How a function of the page begins, as opposed to an expression."""

T = TypeVar("T")


def await_until(look: Callable[[], T | None], what: str, seconds: float = PATIENCE_S) -> T:
    """Look until there is something, and return it."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(LOOK_S)
    return found


@contextmanager
def x_server() -> Iterator[str]:
    """An X server without a screen, as large as any window here; the answer is the display's name."""
    heard, said = os.pipe()
    command = ["Xvfb", "-displayfd", str(said), "-screen", "0", "1600x1600x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[said], stderr=subprocess.DEVNULL)
    os.close(said)
    try:
        with os.fdopen(heard) as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


class Screen:
    """A window of a size in CSS pixels with one page, in a browser of its own without any stored data."""

    def __init__(
        self,
        driver: str,
        display: str,
        home: Path,
        width: int,
        height: int,
        text_size: float = 1,
        language: str = "en",
        begin: str = "",
    ) -> None:
        self._complaints = home / "complaints"
        options = Options()
        options.binary_location = str(WINDOW)
        options.set_capability("browserName", "Window")
        environment = {
            "DISPLAY": display,
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home),
            "GDK_BACKEND": "x11",
            "NO_AT_BRIDGE": "1",  # there is no bus for accessibility here
            "WINDOW": f"{width}x{height}",
            "TEXT_SIZE": str(text_size),
            "LANGUAGE": language,
            "COMPLAINTS": str(self._complaints),
            "BEGIN": begin,
        }
        with warnings.catch_warnings():  # this class of selenium's still uses another that is deprecated
            warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
            service = Service(driver, env={**os.environ, **environment})
            self.driver = webdriver.WebKitGTK(options=options, service=service)
        self.driver.set_window_rect(0, 0, width, height)
        self.keyboard = Keyboard(self)
        self.width, self.height = width, height

    def close(self) -> list[str]:
        """End the browser; the answer is what its pages complained of."""
        self.driver.quit()
        lines = self._complaints.read_text(encoding="utf-8").splitlines() if self._complaints.exists() else []
        return [json.loads(line) for line in lines]

    @property
    def url(self) -> str:
        """The address of the page."""
        return str(self.driver.current_url)

    def goto(self, url: str) -> None:
        """Go to a page, and wait until it has loaded."""
        self.driver.get(url)

    def reload(self) -> None:
        """Load the page again."""
        self.driver.refresh()

    def go_back(self) -> None:
        """Go back by one page."""
        self.driver.back()

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """The value of an expression, or what a function of the page returns."""
        called = FUNCTION.match(script)
        return self.driver.execute_script(
            f"return ({script})(...arguments)" if called else f"return {script}", argument
        )

    def wait_for_timeout(self, ms: float) -> None:
        """Wait, as a person does."""
        time.sleep(ms / 1000)

    def wait_for_paint(self) -> None:
        """Wait until what has changed on the page is painted."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")

    def wait_for_url(self, pattern: re.Pattern[str]) -> None:
        """Wait until the page's address fits."""
        await_until(lambda: pattern.search(self.url), f"{pattern.pattern}, at {self.url}")

    def get_by_test_id(self, name: str) -> Found:
        """What has this test id."""
        return Found(self, f"[data-testid='{name}']")

    def locator(self, css: str) -> Found:
        """What fits a selector."""
        return Found(self, css)

    def screenshot(self, file: Path) -> None:
        """Take a picture of the window, once what has changed is painted."""
        self.wait_for_paint()
        self.driver.save_screenshot(str(file))


class Keyboard:
    """The keys of a screen."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def press(self, code: str) -> None:
        """Press a key, by its code: `KeyF`, `Space`."""
        key = " " if code == "Space" else code.removeprefix("Key").lower()
        webdriver.ActionChains(self._screen.driver, duration=0).send_keys(key).perform()


class Found:
    """Elements that fit a selector, looked for anew at each use; methods on one take the first."""

    def __init__(self, screen: Screen, css: str) -> None:
        self.screen, self.css = screen, css

    def all(self) -> list[WebElement]:
        """Those that are there now.

        Raises: StaleElementReferenceException if one goes while the driver collects them; `count` does not.
        """
        return self.screen.driver.find_elements(By.CSS_SELECTOR, self.css)

    def count(self) -> int:
        """How many are there now."""
        script = f"document.querySelectorAll({json.dumps(self.css)}).length"
        return int(self.screen.evaluate(script))

    def locator(self, css: str) -> Found:
        """What fits a selector within these."""
        return Found(self.screen, f"{self.css} {css}")

    def wait_for(self) -> WebElement:
        """The first, as soon as it is shown."""
        return await_until(self._shown, f"{self.css} at {self.screen.url}")

    def wait_gone(self) -> None:
        """Wait until none is left."""
        await_until(lambda: not self.count(), f"the end of {self.css}")

    def wait_for_text(self, text: str) -> None:
        """Wait until the first contains a text."""
        await_until(lambda: text in self.text_content(), f"{text!r} in {self.css}, which says {self.text_content()!r}")

    def text_content(self) -> str:
        """The text of the first, hidden or not; empty if there is none."""
        script = f"document.querySelector({json.dumps(self.css)})?.textContent ?? ''"
        return str(self.screen.evaluate(script))

    def get_attribute(self, name: str) -> str | None:
        """An attribute of the first."""
        found = self.wait_for().get_dom_attribute(name)
        return None if found is None else str(found)

    def click(self, timeout: float = PATIENCE_S * 1000) -> None:
        """Press the first, as soon as it is shown and nothing lies over it."""
        await_until(self._pressed, f"a press on {self.css}", timeout / 1000)

    def fill(self, text: str) -> None:
        """Replace a field's text, key by key."""
        await_until(lambda: self._typed(text), f"the field {self.css}")

    def check(self) -> None:
        """Choose an option by its label, which is what players see of it."""
        await_until(self.count, self.css)
        self.screen.evaluate(f"(() => document.querySelector({json.dumps(self.css)}).closest('label').click())()")

    def select(self, value: str) -> None:
        """Choose an option of a list; by a script, because the driver leaves the list open over the page."""
        self.wait_for()
        script = f"""(() => {{
          const list = document.querySelector({json.dumps(self.css)})
          list.value = {json.dumps(value)}
          list.dispatchEvent(new Event('change', {{ bubbles: true }}))
        }})()"""
        self.screen.evaluate(script)

    def _shown(self) -> WebElement | None:
        try:
            return next((one for one in self.all() if one.is_displayed()), None)
        except StaleElementReferenceException:
            return None

    def _scroll_to(self, element: WebElement) -> None:
        """Scroll as far as needed: the driver does not, if a check before has left the element above the screen."""
        self.screen.driver.execute_script("arguments[0].scrollIntoView({ block: 'nearest' })", element)

    def _typed(self, text: str) -> bool:
        try:
            if field := self._shown():
                self._scroll_to(field)
                field.clear()
                field.send_keys(text)
            return field is not None
        except NOT_YET:
            return False

    def _pressed(self) -> bool:
        try:
            if found := self._shown():
                self._scroll_to(found)
                found.click()
            return found is not None
        except NOT_YET:
            return False
