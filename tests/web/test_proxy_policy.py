"""Client addresses and origins: headers of a proxy count if the operator configured one, and never otherwise."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from multidict import CIMultiDict

from ratscrew.web.http.proxy_policy import ProxyPolicy

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
    assert proxy_policy.same_origin(asked("10.0.0.1", ("Origin", origin), *headers)) is same_origin


@pytest.mark.parametrize("remote", ["203.0.113.7", "2001:db8::7", "::ffff:203.0.113.7"])
def test_a_client_that_passes_the_proxy_by_can_write_none_of_its_headers(remote: str) -> None:
    policy = ProxyPolicy(proxied=True, header="X-Rtt", hosts=frozenset({"elsewhere.example"}))
    forged = asked(remote, ("X-Forwarded-For", "198.51.100.1"), ("X-Rtt", "300000"), *FORGED)
    assert policy.address(forged) == ProxyPolicy().address(asked(remote))
    assert policy.reported_rtt_us(forged) is None
    assert policy.origin(forged) == "http://game.example"
    assert not policy.is_own_host(forged)


def test_the_operator_may_say_from_where_the_proxy_connects() -> None:
    policy = ProxyPolicy(proxied=True, trusted=(ip_network("203.0.113.0/24"),))
    said = ("X-Forwarded-For", "198.51.100.1")
    assert policy.address(asked("203.0.113.7", said)) == "198.51.100.1"
    assert policy.address(asked("10.0.0.1", said)) == "10.0.0.1"


def test_what_a_proxy_says_of_the_connection_counts_only_with_the_clients_address() -> None:
    policy = ProxyPolicy(proxied=True, socket_header="X-Client-Socket")
    end = ("X-Client-Socket", "198.51.100.2 4711 192.0.2.1 443")
    assert policy.connection(asked("127.0.0.1", ("X-Forwarded-For", "198.51.100.1"), end), None) is None
    assert policy.connection(asked("127.0.0.1", ("X-Forwarded-For", "198.51.100.2")), None) is None
    assert policy.connection(asked("127.0.0.1", ("X-Forwarded-For", "198.51.100.2"), end), None) is not None
