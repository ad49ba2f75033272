"""Client addresses and origins: headers of a proxy count if the operator configured one, and never otherwise."""

from __future__ import annotations

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from ratscrew.web.proxy_policy import ProxyPolicy

BEHIND = ProxyPolicy(proxied=True)


def asked(remote: str, *headers: tuple[str, str]) -> web.BaseRequest:
    """A request to our own host from an address, with these headers."""
    said = CIMultiDict([("Host", "game.example"), *headers])
    return make_mocked_request("GET", "/api/health", headers=said).clone(remote=remote)


def test_straight_the_address_is_the_connections_whatever_is_written_into_a_header() -> None:
    forged = asked("203.0.113.7", ("X-Forwarded-For", "198.51.100.1"), ("X-Real-IP", "198.51.100.1"))
    assert ProxyPolicy().address(forged) == "203.0.113.7"


@pytest.mark.parametrize(
    ("told", "address"),
    [
        (["198.51.100.1"], "198.51.100.1"),
        (["192.0.2.66, 198.51.100.1"], "198.51.100.1"),
        (["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
        (["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::"),
        (["[2001:db8:1:2::9]"], "2001:db8:1:2::"),
        (["unknown"], "10.0.0.1"),
        (["198.51.100.1, "], "10.0.0.1"),
        ([], "10.0.0.1"),
    ],
)
def test_behind_a_proxy_the_last_of_its_list_asks_and_what_stands_before_was_written_by_anybody(
    told: list[str], address: str
) -> None:
    assert BEHIND.address(asked("10.0.0.1", *[("X-Forwarded-For", words) for words in told])) == address


def test_a_household_has_one_address_of_the_new_kind_as_it_has_one_of_the_old() -> None:
    assert (
        ProxyPolicy().address(asked("2001:db8::1")) == ProxyPolicy().address(asked("2001:db8::ffff:1")) == "2001:db8::"
    )
    assert ProxyPolicy().address(asked("2001:db8::1")) != ProxyPolicy().address(asked("2001:db8:0:1::1"))
    assert ProxyPolicy().address(asked("::ffff:192.0.2.1")) != ProxyPolicy().address(asked("::ffff:192.0.2.2"))


FORGED = (("X-Forwarded-Host", "elsewhere.example"), ("X-Forwarded-Proto", "https"))


@pytest.mark.parametrize(
    ("proxy_policy", "origin", "headers", "same_origin"),
    [
        (ProxyPolicy(), "https://game.example", (), True),
        (ProxyPolicy(), "http://elsewhere.example", FORGED, False),
        (ProxyPolicy(), "http://game.example", FORGED, True),
        (BEHIND, "https://elsewhere.example", FORGED, True),
        (BEHIND, "http://elsewhere.example", FORGED, False),
        (BEHIND, "https://game.example", FORGED, False),
        (BEHIND, "https://game.example", (("X-Forwarded-Proto", "https"),), True),
        (BEHIND, "https://game.example", (), True),
        (BEHIND, "https://game.example.elsewhere.example", (), False),
    ],
)
def test_a_page_of_ours_is_one_from_where_people_find_us(
    proxy_policy: ProxyPolicy, origin: str, headers: tuple[tuple[str, str], ...], same_origin: bool
) -> None:
    assert proxy_policy.same_origin(asked("192.0.2.1", ("Origin", origin), *headers)) is same_origin
