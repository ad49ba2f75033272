"""Client addresses and host names in request headers, parsed strictly."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web.http import addresses
from ratscrew.web.http.addresses import client_key, forwarded_for, host_name
from tests.web.pages import serve


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        (" 192.0.2.1 ", "192.0.2.1"),
        ("192.0.2.1:5678", "192.0.2.1"),
        ('"192.0.2.1:5678"', "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::"),
        ('"[2001:db8:1:2::9]:443"', "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("192.0.2.1" + " " * 100, None),
        ("unknown", None),
        ("_hidden", None),
        ("", None),
        ("192.0.2.256", None),
        ("1.2.3.4.5", None),
        ("[", None),
        (":" * 8000, None),
    ],
)
def test_a_client_is_an_address_of_ipv4_or_a_network_of_ipv6(text: str, key: str | None) -> None:
    assert client_key(text) == key


@pytest.mark.parametrize(
    ("lines", "proxies", "entry"),
    [
        (["203.0.113.9"], 1, "203.0.113.9"),
        (["forged, 203.0.113.9"], 1, " 203.0.113.9"),
        (["forged", "203.0.113.9"], 1, "203.0.113.9"),
        (["forged, 203.0.113.9, 10.0.0.1"], 2, " 203.0.113.9"),
        (["forged, 203.0.113.9", "10.0.0.1"], 2, " 203.0.113.9"),
        (["forged", "203.0.113.9", "10.0.0.1"], 2, "203.0.113.9"),
        (["203.0.113.9"], 2, "203.0.113.9"),  # a client that came past the outer proxy
        ([",".join(["forged"] * 2000) + ",203.0.113.9"], 1, "203.0.113.9"),
        ([], 1, None),
        ([], 2, None),
    ],
)
def test_the_outermost_trusted_proxy_names_the_client(lines: list[str], proxies: int, entry: str | None) -> None:
    assert forwarded_for(lines, proxies) == entry


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("Cards.Example.org:8765", "cards.example.org"),
        ("cards.example.org.", "cards.example.org"),
        ("[::1]:8765", "::1"),
        ("[::1", "::1"),
        ("", ""),
    ],
)
def test_a_host_is_a_name_without_its_port(host: str, name: str) -> None:
    assert host_name(host) == name


@on_manual_clock
async def test_a_connection_parses_its_address_once(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed, parse = list[str](), ip_address

    def note(text: str) -> object:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(addresses, "ip_address", note)
    addresses._parse.cache_clear()
    async with serve(clock) as served:
        page = await served.enter()
        await page.receive("welcome")
    assert parsed == ["127.0.0.1"]
