"""The browser engines: which one the tests run on, how Playwright drives it, and which tests it cannot pass.

RATSCREW_ENGINE is `chromium` (without it) or `firefox`. WebKit has tests of its own, in tests/webkit.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright

import browsers

ENGINE = os.environ.get("RATSCREW_ENGINE") or "chromium"
EXCEPTIONS = Path(__file__).with_name("engines.toml")

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # They replace Playwright's own flags: off is everything else that would call the network or delay a frame, and the
    # list under the address bar, which nobody sees here and which costs every page a second.
    "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding,"
    "NetworkTimeServiceQuerying,DestroyProfileOnBrowserClose,WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "SpareRendererForSitePerProcess",
]


class Launcher:
    """Starts a browser of an engine when the first page is opened, and makes contexts in it.

    Firefox takes reduced motion from its preferences, not from a context: it is started once for each of the two.
    """

    def __init__(self, playwright: Playwright, stack: ExitStack, engine: str = ENGINE) -> None:
        path = browsers.find(engine)
        assert path, f"no {engine} here: `make browser ENGINE={engine}` installs one, or says how"
        self._playwright, self._stack, self._path, self._engine = playwright, stack, path, engine
        self._started: dict[tuple[str, ...], Browser] = {}

    def new_context(self, flags: tuple[str, ...] = (), **options: Any) -> BrowserContext:
        """A context of a browser, which is started with these `flags` of Chromium; `options` are Playwright's."""
        motion = options.get("reduced_motion", "no-preference") if self._engine == "firefox" else ""
        if (how := (motion, *flags)) not in self._started:
            self._started[how] = self._start(motion, flags)
        return self._started[how].new_context(**options)

    def _start(self, motion: str, flags: tuple[str, ...]) -> Browser:
        home = self._stack.enter_context(tempfile.TemporaryDirectory())
        environment: dict[str, str | float | bool] = {**os.environ, "HOME": home}
        if self._engine == "firefox":
            found = self._playwright.firefox.launch(
                channel="moz-firefox",  # WebDriver BiDi, which needs no build of Playwright's own
                executable_path=self._path,
                firefox_user_prefs={"ui.prefersReducedMotion": int(motion == "reduce")},
                env=environment,
            )
        else:
            found = self._playwright.chromium.launch(
                executable_path=self._path, args=[*CHROMIUM_FLAGS, *flags], env=environment
            )
        self._stack.callback(found.close)
        return found


def adapt_playwright() -> None:
    """Let the tests run unchanged on Firefox, where two of Playwright's methods do something else.

    A tap sends nothing, so that it becomes a click. Scripts that begin a page also run in the empty one before it,
    which has no storage.
    """
    begin = Page.add_init_script

    def add_init_script(page: Page, script: str) -> Any:
        return begin(page, f"if (self.origin !== 'null') {{ {script} }}")

    setattr(Locator, "tap", Locator.click)  # noqa: B010
    setattr(Page, "add_init_script", add_init_script)  # noqa: B010


def shown_by_one_engine(item: pytest.Item) -> bool:
    """Whether a test shows what no other engine can change: its mark `one_engine` says why.

    Raises: ValueError if the mark has no reason.
    """
    mark = item.get_closest_marker("one_engine")
    if mark is not None and not (len(mark.args) == 1 and str(mark.args[0]).strip()):
        raise ValueError(f"{item.nodeid}: the mark one_engine needs a reason")
    return mark is not None


def reason_for(test: str, exceptions: Mapping[str, str]) -> str | None:
    """Why a test cannot pass: its entry, or one for all its parameters."""
    return exceptions.get(test) or exceptions.get(test.partition("[")[0])


@contextmanager
def must_fail(reason: str) -> Iterator[None]:
    """Accept a failure of what runs within.

    Raises: AssertionError if it passes: then its entry in engines.toml has to go. A skip or an interrupt goes through.
    """
    try:
        yield
    except (Exception, pytest.fail.Exception):
        return
    raise AssertionError(f"It passes on {ENGINE}: remove its entry from tests/browser/engines.toml ({reason})")


def read_exceptions(engine: str, file: Path = EXCEPTIONS) -> Mapping[str, str]:
    """The tests that fail on an engine, as test IDs (without [...] for all parameters), and why.

    Raises: ValueError if an entry lacks the test or the reason, or has anything else.
    """
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get(engine, [])
    for entry in entries:
        if entry.keys() != {"test", "reason"} or not entry["reason"].strip():
            raise ValueError(f"{file}: {entry} needs `test` and `reason`, and nothing else")
    return {entry["test"]: entry["reason"] for entry in entries}
