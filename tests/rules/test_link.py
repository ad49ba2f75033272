"""A house as the text of a link and as a file: it reads back as it was written, and problems are reported."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import settings as trial
from hypothesis import strategies as st

from ratscrew.errors import MAX_PROBLEMS, RulesError
from ratscrew.rules.house import Rules
from ratscrew.rules.link import _SHARED, MAX_LENGTH, base_of, from_file, from_link, shared, to_json, to_link
from ratscrew.rules.presets import PRESETS, house
from ratscrew.testing.house_strategies import houses

FRAGMENT = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*")
"""What may stand in the fragment of an address. Source: RFC 3986, section 3.5."""

A_FEW: dict[str, Any] = {
    "turn_ms": 5000,
    "slaps": {"hoagie": True, "suit_run": 3, "instant": ["QS", "T"], "double": False},
    "stoppers": ["T"],
}


def problems(text: str) -> tuple[str, ...]:
    """What is wrong with the text of a link."""
    with pytest.raises(RulesError) as caught:
        from_link(text)
    return caught.value.problems


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_its_name(preset: str) -> None:
    assert to_link(house(preset)) == f"1;{preset}"
    assert from_link(f"1;{preset}") == house(preset)


def test_the_text_keeps_the_preset_that_a_player_has_changed() -> None:
    # by its nearest preset this would be stayandplay, whose text is shorter
    changed = "slaps.tens.addends=two;slaps.tens.faces=skip_one;slaps.tens.ace=1;slaps.marriage=true"
    rules = from_link(f"1;classic;{changed};slaps.run.len=4;slaps.run.step=consecutive;slaps.run.ace=wrap")
    kept = to_link(rules, "classic")
    assert kept.startswith("1;classic;")
    assert from_link(kept) == rules
    assert base_of(kept) == "classic"
    assert base_of(to_link(rules)) == "stayandplay"


@pytest.mark.parametrize("base", PRESETS)
def test_rules_that_are_exactly_a_preset_are_its_name_from_whichever_they_were_made(base: str) -> None:
    assert {to_link(house(preset), base) for preset in PRESETS} == {f"1;{preset}" for preset in PRESETS}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_with_a_few_changes_is_short(preset: str) -> None:
    rules = house(preset, **A_FEW)
    assert len(to_link(rules)) < 200
    assert from_link(to_link(rules)) == rules


@trial(max_examples=60, deadline=None)
@given(houses())
def test_every_house_is_read_back_from_its_text(rules: Rules) -> None:
    text = to_link(rules)
    assert from_link(text) == rules
    assert FRAGMENT.fullmatch(text)
    assert len(text) <= MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("1;wiki;turn_ms=5000", house("wiki", turn_ms=5000)),
        ("1;classic;slaps.hoagie=true;slaps.double=off", house(slaps={"hoagie": True, "double": False})),
        ("1;wiki;slaps.run.len=4", house("wiki", slaps={"run": {"len": 4}})),
        ("1;classic;slaps.instant=JKR+TD", house(slaps={"instant": ["JKR", "TD"]})),
        ("1;classic;stoppers=T", house(stoppers=["T"])),
        ("1;classic;chances.J=off;chances.T=5", house(chances={"J": "off", "Q": 2, "K": 3, "A": 4, "T": 5})),
        ("1;classic;wrong_slap.kind=lockout;wrong_slap.until=3", house(wrong_slap={"kind": "lockout", "until": 3})),
        ("1;classic;burn_face_up=false;decks=auto;", house(burn_face_up=False, decks="auto")),
        ("1;oxymoron;hover=off;redneck=off", house("oxymoron", hover="off")),
    ],
)
def test_a_text_is_a_preset_and_what_differs(text: str, rules: Rules) -> None:
    assert from_link(text) == rules


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'': rules in a text begin with '1;' and a preset"),
        ("wiki", "'wiki': rules in a text begin with '1;'"),
        ("2;wiki", "'2;wiki': rules in a text begin with '1;'"),
        ("1;" + "x" * MAX_LENGTH, "rules in a text begin with '1;'"),
        ("1;clasic", "there is no preset 'clasic'; there are classic"),
        ("1;wiki;slaps=\udc80", r"slaps = '\udc80': "),
        ("1;wiki;fast", "'fast': a choice is written option=value"),
        ("1;wiki;colour=red", "colour: there is no such option"),
        ("1;wiki;turn_ms=soon", "turn_ms = 'soon': it can be a whole number from 1000"),
        ("1;wiki;slaps.run.len=99", "slaps.run.len = 99: it can be a whole number from 2 to 13"),
        ("1;wiki;slaps.tripple=true", "slaps.tripple: there is no such pattern"),
        ("1;wiki;wrong_slap.kind=tickle", "wrong_slap.kind = 'tickle': it can be 'burn'"),
        ("1;wiki;turn_ms.fast=1", "turn_ms.fast: there is no such choice"),
        ("1;wiki;turn_ms=off", "turn_ms = 'off': it can be a whole number"),
        ("1;wiki;cheat=split", "cheat = 'split' needs collect = 'manual'"),
    ],
)
def test_a_text_that_is_no_house_is_rejected_with_a_reason(text: str, problem: str) -> None:
    assert [problem in found for found in problems(text)] == [True]


def test_every_problem_of_a_text_is_reported_at_once() -> None:
    assert len(problems("1;wiki;colour=red;turn_ms=soon;slaps.run.len=99")) == 3


def test_a_short_text_with_hundreds_of_problems_is_rejected_with_some_of_them() -> None:
    found = problems("1;wiki" + "".join(f";{number}=1" for number in range(300)))
    assert [found[0].split(":")[0], found[-1].split(":")[0]] == ["0", str(MAX_PROBLEMS - 1)]


PARTS = st.sampled_from(
    ["slaps", "run", "len", "wrong_slap", "kind", "off", "=", ".", ";", "+", "-", "1", "wiki", "chances", "JK", "burn"]
)


@trial(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=12).map("".join) | st.text(max_size=40))
@example("slaps=1")
@example("slaps=off")
@example("chances=off")
@example("chances=3")
@example("wrong_slap=off")
@example("wrong_slap.kind=off")
@example("slaps.run=3;slaps.run.len=4")
@example("slaps.run.len.x=4")
@example("turn_ms=" + "9" * 30)
@example("turn_ms=²")
def test_any_text_is_a_house_or_a_rules_error(text: str) -> None:
    try:
        rules = from_link(f"1;wiki;{text}")
    except RulesError:
        return
    assert from_link(to_link(rules)) == rules


# Files


def test_a_file_is_a_preset_and_what_differs() -> None:
    rules = house("wiki", turn_ms=5000, slaps={"double": False, "run": {"len": 4}})
    toml = 'preset = "wiki"\nturn_ms = 5000\n[slaps]\ndouble = false\nrun = { len = 4 }\n'
    json = '{"preset": "wiki", "turn_ms": 5000, "slaps": {"double": false, "run": {"len": 4}}}'
    assert from_file(toml, "my.toml") == from_file(json, "my.json") == rules


def test_a_file_without_a_preset_is_laid_over_classic() -> None:
    assert from_file("", "my.toml") == from_file("{}", "my.json") == house()


@trial(max_examples=30, deadline=None)
@given(houses())
def test_every_house_is_read_back_from_its_json(rules: Rules) -> None:
    choices = msgspec.json.decode(to_json(rules))
    off = {name: False for name in house().slaps if name not in rules.slaps}
    none = dict.fromkeys(house().chances, 0)
    whole = {**choices, "slaps": {**off, **choices["slaps"]}, "chances": {**none, **choices["chances"]}}
    assert from_file(msgspec.json.encode(whole).decode(), "my.json") == rules


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("turn_ms = ", "my.toml", "my.toml: Invalid value (at end of document)"),
        ('{"turn_ms": }', "my.json", "my.json: Expecting value: line 1 column 13"),
        ("[1, 2]", "my.json", "my.json: a house is a table of options"),
        ('preset = "clasic"', "my.toml", "there is no preset 'clasic'"),
        ("preset = 5", "my.toml", "there is no preset 5"),
        ("turn_ms = 1\n", "my.toml", "turn_ms = 1: it can be"),
        ("birthday = 2020-01-01\n", "my.toml", "birthday: there is no such option"),
        pytest.param("a = " + "[" * 50_000, "my.toml", "my.toml: it is nested too deeply", id="a deep table"),
        pytest.param("[" * 50_000, "my.json", "my.json: it is nested too deeply", id="a deep list"),
    ],
)
def test_a_file_that_is_no_house_is_rejected_with_a_reason(text: str, name: str, problem: str) -> None:
    with pytest.raises(RulesError) as caught:
        from_file(text, name)
    assert [found.startswith(problem) for found in caught.value.problems] == [True]


@trial(max_examples=100, deadline=None)
@given(st.text(max_size=30))
@example('preset = ["wiki"]')
@example("slaps = 3")
@example("[slaps]\n[chances]")
def test_any_file_is_a_house_or_a_rules_error(text: str) -> None:
    for name in ("my.toml", "my.json"):
        with suppress(RulesError):
            rules = from_file(text, name)
            assert from_link(to_link(rules)) == rules


def test_equal_rules_are_one_object_as_long_as_they_are_in_use() -> None:
    text = "1;classic;turn_ms=4321"
    rules = from_link(text)
    assert from_link(text) is rules
    assert shared(house(turn_ms=4321)) is rules
    assert shared(house(turn_ms=1234)) is not rules
    key = to_json(rules)
    assert key in _SHARED
    del rules
    assert key not in _SHARED
