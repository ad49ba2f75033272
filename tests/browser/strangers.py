"""Third-party requests: those of a page to any server but its own."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page

OWN = ("127.0.0.1", "table.localhost")
"""The names of the test's own server."""


def asked_of_strangers(context: BrowserContext) -> list[str]:
    """From now on, all requests of this context's pages to any server but the test's own."""
    found: list[str] = []

    def ask(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.hostname not in OWN:
            found.append(url)

    def watch(page: Page) -> None:
        page.on("websocket", lambda line: ask(line.url))

    context.on("request", lambda request: ask(request.url))
    context.on("page", watch)
    return found
