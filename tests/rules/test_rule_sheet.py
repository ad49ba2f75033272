"""A house in plain words: only what is on, each slap with an example that can be slapped, and nothing without words."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as trial

from ratscrew.cards import cards, pile
from ratscrew.rules.house import Rules
from ratscrew.rules.options import GROUPS
from ratscrew.rules.presets import PRESETS, TITLES, house
from ratscrew.rules.rule_sheet import Line, differences, nearest, sheet
from ratscrew.testing.house_strategies import houses

few = trial(max_examples=40, deadline=None)


def lines(rules: Rules) -> list[Line]:
    """Every line of the sheet of a house."""
    return [line for section in sheet(rules).sections for line in section.lines]


def says(rules: Rules) -> str:
    """The whole sheet of a house."""
    return "\n".join(line.text for line in lines(rules))


def shown(**slaps: Any) -> dict[str, str]:
    """The examples of a house with these slaps besides those of classic."""
    return {line.slap: line.cards for line in lines(house(slaps=slaps)) if line.slap}


# The sheet


def test_classic_is_read_aloud() -> None:
    words = sheet(house())
    assert words.title == "Classic rules"
    assert [section.title for section in words.sections] == [group.capitalize() for group in GROUPS]
    assert [(line.slap, line.cards) for line in words.sections[2].lines] == [
        ("double", "9S 9H"),
        ("sandwich", "5S 7D 5H"),
        ("", ""),
    ]
    assert words.sections[3].lines == (
        Line("Wrong slap: you burn cards from the top of your hand; one card, under the pile."),
        Line(
            "Wrong slap without cards: you get a strike; after your last one, you can't slap again in this game; "
            "you get 3 of them."
        ),
    )


@pytest.mark.parametrize("word", ["jokers", "dead", "hover", "forehead", "stolen", "wild", "ten"])
def test_what_is_off_is_not_spoken_of(word: str) -> None:
    assert word not in says(house()).replace("often", "").replace("written", "").split()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"jokers": 2}, "2 jokers go into each pack."),
        ({"stoppers": ["T"]}, "Answering with a ten ends a challenge."),
        ({"slaps": {"wild": ["2"]}}, "Wild cards: a two can stand in for any other card in a slap."),
        ({"tie": "void", "tie_window_ms": 30}, "Hands within 30 milliseconds of each other count as together."),
        ({"max_streak": 5}, "If you slap wrongly on more than 5 cards in a row, you're out of the game."),
        (
            {"wrong_slap": {"kind": "lockout", "until": 1}},
            "you can't slap for a while; until one more card is flipped.",
        ),
        ({"slaps": {"run": {"len": 5}}}, "Run: cards whose ranks go steadily up or down; 5 cards, one rank at a time"),
        ({"turn_ms": 1000}, "You have 1 second to flip a card"),
        ({"chances": {}}, "No card is a challenge."),
    ],
)
def test_what_is_on_is_said(options: dict[str, Any], sentence: str) -> None:
    assert sentence in says(house(**options))
    assert sentence not in says(house())


def test_a_choice_that_means_nothing_here_is_not_spoken_of() -> None:
    anyone = "Everyone can slap then."
    assert anyone not in says(house(last_chance_who="anyone"))
    assert anyone in says(house(last_chance_who="anyone", last_chance=3))


@pytest.mark.parametrize(
    ("options", "waits"),
    [
        ({}, False),
        ({"judge": "honour"}, True),
        ({"tie": "judge"}, True),
        ({"collect": "manual", "cheat": "split"}, True),
        ({"collect": "manual"}, False),
    ],
)
def test_how_long_one_can_speak_against_something_is_said_where_there_is_something(
    options: dict[str, Any], waits: bool
) -> None:
    lines = [line.text for section in sheet(house(**options)).sections for line in section.lines]
    assert any("You have 3 seconds to object" in line for line in lines) is waits


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "beggar"])
def test_every_table_is_reminded_of_rings_and_of_what_a_slap_is(preset: str) -> None:
    (manners,) = [section.lines for section in sheet(house(preset)).sections if section.title == "Table manners"]
    assert [line.text.split(";")[0] for line in manners[-2:]] == [
        "Take rings and bracelets off your slapping hand.",
        "A tap is a slap",
    ]


def test_in_beggar_my_neighbour_the_pile_is_never_slapped() -> None:
    assert [line.text for line in lines(house("beggar")) if "slap" in line.text.lower()] == ["There is no slapping."]
    assert "There is no slapping." not in says(house())


def test_a_pattern_that_the_cards_of_the_house_cannot_make_is_left_out() -> None:
    assert "instant" not in shown()
    assert [line.cards for line in lines(house(jokers=1)) if line.slap == "instant"] == ["JKR"]
    small = house(pack="pinochle", slaps={"triple_six": True, "hoagie": True})
    assert {line.slap for line in lines(small)} - {""} == {"double", "sandwich", "hoagie"}


@pytest.mark.parametrize(
    ("slaps", "name", "example"),
    [
        ({"run": {"len": 4, "ace": "wrap"}}, "run", "QS KD AH 2C"),
        ({"run": {"len": 4, "step": "monotone"}}, "run", "7S 8D 9H JC"),
        ({"instant": ["QS"]}, "instant", "5S QS"),
        ({"tens": {"addends": "two", "faces": "skip_one"}}, "tens", "3S 7D"),
    ],
)
def test_an_example_shows_what_is_special_in_the_house(slaps: dict[str, Any], name: str, example: str) -> None:
    assert shown(**slaps)[name] == example


@pytest.mark.parametrize(
    ("chances", "example"), [({"A": 4}, "AS 7H 9D 6C 4S"), ({"Q": 3}, "Q"), ({"K": 1}, ""), ({}, "")]
)
def test_an_example_of_an_answer_answers_a_challenge_of_the_house(chances: dict[str, int], example: str) -> None:
    rules = house(chances={**dict.fromkeys("JQKA", "off"), **chances}, slaps={"count_match": True})
    found = [line.cards for line in lines(rules) if line.slap == "count_match"]
    assert (found or [""])[0].startswith(example)
    assert bool(found) == bool(example)


@pytest.mark.parametrize("length", [2, 3, 7, 13])
def test_an_example_has_as_many_cards_as_the_house_says(length: int) -> None:
    examples = shown(run={"len": length}, suit_run=length, colour_run=length)
    assert {len(examples[name].split()) for name in ("run", "suit_run", "colour_run")} == {length}
    assert len({card[1] for card in examples["suit_run"].split()}) == 1


@few
@given(houses())
def test_every_example_can_be_slapped_in_its_house_as_what_it_shows(rules: Rules) -> None:
    words = sheet(rules)
    assert words.sections
    chances = rules.chances_by_card
    for line in (line for section in words.sections for line in section.lines if line.slap):
        shown_, below = pile(line.cards), cards(line.cards)[:-1]
        numbers = {len(below) - place for place, card in enumerate(below) if chances[card] >= len(below) - place}
        found = {
            bound.pattern.name
            for number in {0, *numbers}
            for bound in rules.all_matches(rules.sight_of(shown_, shown_[0].card, number))
        }
        assert line.slap in found
        once = [card for card in cards(line.cards) if rules.pack == "standard" and rules.decks in (1, "auto")]
        assert len({*once}) == len(once) or rules.jokers + (rules.remainder == "jokers") > 1


@few
@given(houses())
def test_every_line_of_a_sheet_is_a_sentence(rules: Rules) -> None:
    for line in lines(rules):
        assert line.text[0].isupper() or line.text[0].isdigit()
        assert line.text.endswith(".")
        assert not {"{", "}", "_", "(", ")"} & set(line.text)


@few
@given(houses())
def test_a_sheet_is_the_same_after_a_journey_as_json(rules: Rules) -> None:
    words = sheet(rules)
    assert msgspec.json.decode(msgspec.json.encode(words), type=type(words)) == words


# Against another house


@few
@given(houses())
def test_no_house_differs_from_itself(rules: Rules) -> None:
    assert differences(rules, rules) == ()


def test_a_house_is_described_by_its_differences() -> None:
    assert differences(house(turn_ms=5000, slaps={"hoagie": True, "sandwich": False}), house()) == (
        "Hoagie: two cards of the same rank with two cards of other ranks in between.",
        "Sandwich: doesn't count.",
        "You have 5 seconds to flip a card; then it's flipped for you.",
    )
    assert differences(house(), house(jokers=2, slaps={"instant": []})) == ("There are no jokers.",)


def test_another_penalty_or_parameter_is_a_difference() -> None:
    assert differences(house(wrong_slap={"kind": "burn", "escalate": True}), house()) == (
        "Wrong slap: you burn cards from the top of your hand; one card, under the pile, "
        "and one more each time until your next good slap.",
    )
    assert len(differences(house("wiki", slaps={"run": {"len": 4}}), house("wiki"))) == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_nearest_to_itself_and_so_is_one_like_it(preset: str) -> None:
    assert nearest(house(preset)) == nearest(house(preset, turn_ms=5000)) == preset
    assert sheet(house(preset)).title == f"{TITLES[preset]} rules"
    assert sheet(house(preset, turn_ms=5000)).title == f"Like {TITLES[preset]}, with changes"
