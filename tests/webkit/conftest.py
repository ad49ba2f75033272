"""Screens on WebKit for tests; one that a page complains on fails its test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import browsers
from tests.webkit.screen import Screen

OpenScreen: TypeAlias = Callable[..., Screen]

LOST = ("WebSocket connection", "Failed to load resource", "Could not connect", "Load failed")
"""The errors that pages may log while a test has taken the server away."""


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """An X server without a screen, as large as any window here."""
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


@pytest.fixture
def open_screen(display: str, tmp_path: Path) -> Iterator[OpenScreen]:
    """Opens screens (width, height, and the options of `Screen`); afterwards none may have complained.

    `offline` says that the test itself takes the server away, so that failed connections are no complaint.
    """
    driver = browsers.find("webkit")
    assert driver, "no WebKit here: `make browser ENGINE=webkit` installs it, or says how"
    screens: list[tuple[Screen, bool]] = []

    def open_one(width: int, height: int, offline: bool = False, font_px: int = 16, language: str = "en") -> Screen:
        home = tmp_path / f"home{len(screens)}"
        home.mkdir(mode=0o700)
        screens.append((Screen(driver, display, home, width, height, font_px, language), offline))
        return screens[-1][0]

    yield open_one
    complaints: list[str] = []
    for screen, offline in screens:
        complaints += [one for one in screen.close() if not (offline and any(sign in one for sign in LOST))]
    assert not complaints, complaints
