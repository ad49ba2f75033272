"""docs/operations.md lists every message of a client with its price, and the limits of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from ratscrew.limits import limits
from ratscrew.protocol import player_connection, wire
from ratscrew.table.record import log_budget
from ratscrew.table.record.log_budget import PRICES, price_unchanged
from ratscrew.table.room import delivery, recent_events, request_deduplicator
from ratscrew.table.state import evolve
from ratscrew.web.socket import transport_channel

PAGE = (Path(__file__).parents[2] / "docs/operations.md").read_text()
SECTION = PAGE.split("## What players can make the server do")[1].split("\n## ")[0]
ROWS = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", SECTION, re.MULTILINE))


def tags() -> set[str]:
    """How the messages of a client are called on the wire."""
    return {str(kind.__struct_config__.tag) for kind in get_args(wire.ClientMessage)}


def test_every_message_of_a_client_has_its_row() -> None:
    missing, gone = tags() - ROWS.keys(), ROWS.keys() - tags()
    assert (missing, gone) == (set(), set()), (
        "add a row to docs/operations.md, and a price to table/record/log_budget.py"
    )


def test_the_prices_are_those_of_the_code() -> None:
    assert {what: int(units) for what, units in ROWS.items() if what in PRICES} == dict(PRICES)
    assert price_unchanged("house") == PRICES["house"] // 8


def test_the_limits_are_those_of_the_code() -> None:
    named = {
        "a seat": limits.OF_SEAT,
        "a room": limits.OF_ROOM,
        "an address": limits.LIMITS["room_requests"],
        "all addresses": limits.GLOBAL["room_requests"],
    }
    for who, limit in named.items():
        assert f"| {who} | {limit.most:,} units | {round(1 / limit.every_s):,} |" in SECTION
    for sentence in (
        f"beyond {limits.WATCHERS_OF_ADDRESS} spectators of an address or {limits.WATCHERS_MOST} of a table",
        f"| {limits.LIMITS['slaps'].most} slaps | {round(1 / limits.LIMITS['slaps'].every_s)} |",
        f"at most {log_budget.REQUESTS_MOST:,} units of requests and {log_budget.ENTRIES_MOST:,} entries",
        f"| {transport_channel.WAITING_MOST // 1024} kB |",
        f"| {delivery.DELAYED_MOST:,} messages a page |",
        f"| {delivery.COMMITS_MOST:,} messages a room |",
        f"| {request_deduplicator.PAGES_MOST} pages a player, {request_deduplicator.MISSING_MOST} numbers a page; "
        f"{evolve.SEAT_REQUESTS_MOST} that took a seat and {evolve.DONE_REQUESTS_MOST} others",
        f"| {recent_events.REMEMBERED} events, {player_connection.MISSED_MOST // 1024} kB |",
        f"at most {player_connection.PINGS_MOST} pings",
    ):
        assert sentence in SECTION
    hour_mb = 3600 * 100 / 1e6  # a unit is about 100 bytes
    of_one, of_all = (round(hour_mb / limit.every_s) for limit in (named["an address"], named["all addresses"]))
    assert f"at most {of_one} MB from the requests of one address and {of_all} MB" in SECTION
