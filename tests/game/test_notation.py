"""A whole game as text: what is written reads back, and what is wrong is told with its line and what would be right."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.cards import PACK
from ratscrew.errors import NotationError
from ratscrew.game.engine import deal, replay
from ratscrew.game.events import Event
from ratscrew.game.notation import read, write
from ratscrew.rules.presets import house
from ratscrew.testing.strategies import histories
from tests.game.scene import SEATS, hands, say, where

NAMES = st.lists(st.one_of(st.text(max_size=8), st.sampled_from(["Ana", "1", "hand"])), min_size=8, max_size=8)

GAME = """\
ratscrew 1
house classic
name 1 Ana
name 2 Thoth
hand 1 9S 2C 4H
hand 2 9H KC 3D
lead 1
1:9S 2:9H 1!double
1:2C 2:KC 2?3D 1:4H
"""

HANDS = "ratscrew 1\nhand 1 9S 2C 4H\nhand 2 9H KC 3D\nlead 1\n"


def wrong(written: str) -> str:
    """What is wrong with a text."""
    with pytest.raises(NotationError) as caught:
        read(written)
    return str(caught.value)


def test_a_game_is_written_line_by_line_a_pile_a_line() -> None:
    assert write(read(GAME).events, ["Ana", "Thoth"]) == GAME


def test_a_game_that_is_read_can_be_played() -> None:
    names, events = read(GAME)
    game = replay(events)
    assert names == ("Ana", "Thoth")
    assert hands(game) == "A: 9S 9H | B:"
    assert where(game) == "A answers B, 2 left"
    assert [say(event) for event in events] == [
        "6 cards, A leads",
        "A turns 9S",
        "B turns 9H",
        "A takes 9S 9H: slap:double",
        "A turns 2C",
        "B turns KC",
        "B slaps wrong",
        "B burns 3D",
        "A turns 4H",
    ]


@pytest.mark.parametrize(
    "moves",
    [
        "1:JS 2:9H 1+\n1:2C",
        "1:JS 2:9H 1?2C 1+",
        "1:JS 3? 3? 3? 2:9H 1+",
    ],
)
def test_every_kind_of_move_reads_back(moves: str) -> None:
    written = f"ratscrew 1\nhouse classic\nhand 1 JS 2C 4H\nhand 2 9H KC 3D\nhand 3\nlead 1\n{moves}\n"
    assert write(read(written).events) == written


def test_a_game_that_is_over_says_who_has_every_card() -> None:
    written = "ratscrew 1\nhouse classic\nhand 1 JS\nhand 2 9H\nlead 1\n1:JS 2:9H 1+\n1#\n"
    assert write(read(written).events) == written
    assert replay(read(written).events).winner == 0
    assert read(written.replace("1#\n", "")) == read(written)


def test_two_burned_cards_are_written_together() -> None:
    house_line = 'house classic {"wrong_slap": {"kind": "burn", "count": 2}}'
    written = f"ratscrew 1\n{house_line}\nhand 1 JS 2C 4H\nhand 2 9H KC 3D\nlead 1\n1:JS 1?2C,4H 2:9H\n"
    assert write(read(written).events) == written


def test_a_move_may_leave_out_what_follows_from_the_cards() -> None:
    assert read(HANDS + "1: 2: 1! 1: 2: 2? 1:") == read(HANDS + "1:9S 2:9H 1!double 1:2C 2:KC 2?3D 1:4H")


def test_a_house_that_is_no_preset_is_written_with_its_options() -> None:
    written = write([deal(house(max_players=4, slaps={"double": False}), PACK, 2, 0)])
    options = '{"max_players": 4, "slaps": {"double": false, "sandwich": true}}'
    assert written.splitlines()[1] == f"house classic {options}"


def test_without_a_house_it_is_classic() -> None:
    assert read(HANDS).events[0] == read(HANDS.replace("hand 1", "house classic\nhand 1")).events[0]


@given(histories(), NAMES, st.booleans())
def test_every_game_reads_back_as_it_was_written(log: tuple[Event, ...], names: Sequence[str], named: bool) -> None:
    seats = len(replay(log).hands)
    given_names = tuple(names[:seats]) if named else ()
    assert read(write(log, given_names)) == (given_names, log)


@given(histories(max_moves=8), st.data())
def test_a_text_that_is_spoiled_reads_or_is_told_to_be_wrong(log: tuple[Event, ...], data: st.DataObject) -> None:
    written = write(log, SEATS[: len(replay(log).hands)])
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 20)))
    spoil = data.draw(st.text("12:!?+#,9SKC \nhandlead\x00\u2028", max_size=8))
    try:
        read(written[:start] + spoil + written[end:])
    except NotationError as error:
        assert str(error).startswith("line ")  # noqa: PT017


def test_a_game_that_does_not_begin_with_its_deal_is_not_written() -> None:
    with pytest.raises(ValueError, match="a game begins with Dealt"):
        write(read(GAME).events[1:])


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("", "line 1: a game begins with the line 'ratscrew 1'"),
        ("ratscrew 2\n", "line 1: a game begins with the line 'ratscrew 1'"),
        ("ratscrew 1\n", "line 1: before the moves come the hands and a line such as 'lead 1'"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\n1:9S", "line 3: before the moves come the hands"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\nlead 3", "line 4: '3' is no seat; there are seats 1 to 2"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\nlead 0", "line 4: '0' is no seat; there are seats 1 to 2"),
        (
            "ratscrew 1\nhand 1 9S\nhand 3 2C\nlead 1",
            "line 3: these lines come in order, and here 'hand 2' is expected",
        ),
        ("ratscrew 1\nname 2 Ana\n", "line 2: these lines come in order, and here 'name 1' is expected"),
        ("ratscrew 1\n\n\nhand 1 9S 1H", "line 4: '1H' is no card: write a rank"),
        ("ratscrew 1\nname 1 Ana\nhand 1 9S\nhand 2 2C\nlead 1", "line 5: there are 1 names for 2 hands"),
        ("ratscrew 1\nhouse clasic\n", "line 2: there is no preset 'clasic'; there are classic"),
        ("ratscrew 1\nhouse classic {turn\n", "line 2: "),
        ("ratscrew 1\nhouse classic [1]\n", "line 2: the options of a house are written {...}"),
        ('ratscrew 1\nhouse classic {"colour": 1}\n', "line 2: colour: there is no such option"),
        (HANDS + "1:9S 2:9H\n1!sandwich", "line 6, move '1!sandwich': here it is 1!double"),
        (HANDS + "1:2C", "line 5, move '1:2C': here it is 1:9S"),
        (HANDS + "2:9H", "line 5, move '2:9H': this cannot be done here (not_your_turn)"),
        (HANDS + "1!", "line 5, move '1!': this cannot be done here (empty_pile)"),
        (HANDS + "1+", "line 5, move '1+': this cannot be done here (nothing_to_take)"),
        (HANDS + "1:9S 2!", "line 5, move '2!': here it is 2?9H"),
        (HANDS + "1:9S 2?KC", "line 5, move '2?KC': here it is 2?9H"),
        (HANDS + "1:9S 2:9H 2?", "line 5, move '2?': here it is 2!double"),
        (HANDS + "3:9S", "line 5: '3' is no seat; there are seats 1 to 2"),
        (HANDS + ":9S", "line 5: '' is no seat; there are seats 1 to 2"),
        (HANDS + "9S", "line 5, move '9S': a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#"),
        (HANDS + "1#", "line 5, move '1#': a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#"),
        ("ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 2+", "line 5, move '2+': here it is 1+"),
        ("ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 1+ 2#", "line 5, move '2#': "),
        ("ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 1+ 1:JS", "line 5, move '1:JS': this cannot be done here"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_would_be_right(written: str, says: str) -> None:
    assert wrong(written).startswith(says)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param('ratscrew 1\nhouse classic {"slaps": 5}\n', id="slaps that are no switches"),
        pytest.param('ratscrew 1\nhouse classic {"preset": "classic"}\n', id="a preset among the options"),
        pytest.param(f'ratscrew 1\nhouse classic {{"turn_ms": {"9" * 5000}}}\n', id="an option of 5000 digits"),
        pytest.param(f"ratscrew 1\nhouse classic {'[' * 100_000}\n", id="brackets without end"),
        pytest.param("ratscrew 1\nhand 1\nhand 2 9S\nlead 1\n1:\n", id="who leads has no cards"),
        pytest.param(f"ratscrew 1\nhand 1 9S\nhand 2 9H\nlead {'1' * 5000}\n", id="a seat of 5000 digits"),
    ],
)
def test_no_text_is_more_than_wrong(written: str) -> None:
    assert wrong(written).startswith("line ")


@pytest.mark.parametrize("name", ["Ana\nlead 2", "Ana\u2028", " Ana "])
def test_any_name_reads_back(name: str) -> None:
    log = read(HANDS).events
    assert read(write(log, [name, "Bo"])) == ((name, "Bo"), log)
