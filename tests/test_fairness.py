"""The page about the judge says what the code does: its constants, its messages and its figures are the code's."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import fields

from ratscrew.game import card_timing
from ratscrew.judge import constants, ping_schedule
from ratscrew.judge.suspicion import Indicator, indicators
from ratscrew.protocol import wire
from ratscrew.table.record import messages
from ratscrew.table.session import timing as pace

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "fairness.md").read_text()


def table(heading: str) -> dict[str, str]:
    """The second column of a table by its first, of which this is the heading."""
    (rows,) = re.findall(rf"^\| {re.escape(heading)} \|.*\n\|[-|]*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows.splitlines()]
    assert len({row[0] for row in cells}) == len(cells)
    return {row[0].strip("`"): row[1] for row in cells}


def value(name: str, module: ModuleType) -> str:
    """A constant as the page writes it: times in milliseconds, others as numbers."""
    number = getattr(module, name)
    if "_US" in name:
        return f"{number / 1000:,g}"
    units = {"CARDS_REMEMBERED": " cards", "ROW_PINGS": " pings"}
    return f"{number}{' %' if 'PERCENT' in name else units.get(name, ' slaps')}"


@pytest.mark.parametrize(
    ("module", "path"),
    [
        (constants, "judge/constants.py"),
        (ping_schedule, "judge/ping_schedule.py"),
        (card_timing, "game/card_timing.py"),
        (pace, "table/session/timing.py"),
    ],
)
def test_every_constant_on_the_page_has_the_value_of_the_code(module: ModuleType, path: str) -> None:
    told = table(f"`{path}`")
    assert told == {name: value(name, module) for name in told}


def test_every_constant_of_the_judge_is_on_the_page() -> None:
    assert set(table("`judge/constants.py`")) == {name for name in vars(constants) if name.isupper()}
    own = {name for name in vars(ping_schedule) if name.isupper() and name not in vars(constants)}
    assert set(table("`judge/ping_schedule.py`")) == own


def limit(sign: Indicator) -> str:
    """The threshold of an indicator, as the page writes it."""
    figure = f"{sign.limit:g} %" if sign.unit == "percent" else f"{sign.limit / 1000:g} ms"
    return f"{'below' if sign.below else 'over'} {figure}"


def test_every_cheating_indicator_is_on_the_page() -> None:
    """The page's row may add details, after a colon or in brackets."""
    told = {re.split(r":| \(", name)[0]: odd for name, odd in table("figure").items()}
    assert told == {sign.name: limit(sign) for sign in indicators([])}


def test_the_messages_on_the_page_are_those_of_the_wire() -> None:
    kinds = {
        struct.__struct_config__.tag: struct
        for struct in (vars(messages) | vars(wire)).values()
        if hasattr(struct, "__struct_config__")
    }
    rows = re.findall(r"^\| (to|from) the page \| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    assert {name for _, name, _ in rows} == {
        "ping",
        "reveal_at",
        "link_stats",
        "pong",
        "beat",
        "visibility",
        "slap",
    }
    for _, name, says in rows:
        named = set(re.findall(r"`(\w+)`", says))
        assert named <= {field.name for field in fields(kinds[name])} | set(kinds), name


def test_a_page_that_several_players_share_sends_its_time_when_the_judge_expects_it() -> None:
    text = (Path(__file__).parents[1] / "client" / "src" / "net" / "room-connection.ts").read_text(encoding="utf-8")
    (after_ms,) = re.findall(r"^const SAME_TOUCH_MS = (\d+)", text, re.MULTILINE)
    assert int(after_ms) * 1000 == constants.SAME_TOUCH_US
