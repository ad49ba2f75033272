"""A house is the same in every notation: TOML, JSON, the text of a link, a sweep, a worked example, a request."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as trial
from hypothesis import strategies as st

from ratscrew.errors import RulesError
from ratscrew.game import referee
from ratscrew.lab.grid import parse_grid
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_file, from_link
from ratscrew.rules.presets import PRESETS, house
from ratscrew.testing.house_strategies import choices, houses
from ratscrew.web.rendering import rendering

Choices: TypeAlias = Mapping[str, Any]


def toml(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {toml(inner)}" for name, inner in value.items()) + "}"
    return json.dumps(value)


def leaves(given: Choices, before: str = "") -> Iterator[tuple[str, str]]:
    """Each choice by its path, as the text of a link has it."""
    for name, value in given.items():
        path = f"{before}{name}"
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{path}.")
        elif isinstance(value, list):
            yield path, "+".join(value) or "-"
        elif value == {}:
            yield path, "true" if before else "off"
        else:
            yield path, value if isinstance(value, str) else json.dumps(value)


def by_toml(preset: str, given: Choices) -> Rules:
    lines = [f"preset = {toml(preset)}", *(f"{name} = {toml(value)}" for name, value in given.items())]
    return from_file("\n".join(lines), "my.toml")


def by_dotted_toml(preset: str, given: Choices) -> Rules:
    return from_file(
        "\n".join([f"preset = {toml(preset)}", *(f"{path} = {toml(value)}" for path, value in dotted(given))]),
        "my.toml",
    )


def dotted(given: Choices, before: str = "") -> Iterator[tuple[str, Any]]:
    """Each choice by its path."""
    for name, value in given.items():
        if isinstance(value, dict) and value:
            yield from dotted(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def by_json(preset: str, given: Choices) -> Rules:
    return from_file(json.dumps({"preset": preset, **given}), "my.json")


def by_link(preset: str, given: Choices) -> Rules:
    return from_link(";".join(["1", preset, *(f"{path}={value}" for path, value in leaves(given))]))


def by_link_backwards(preset: str, given: Choices) -> Rules:
    return from_link(";".join(["1", preset, *(f"{path}={value}" for path, value in reversed([*leaves(given)]))]))


def by_sweep(preset: str, given: Choices) -> Rules:
    axes = [f"{name} = [{toml(value)}]" for name, value in given.items()]
    text = "\n".join([f"preset = {toml(preset)}", "games = 2", "players = 2", "[grid]", "seed = [1]", *axes])
    return parse_grid(text, house)[0].experiment.rules


def by_example(preset: str, given: Choices) -> Rules:
    """The rules that the referee plays an example with."""
    example = {"kind": "pattern", "preset": preset, "options": given, "pile": "9S", "expect": {}}
    read = referee.read(json.loads(json.dumps(example)))
    return house(read.preset, **read.options)


def by_request(preset: str, given: Choices) -> Rules:
    body = json.dumps({"preset": preset, "choices": given}).encode()
    answer = rendering.house_of_choices(body, "en")
    told = json.loads(gzip.decompress(answer.packed))
    if answer.status != 200:
        raise RulesError(told["problems"])
    return from_link(told["link"])


NOTATIONS: tuple[Callable[[str, Choices], Rules], ...] = (
    by_toml,
    by_dotted_toml,
    by_json,
    by_link,
    by_link_backwards,
    by_sweep,
    by_example,
    by_request,
)


def whole(rules: Rules, preset: str) -> dict[str, Any]:
    """Every choice of a house; what only the preset has is off."""
    ours, theirs = msgspec.to_builtins(rules), house(preset)
    return {
        **ours,
        "slaps": {**dict.fromkeys(theirs.slaps, "off"), **ours["slaps"]},
        "chances": {**dict.fromkeys(theirs.chances, 0), **ours["chances"]},
    }


@pytest.mark.parametrize("read", NOTATIONS)
@trial(max_examples=30, deadline=None)
@given(houses(), st.sampled_from([*PRESETS]))
def test_any_house_is_read_back_from_every_notation_over_any_preset(
    read: Callable[[str, Choices], Rules], rules: Rules, preset: str
) -> None:
    assert read(preset, whole(rules, preset)) == rules


def result(read: Callable[[str, Choices], Rules], preset: str, given: Choices) -> Rules | tuple[str, ...]:
    """The house, or what is wrong with it."""
    try:
        return read(preset, given)
    except RulesError as error:
        return tuple(sorted(error.problems))


@trial(max_examples=60, deadline=None)
@given(choices(), st.sampled_from([*PRESETS]))
def test_the_same_choices_are_the_same_house_in_every_notation(given: dict[str, Any], preset: str) -> None:
    expected = result(by_json, preset, given)
    for read in (by_toml, by_dotted_toml, by_link, by_link_backwards, by_example):
        assert result(read, preset, given) == expected, read


# Worked examples. The first is the joker that leaves five tries in the French article on Bataille corse.

CLASSIC = {"J": 1, "Q": 2, "K": 3, "A": 4}
BLOG_TENS = {"addends": "many", "faces": "skip", "ace": 1, "total": 10}
BLOG_RUN = {"len": 4, "step": "monotone", "ace": "either"}
BURN_TWO = {"kind": "burn", "count": 2, "place": "bottom", "escalate": False}


@pytest.mark.parametrize("read", NOTATIONS)
@pytest.mark.parametrize(
    ("preset", "given", "path", "value"),
    [
        ("classic", {"chances": {"JK": 5}}, "chances", {**CLASSIC, "JK": 5}),
        ("classic", {"chances": {"K": 0}}, "chances", {"J": 1, "Q": 2, "A": 4}),
        ("classic", {"chances": {"K": "off", "A": False}}, "chances", {"J": 1, "Q": 2}),
        ("classic", {"chances": {"10": 1}}, "chances", {**CLASSIC, "T": 1}),
        ("classic", {"chances": {}}, "chances", {}),
        ("classic", {"chances": "off"}, "chances", {}),
        ("classic", {"slaps": {}}, "slaps", {}),
        ("classic", {"slaps": {"double": 0, "sandwich": "off"}}, "slaps", {"instant": ["JK"]}),
        ("classic", {"slaps": {"instant": ["10", "QS"]}}, "slaps.instant", ["T", "QS"]),
        ("classic", {"slaps": {"instant": {"cards": ["10S"]}}}, "slaps.instant", ["TS"]),
        ("classic", {"stoppers": ["10"]}, "stoppers", ["T"]),
        ("classic", {"slaps": {"top_bottom": {}}}, "slaps.top_bottom.match", "rank"),
        ("blog", {"slaps": {"run": {"len": 3}}}, "slaps.run", {**BLOG_RUN, "len": 3}),
        ("blog", {"slaps": {"run": {"step": "off"}}}, "slaps.run", {**BLOG_RUN, "step": "consecutive"}),
        ("blog", {"slaps": {"tens": {"total": 11}}}, "slaps.tens", {**BLOG_TENS, "total": 11}),
        ("blog", {"slaps": {"tens": True}}, "slaps.tens", BLOG_TENS),
        ("blog", {"wrong_slap": {"count": 3}}, "wrong_slap", {**BURN_TWO, "count": 3}),
        ("blog", {"wrong_slap": {"kind": "burn", "count": 3}}, "wrong_slap", {**BURN_TWO, "count": 3}),
        ("blog", {"wrong_slap": {"place": "top"}}, "wrong_slap", {**BURN_TWO, "place": "top"}),
        ("blog", {"wrong_slap": {"count": 3, "kind": "none"}}, "wrong_slap.kind", None),
        ("blog", {"wrong_slap": {"until": 3, "kind": "lockout"}}, "wrong_slap", {"kind": "lockout", "until": 3}),
        ("oxymoron", {"wrong_slap": {"kind": "burn"}}, "wrong_slap", {**BURN_TWO, "count": 1}),
        ("chaos", {"hover": "off"}, "hover", "off"),
    ],
    ids=str,
)
def test_a_given_key_changes_that_key(
    read: Callable[[str, Choices], Rules], preset: str, given: dict[str, Any], path: str, value: Any
) -> None:
    if value is None:
        with pytest.raises(RulesError, match=r"wrong_slap\.count: none has no such parameter"):
            read(preset, given)
        return
    found = msgspec.to_builtins(read(preset, given))
    for step in path.split("."):
        found = found[step]
    assert found == value
