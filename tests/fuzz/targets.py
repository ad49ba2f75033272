"""The readers of outside input, each with the one error it may raise. A target passes if it returns or raises that.

Each function also checks the value that it read: it has to print, and to be read back from that as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from aiohttp.test_utils import make_mocked_request

from ratscrew.errors import NotationError, RatscrewError, RulesError, WireError
from ratscrew.game import notation, referee
from ratscrew.game.codec import Codec
from ratscrew.protocol import wire
from ratscrew.protocol.session import decode
from ratscrew.rules.link import from_file, from_link, to_json, to_link
from ratscrew.rules.presets import PRESETS, house
from ratscrew.table.history.import_export import entries_of
from ratscrew.table.record.entries import Entry
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.responses import language_of
from ratscrew.web.http.static_files import accepts_encoding
from ratscrew.web.schema import http_schema

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "vectors.json").read_text())["vectors"]

WORDS_MOST = 40_000
"""Bytes of the longest sentences in which something is refused, beside what they quote."""


class Target(NamedTuple):
    """One reader: `read` gets words from outside, `error` is all it may raise, `seeds` are words it understands."""

    read: Callable[[bytes], object]
    error: type[Exception]
    seeds: tuple[bytes, ...]


def _text(data: bytes) -> str:
    """Any text at all, lone surrogates too, which a JSON escape can bring in."""
    return data.decode("utf-8", "surrogatepass" if _is_text(data) else "replace")


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def _codec(kind: Any) -> Callable[[bytes], object]:
    codec = Codec[Any](kind)

    def read(data: bytes) -> object:
        value = codec.decode(data)
        assert codec.decode(codec.encode(value)) == value
        return value

    return read


_MESSAGES = Codec[wire.ClientMessage](wire.ClientMessage)
_ENTRIES = Codec[Entry](Entry)
_JSON = Codec[Any](Any)


def _message(data: bytes) -> object:
    message = decode(data)
    assert decode(_MESSAGES.encode(message)) == message
    return message


def _notation(data: bytes) -> object:
    names, events = notation.read_game(_text(data))
    again = notation.write_game(events, names)
    assert notation.read_game(again) == (names, events), again
    return again.encode()


def _import(data: bytes) -> object:
    entries = entries_of(_text(data))
    for entry in entries:
        assert _ENTRIES.decode(_ENTRIES.encode(entry)) == entry
    return entries


def _link(data: bytes) -> object:
    rules = from_link(_text(data))
    assert from_link(to_link(rules)) == rules
    return rules


def _file(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        rules = from_file(_text(data), name)
        assert from_link(to_link(rules)) == rules
        return rules

    return read


def _choices(data: bytes) -> object:
    asked = Codec[http_schema.Choices](http_schema.Choices).decode(data)
    return house(asked.preset, **asked.choices)


def _example(data: bytes) -> object:
    return referee.differences(referee.read(_JSON.decode(data)))


def _headers(data: bytes) -> object:
    """What stands in the headers that a proxy or a browser writes."""
    words = data.decode("latin-1")
    names = ("Origin", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-RTT", "Accept-Language")
    request = make_mocked_request("GET", "/?" + urlencode({"lang": words}), dict.fromkeys(names, words))
    proxy_policy = ProxyPolicy(proxied=True, header="X-RTT")
    accepts_encoding("gzip", words)
    return (
        proxy_policy.address(request),
        proxy_policy.same_origin(request),
        proxy_policy.reported_rtt_us(request),
        language_of(request),
    )


def _words(*values: object) -> tuple[bytes, ...]:
    return tuple(json.dumps(value).encode() for value in values)


GAME = b"""ratscrew 1
house 1;classic;turn_ms=5000
name 1 Ana
name 2 "B\\u00f6 "
hand 1 9S 2C
hand 2 9H JKR
lead 1
1:9S 2:9H 1!double
1@1200:2C 2:JKR 1,2'!instant
"""

OVER = b"""ratscrew 1
house 1;beggar;max_players=4
name 1 Ana
name 2 Bo
hand 1 9S
hand 2 JH
lead 1
1:9S 2:JH 2+ 2#
"""

TARGETS: Mapping[str, Target] = {
    "message": Target(
        _message,
        WireError,
        _words(
            {"t": "hello", "room": "BEAR", "token": "x", "others": ["y"], "only": "slaps", "game": "g", "version": 3},
            {"t": "slap", "n": 3, "p_ms": 1.5, "t_ms": 200.25, "s": 1, "contact": 2, "after": 0, "seat": 1},
            {"t": "act", "action": "choose", "half": "top", "target": 1, "seat": 0},
            {"t": "house", "house": "1;wiki"},
            {"t": "pong", "k": 1, "c_ms": 5},
        ),
    ),
    "notation": Target(_notation, NotationError, (GAME, OVER)),
    "import": Target(_import, NotationError, (OVER,)),
    "link": Target(
        _link,
        RulesError,
        (
            b"1;wiki;turn_ms=5000;slaps.run.len=4;slaps.hoagie=off",
            b"1;classic;wrong_slap.kind=lockout;wrong_slap.until=3;slaps.instant=JKR+TD;chances.J=off",
            *(to_link(house(preset)).encode() for preset in PRESETS),
        ),
    ),
    "toml": Target(
        _file("house.toml"),
        RulesError,
        (b'preset = "wiki"\nturn_ms = 5000\nstoppers = ["T"]\n[slaps]\ndouble = false\nrun = { len = 4 }\n',),
    ),
    "json": Target(
        _file("house.json"),
        RulesError,
        (
            *_words({"preset": "wiki", "turn_ms": 5000, "slaps": {"double": False, "run": {"len": 4}}}),
            to_json(house("chaos")).encode(),
        ),
    ),
    "choices": Target(
        _choices,
        ValueError,
        _words({"choices": {"turn_ms": 5000, "wrong_slap": {"kind": "lockout", "until": 3}}, "preset": "wiki"}),
    ),
    "example": Target(_example, ValueError, _words(*VECTORS[::20])),
    "headers": Target(_headers, RatscrewError, (b"2001:db8::1", b"https://game.example", b"de-AT,de;q=0.9", b"1200")),
    "entry": Target(
        _codec(Entry),
        ValueError,
        tuple(map(_ENTRIES.encode, entries_of(OVER.decode()))),
    ),
    "room": Target(_codec(http_schema.NewRoom), ValueError, _words({"name": "Ana", "bots": 2, "strength": "sharp"})),
    "lesson": Target(_codec(http_schema.NewLesson), ValueError, _words({"name": "Ana", "lesson": "turn"})),
}


def check(target: Target, data: bytes) -> None:
    """Let a target read: it may raise its one error, with a message that can be printed and is not too long.

    Raises: any other error of the target.
    """
    try:
        target.read(data)
    except target.error as error:
        words = str(error).encode(errors="backslashreplace")  # as a terminal does
        assert 0 < len(words) <= WORDS_MOST + 2 * len(data), len(words)
