"""A house can be described in every language: nothing lacks words, nothing is repeated, numbers are right."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter

import pytest

import ratscrew
from ratscrew.errors import RulesError
from ratscrew.rules.check import parse_rules
from ratscrew.rules.describe import described
from ratscrew.rules.german import TONGUE as GERMAN
from ratscrew.rules.languages import ENGLISH, LANGUAGES
from ratscrew.rules.pattern import PATTERNS, slap
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.rule_sheet import Line, Sheet, differences, sheet
from ratscrew.rules.words import Words, say, spoken

OTHERS = [code for code in LANGUAGES if code != "en"]
DE = LANGUAGES["de"]

ALIKE = {"preset.chaos", "preset.sprint", "slaps.sandwich"}
"""Names that German has taken over."""


def spots(words: Mapping[str, Words]) -> Iterator[tuple[str, str]]:
    """Every text of a catalogue with the place where it stands."""
    for name, (title, hint, values, _) in words.items():
        yield f"{name}: title", title
        yield f"{name}: hint", hint
        yield from ((f"{name} = {value}", says) for value, says in values.items())


def flat(told: Sheet) -> list[Line]:
    """Every line of a sheet."""
    return [line for section in told.sections for line in section.lines]


def places(text: str) -> set[str]:
    """The names of what is put into a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def patterns() -> set[str]:
    """The pattern of every sentence that is made anywhere in the package; what has no words needs none."""
    found = set()
    for path in Path(ratscrew.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
                assert isinstance(node.args[0], ast.Constant), f"{path}: a pattern is written where it is said"
                found.add(str(node.args[0].value))
    return found


# Nothing is without words


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_there_and_no_other(code: str) -> None:
    ours, theirs = dict(spots(ENGLISH.words)), dict(spots(LANGUAGES[code].words))
    assert {"missing": ours.keys() - theirs.keys(), "too many": theirs.keys() - ours.keys()} == {
        "missing": set(),
        "too many": set(),
    }
    assert len(ours) > 350


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_has_the_same_places_and_goes_without_saying_where_the_english_one_does(code: str) -> None:
    ours, theirs = dict(spots(ENGLISH.words)), dict(spots(LANGUAGES[code].words))
    assert [name for name in ours if places(ours[name]) != places(theirs[name])] == []
    assert [name for name in ours if ours[name].startswith("(") != theirs[name].startswith("(")] == []
    assert [name for name in ours if bool(ours[name]) != bool(theirs[name])] == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_about_a_house_that_cannot_be_is_there_and_no_other(code: str) -> None:
    sentences = LANGUAGES[code].sentences
    assert sentences.keys() == patterns()
    assert [one for one in sentences if places(one) != places(sentences[one])] == []


def test_german_is_german() -> None:
    ours, theirs = dict(spots(ENGLISH.words)), dict(spots(DE.words))
    same = {name.partition(": ")[0] for name in ours if ours[name] == theirs[name] and ours[name].strip("{}")}
    assert same == ALIKE


def test_german_is_set_as_german_is() -> None:
    texts = [text for _, text in spots(DE.words)] + [*DE.sentences.values()]
    assert [text for text in texts if {'"', "'", "”"} & {*text}] == []
    assert [text for text in texts if "  " in text or " - " in text or text != text.strip()] == []
    assert [text for text in texts if text.count("„") != text.count("“")] == []


# Descriptions


@pytest.mark.parametrize(
    ("value", "german"),
    [
        (["JKR", "T", "QS"], "roter Joker, Zehn oder Pik-Dame"),
        (["A"], "Ass"),
        ({"Q": 2, "J": 1, "JKB": 13}, "Bube (1 Versuch), Dame (2 Versuche) und schwarzer Joker (13 Versuche)"),
    ],
)
def test_cards_are_said_in_german(value: object, german: str) -> None:
    assert spoken(value, GERMAN) == german


@pytest.mark.parametrize(
    ("ms", "german"),
    [
        (1, "1 Millisekunde"),
        (30, "30 Millisekunden"),
        (150, "0,15 Sekunden"),
        (1000, "1 Sekunde"),
        (1500, "1,5 Sekunden"),
        (60_000, "60 Sekunden"),
    ],
)
def test_times_are_said_in_german(ms: int, german: str) -> None:
    assert GERMAN.lasting(ms) == german


def test_a_house_is_read_aloud_in_german() -> None:
    told = sheet(house(slaps={"run": {"len": 4}, "instant": ["JK", "QS"]}, turn_ms=2500), DE)
    said = {line.text for section in told.sections for line in section.lines}
    assert told.title == "Wie „Klassisch“, mit Änderungen"
    assert [section.title for section in told.sections] == [
        *("Karten", "Herausforderungen", "Klatschen", "Falsch geklatscht"),
        *("Keine Karten mehr", "Tischsitten", "Tempo"),
    ]
    assert said >= {
        "Wir spielen mit einem Kartenspiel.",
        "Bis zu 8 können mitspielen.",
        "Doppel: Zwei gleiche Karten hintereinander.",
        "Straße: Karten, die der Reihe nach aufwärts oder abwärts gehen; 4 Karten, ohne Lücke, "
        "das Ass steht unter der Zwei oder über dem König.",
        "Falsch geklatscht: Du verbrennst deine obersten Karten; eine Karte, unter den Stapel.",
        "Du hast 2,5 Sekunden Zeit, eine Karte aufzudecken; danach wird sie für dich aufgedeckt.",
    }


def test_the_changes_of_a_house_are_described_in_german() -> None:
    ours = house(slaps={"sandwich": False, "suit_run": 3}, decks=2)
    assert differences(ours, house(), DE) == (
        "Wir spielen mit 2 zusammengemischten Kartenspielen.",
        "Flush: Karten einer Farbe (Kreuz, Karo, Herz oder Pik) hintereinander; 3 Karten.",
        "Sandwich: gilt nicht.",
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_sheet_has_the_same_rules_in_every_language(preset: str) -> None:
    ours = sheet(house(preset))
    for code in OTHERS:
        theirs = sheet(house(preset), LANGUAGES[code])
        assert [len(one.lines) for one in theirs.sections] == [len(one.lines) for one in ours.sections]
        lines = [*zip(flat(ours), flat(theirs), strict=True)]
        assert all((a.slap, a.cards) == (b.slap, b.cards) and a.text != b.text for a, b in lines)
        assert all(b.text[0].isupper() and b.text.endswith(".") and not {*"{}"} & {*b.text} for _, b in lines)


def test_what_can_be_chosen_is_the_same_in_every_language() -> None:
    ours, theirs = described(), described(DE)
    assert [group.title for group in theirs.groups][:2] == ["Karten", "Herausforderungen"]
    assert [[one.path for one in group.options] for group in ours.groups] == [
        [one.path for one in group.options] for group in theirs.groups
    ]
    assert {preset.name: preset.title for preset in theirs.presets}["beggar"] == "Bettelmann"
    assert {cost.kind: cost.text for cost in theirs.no_cards}["ignore"] == "Es zählt einfach nicht."


# What is wrong


@pytest.mark.parametrize(
    ("choices", "german"),
    [
        ({"max_players": 1}, "max_players = 1: erlaubt ist 0 (beliebig viele) oder 2 und mehr"),
        ({"cheat": "split"}, "cheat = 'split' braucht collect = 'manual'"),
        ({"tie_window_ms": 30}, "tie_window_ms braucht tie = 'contact', 'void' oder 'judge'"),
        ({"decks": 9}, "decks = 9: erlaubt ist eine ganze Zahl von 1 bis 8 oder 'auto'"),
        ({"no_cards": {"kind": "ignore", "limit": 3}}, "no_cards.limit: Das gibt es bei ignore nicht; es gibt nichts"),
    ],
)
def test_the_problems_of_a_house_are_described_in_german(choices: dict[str, object], german: str) -> None:
    with pytest.raises(RulesError) as raised:
        parse_rules(choices)
    assert [DE.says(problem) for problem in raised.value.problems] == [german]


def test_a_sentence_without_a_german_one_stays_as_it_is() -> None:
    assert DE.says("of another kind") == "of another kind"
    assert DE.says(say("{what} is new", what=1)) == "1 is new"


def test_a_custom_pattern_is_described_in_its_own_words_in_every_language() -> None:
    """A pattern that is declared outside of the package is in no catalogue."""

    @slap(yes=["9H 3D"], no=["8H 3D"])
    def thrice(top: int, under: int) -> bool:
        """A card on one of three times its rank."""
        return under == 3 * top

    try:
        own = house(slaps={"thrice": {}})
        for language in LANGUAGES.values():
            lines = [line.text.lower() for section in sheet(own, language).sections for line in section.lines]
            assert any(line.startswith("thrice: a card on one of three times its rank") for line in lines), lines
    finally:
        del PATTERNS["thrice"]
