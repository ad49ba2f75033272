"""No two sentences of a rule sheet exclude each other, in any house and in either language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import RulesError
from ratscrew.lab.random_houses import random_house
from ratscrew.lab.random_stream import RandomStream
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules
from ratscrew.rules.languages import LANGUAGES
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.rule_sheet import sheet

Pair = tuple[str, str]

PAIRS: Mapping[str, Sequence[Pair]] = {
    "en": (
        ("There is no slapping", r"(?i)\bslap(?!ping\.$)"),
        ("No card is a challenge", r"(?i)\bchallenge|\btries\b"),
        ("you can't slap it any more", r"once it's been won|even a pile that a challenge"),
        ("You can't slap the pile during a challenge", r"at any time|A wrong slap on the last card"),
        ("Without cards, you can't slap", r"back in|^Wrong slap without cards(?!.*LATE)"),
        ("on your honour", r"^Wrong slap|hands come down together|Hands within|slap wrongly|first hand on the pile"),
        ("you pick it up yourself", r"A won pile stays there"),
        ("A wrong slap on the last card", r"even a pile that a challenge"),
    ),
    "de": (
        ("Es wird nicht geklatscht", r"(?i)klatsch(?!t\.$)"),
        ("Keine Karte ist eine Herausforderung", r"(?i)herausforder|Versuch"),
        ("darfst du nicht mehr darauf klatschen", r"wenn er schon gewonnen ist"),
        ("Ohne Karten kannst du nicht klatschen", r"wieder reinklatschen|^Ohne Karten falsch geklatscht(?!.*LATE)"),
        ("ist Ehrensache", r"^Falsch geklatscht|^Ohne Karten falsch|^Sind Hände gleichzeitig"),
        ("nimmst du ihn dir selbst", r"Ein gewonnener Stapel bleibt"),
    ),
}
"""Sentences that exclude each other: what one says, and what no other may say then. Whoever joins late may slap
without cards, so the lines about that are marked (`LATE`) where somebody can."""


def lines_of(rules: Rules, language: str) -> list[str]:
    late = {"en": "Late players join", "de": "Wer später kommt, klatscht"}[language]
    said = [line.text for section in sheet(rules, LANGUAGES[language]).sections for line in section.lines]
    mark = " LATE" if any(late in line for line in said) else ""
    return [line + mark if "without cards:" in line or "falsch geklatscht:" in line else line for line in said]


def contradictions(lines: Sequence[str], language: str) -> list[Pair]:
    return [
        (line, other)
        for one, excluded in PAIRS[language]
        for line in lines
        if re.search(one, line)
        for other in lines
        if other is not line and re.search(excluded, other)
    ]


@pytest.mark.parametrize("language", PAIRS)
@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_contradicts_itself(preset: str, language: str) -> None:
    assert contradictions(lines_of(house(preset), language), language) == []


@pytest.mark.parametrize("language", PAIRS)
@given(seed=st.integers(0, 2**63), slaps=st.booleans(), honour=st.booleans())
def test_no_house_contradicts_itself(language: str, seed: int, slaps: bool, honour: bool) -> None:
    rules = random_house(RandomStream(seed))
    given_too = ({} if slaps else {"slaps": "off"}) | ({"judge": "honour"} if honour else {})
    rules = house_over(rules, given_too)
    assert contradictions(lines_of(rules, language), language) == []


def house_over(rules: Rules, choices: Mapping[str, object]) -> Rules:
    """A house with more choices, or as it was if it does not allow them."""
    try:
        return parse_rules(choices, over=rules)
    except RulesError:  # the choices need others
        return rules


@pytest.mark.parametrize("language", PAIRS)
def test_each_pair_is_found_where_it_stands(language: str) -> None:
    """The sentences of the pairs are those that sheets have: none is outdated."""
    stream = RandomStream(1)
    houses = [random_house(stream) for _ in range(400)]
    more = [house_over(rules, {"slaps": "off"}) for rules in houses[:20]]
    more += [house_over(rules, {"judge": "honour"}) for rules in houses[:20]]
    more += [house("classic", chances={}), house("classic", slap_in="no", late_join="no")]
    said = [line for rules in (*houses, *more) for line in lines_of(rules, language)]
    for one, _ in PAIRS[language]:
        assert any(re.search(one, line) for line in said), one
