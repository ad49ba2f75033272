"""A game written down wrongly: the error has its line and what would be right, and no text raises anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.errors import NotationError
from ratscrew.game.engine import replay
from ratscrew.game.events import Event
from ratscrew.game.notation import read_game, write_game
from ratscrew.testing.strategies import histories

HANDS = "ratscrew 1\nhand 1 9S 2C 4H\nhand 2 9H KC 3D\nlead 1\n"
SHUFFLED = HANDS.replace("hand 1", "house 1;classic;pickup=shuffle\nhand 1") + "1: 2: "


def wrong(written: str) -> str:
    """What is wrong with a text."""
    with pytest.raises(NotationError) as caught:
        read_game(written)
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("", "line 1: a game begins with the line 'ratscrew 1'"),
        ("ratscrew 2\n", "line 1: a game begins with the line 'ratscrew 1'"),
        ("ratscrew 1\n", "line 1: before the moves come the hands and a line such as 'lead 1'"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\n1:9S", "line 3: before the moves come the hands"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\nlead 3", "line 4: '3' is no seat; there are seats 1 to 2"),
        ("ratscrew 1\nhand 1 9S\nhand 2 2C\nlead 0", "line 4: '0' is no seat; there are seats 1 to 2"),
        ('ratscrew 1\nname 1 "\\ud800"\n', "line 2: '\\ud800' is no name: there is half a character in it"),
        (
            "ratscrew 1\nhand 1 9S\nhand 3 2C\nlead 1",
            "line 3: these lines come in order, and here 'hand 2' is expected",
        ),
        ("ratscrew 1\nname 2 Ana\n", "line 2: these lines come in order, and here 'name 1' is expected"),
        ("ratscrew 1\n\n\nhand 1 9S 1H", "line 4: '1H' is not a card: write a rank"),
        ("ratscrew 1\nname 1 Ana\nhand 1 9S\nhand 2 2C\nlead 1", "line 5: there are 1 names for 2 hands"),
        ("ratscrew 1\nhouse clasic\n", "line 2: there is no preset 'clasic'; there are classic"),
        ("ratscrew 1\nhouse 1;clasic\n", "line 2: there is no preset 'clasic'; there are classic"),
        ("ratscrew 1\nhouse 1;classic;turn\n", "line 2: 'turn': a choice is written option=value"),
        ("ratscrew 1\nhouse 1;classic;colour=1\n", "line 2: colour: there is no such option"),
        (HANDS + "1:9S 2:9H\n1!sandwich", "line 6, move '1!sandwich': here it is 1!double"),
        (HANDS + "1:2C", "line 5, move '1:2C': here it is 1:9S"),
        (HANDS + "2:9H", "line 5, move '2:9H': this cannot be done here (not_your_turn)"),
        (HANDS + "1!", "line 5, move '1!': this cannot be done here (empty_pile)"),
        (HANDS + "1+", "line 5, move '1+': this cannot be done here (nothing_to_take)"),
        (HANDS + "1:9S 2!", "line 5, move '2!': here it is 2?9H"),
        (HANDS + "1:9S 2~", "line 5, move '2~': here it is 2?9H"),
        (HANDS + "1:9S 2:9H 1!double=9H,9S", "line 5, move '1!double=9H,9S': here it is 1!double"),
        (HANDS + "1@soon:9S", "line 5, move '1@soon:9S': a move is such as"),
        (HANDS + "1@:9S", "line 5, move '1@:9S': '' is no time in milliseconds"),
        (HANDS + "1:9S 2''!", "line 5, move \"2''!\": \"2''\" is no seat"),
        (HANDS + "$", "line 5, move '$': a move is such as"),
        (HANDS + "#", "line 5, move '#': a move is such as"),
        (SHUFFLED + "1!", "line 6, move '1!': the cards were shuffled here, and their new order is missing"),
        (SHUFFLED + "1!=9H,9D", "line 6, move '1!=9H,9D': these are not the cards that were shuffled"),
        (HANDS + "1:9S 2?KC", "line 5, move '2?KC': here it is 2?9H"),
        (HANDS + "1:9S 2:9H 2?", "line 5, move '2?': here it is 2!double"),
        (HANDS + "3:9S", "line 5, move '3:9S': '3' is no seat; there are seats 1 to 2"),
        (HANDS + ":9S", "line 5, move ':9S': '' is no seat; there are seats 1 to 2"),
        (HANDS + "9S", "line 5, move '9S': a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#"),
        (HANDS + "1#", "line 5, move '1#': a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#"),
        (
            "ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 2+",
            "line 5, move '2+': this cannot be done here (not_yours)",
        ),
        ("ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 1+ 2#", "line 5, move '2#': "),
        ("ratscrew 1\nhand 1 JS\nhand 2 9H\nlead 1\n1: 2: 1+ 1:JS", "line 5, move '1:JS': this cannot be done here"),
    ],
)
def test_what_is_wrong_is_reported_with_its_line_and_what_would_be_right(written: str, says: str) -> None:
    assert wrong(written).startswith(says)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("ratscrew 1\nhouse 1;classic;slaps=5\n", id="slaps that are no switches"),
        pytest.param("ratscrew 1\nhouse 1;classic;preset=classic\n", id="a preset among the options"),
        pytest.param(f"ratscrew 1\nhouse 1;classic;turn_ms={'9' * 1900}\n", id="an option of 1900 digits"),
        pytest.param(f"ratscrew 1\nhouse 1;{';' * 100_000}\n", id="a house without end"),
        pytest.param(f"ratscrew 1\nhand 1 9S\nhand 2 9H\nlead 1\n1@{'1' * 5000}:\n", id="a time of 5000 digits"),
        pytest.param("ratscrew 1\nhand 1\nhand 2 9S\nlead 1\n1:\n", id="who leads has no cards"),
        pytest.param(f"ratscrew 1\nhand 1 9S\nhand 2 9H\nlead {'1' * 5000}\n", id="a seat of 5000 digits"),
    ],
)
def test_no_text_is_more_than_wrong(written: str) -> None:
    assert wrong(written).startswith("line ")


@given(histories(max_moves=8), st.data())
def test_a_spoiled_text_is_read_or_rejected(log: tuple[Event, ...], data: st.DataObject) -> None:
    written = write_game(log, [f"name {seat}" for seat in range(len(replay(log).hands))])
    start = data.draw(st.integers(0, len(written)))
    end = data.draw(st.integers(start, min(len(written), start + 20)))
    spoil = data.draw(st.text("12:!?+#,9SKC \nhandlead\x00\u2028=/|&'@*$\\;<>.-^", max_size=8))
    try:
        read_game(written[:start] + spoil + written[end:])
    except NotationError as error:
        assert str(error).startswith("line ")  # noqa: PT017
