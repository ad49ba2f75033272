"""The proxies that we ship overwrite every header of a proxy that the server reads, or clients could send their own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
POLICY = ROOT / "src" / "ratscrew" / "web" / "http" / "proxy_policy.py"
NGINX = sorted((ROOT / "ops").glob("nginx*.conf"))
CADDY = ROOT / "ops" / "Caddyfile"
CADDY_SETS = {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"}
"""What Caddy's `reverse_proxy` overwrites by itself, unless it trusts a proxy before it."""


def headers_read() -> set[str]:
    """The headers of proxies that the server reads by name."""
    return set(re.findall(r'"(X-[A-Za-z-]+)"', POLICY.read_text(encoding="utf-8")))


def named_in(text: str) -> set[str]:
    """The headers that a file's comment tells the operator to name in the server's settings."""
    return set(re.findall(r'(?:rtt|socket)-header = "([A-Za-z-]+)"', text))


def test_the_server_reads_the_headers_that_are_checked_here() -> None:
    assert headers_read() == {"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"}


@pytest.mark.parametrize("file", NGINX, ids=lambda file: str(file.name))
def test_nginx_overwrites_every_header_that_the_server_reads(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    wanted = headers_read() | named_in(text) | {"Host"}
    blocks = [block for block in re.findall(r"\{([^{}]*)", text) if "proxy_set_header" in block]
    assert blocks
    for block in blocks:  # a block with any of its own inherits none
        assert wanted <= set(re.findall(r"proxy_set_header (\S+) ", block)), "a client's own header would pass"


def test_caddy_overwrites_every_header_that_the_server_reads() -> None:
    text = CADDY.read_text(encoding="utf-8")
    assert headers_read() | named_in(text) <= CADDY_SETS | set(re.findall(r"header_up (\S+) ", text))
    assert "trusted_proxies" not in text
