"""Screens on WebKit for tests; one that a page complains on fails its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

import browsers
from tests.webkit.screen import Screen, x_server

OpenScreen: TypeAlias = Callable[..., Screen]

LOST = ("WebSocket connection", "Failed to load resource", "Could not connect", "Load failed")
"""The errors that pages may log while a test has taken the server away."""


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """An X server for all windows of this process."""
    with x_server() as name:
        yield name


@pytest.fixture
def open_screen(display: str, tmp_path: Path) -> Iterator[OpenScreen]:
    """Opens screens (width, height, and the options of `Screen`); afterwards none may have complained.

    `offline` says that the test itself takes the server away, so that failed connections are no complaint.
    """
    driver = browsers.find("webkit")
    assert driver, "no WebKit here: `make browser ENGINE=webkit` installs it, or says how"
    screens: list[tuple[Screen, bool]] = []

    def open_one(width: int, height: int, offline: bool = False, text_size: float = 1, language: str = "en") -> Screen:
        home = tmp_path / f"home{len(screens)}"
        home.mkdir(mode=0o700)
        screens.append((Screen(driver, display, home, width, height, text_size, language), offline))
        return screens[-1][0]

    yield open_one
    complaints: list[str] = []
    for screen, offline in screens:
        complaints += [one for one in screen.close() if not (offline and any(sign in one for sign in LOST))]
    assert not complaints, complaints
