"""Export and import: a game imported as text is exported as the same text, and can be read as any game."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ratscrew.cards import Card
from ratscrew.errors import NotationError, Refusal
from ratscrew.game import notation
from ratscrew.game.engine import decide
from ratscrew.game.events import Dealt, Event
from ratscrew.game.evolve import replay
from ratscrew.game.standing import Standing
from ratscrew.rules.presets import house
from ratscrew.table.history.history import history
from ratscrew.table.history.import_export import entries_of, name_of, text_of
from ratscrew.table.record.entries import Sat
from ratscrew.table.registry.codes import is_code
from ratscrew.testing.house_strategies import houses
from ratscrew.testing.strategies import deals, next_command, random_command

GAMES = json.loads((Path(__file__).resolve().parent.parent / "golden" / "playouts.json").read_text())["vectors"]
SHORT = """ratscrew 1
house 1;beggar
hand 1 KS
hand 2 2H 3H 4H
lead 1
1:KS 2:2H 2:3H 2:4H 1+ 1#
"""


def play_on(events: Sequence[Event], chance: Random, most: int, idle: bool = False) -> Sequence[Event]:
    """A game in which now and then (`idle`: never) a player does something, until it is over or has gone on long."""
    game, told = replay(events), list(events)
    while not game.over and len(told) < most:
        try:
            game, more = decide(
                game,
                random_command(game, chance) if chance.random() < 0.3 and not idle else next_command(game),
                chance.randrange,
            )
            told += more
        except Refusal:
            continue
    return told


def round_trip(text: str) -> str | None:
    """A text that has been imported into a log and exported again."""
    return text_of(entries_of(text))


@settings(max_examples=8, phases=[Phase.generate])
@given(deals(houses()), st.integers(0, 2**32))
def test_a_game_of_any_house_is_the_same_again(dealt: Event, seed: int) -> None:
    events = play_on([dealt], Random(seed), 150)
    game = replay(events)
    names = [f"Ωmega {number}" for number in range(len(game.hands))]
    text = notation.write_game(events, names)
    if game.over:
        assert notation.read_game(round_trip(text) or "") == (tuple(names), tuple(events))
        assert history(entries_of(text)).finished("X").seats == tuple(map(Sat, range(len(names)), names))
    else:
        with pytest.raises(NotationError, match="this game is not over"):
            entries_of(text)


def test_a_published_game_is_as_long_and_won_as_published_when_it_comes_out_again() -> None:
    published = min((game for game in GAMES if "winner" in game["expect"]), key=lambda game: game["expect"]["cards"])
    left, right = (tuple(map(Card.parse, player["deck"])) for player in published["players"])
    dealt = Dealt(house("beggar"), (left, right), Standing("play", 0))
    events = play_on([dealt], Random(), 100_000, idle=True)
    out = round_trip(notation.write_game(events, ["A", "B"]))
    assert out
    game = replay(notation.read_game(out).events)
    assert (game.n, "AB"[game.winner or 0]) == (published["expect"]["cards"], published["expect"]["winner"])


def test_what_a_text_does_not_tell_is_made_up() -> None:
    """No seat has a name, and each event takes a second."""
    entries = entries_of(SHORT)
    told = history(entries)
    assert [sat.name for sat in told.seats] == ["Seat 1", "Seat 2"]
    assert [entry.at_us for entry in entries] == [number * 1_000_000 for number in range(len(entries))]
    assert told.game
    assert told.game.winner == 0


def test_who_came_late_sits_down_when_he_came() -> None:
    """Cy comes after the first card; a page that replays the game has no seat for Cy before."""
    text = SHORT.replace("1;beggar", "1;classic").replace("1:KS", "1:KS *")
    text = text.replace("hand 1", "name 1 Ana\nname 2 Bo\nname 3 Cy\nhand 1")
    told = [type(entry.event).__name__ for entry in entries_of(text)]
    assert told[:7] == ["Sat", "Sat", "Dealt", "Played", "Sat", "Arrived", "Played"]
    assert round_trip(text) == text


def test_a_game_has_one_name_that_no_room_can_have() -> None:
    code, *rest = name_of(SHORT).split("-")
    assert (name_of(SHORT), is_code(code), len(rest)) == (name_of(SHORT), False, 2)
    assert name_of(SHORT) != name_of(SHORT.replace("4H", "5H"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SHORT.rpartition(" 1+")[0], "this game is not over"),
        (SHORT.replace("2:3H", "2:5H"), "line 6, move '2:5H'"),
        ("Dear Ana", "line 1: a game begins with the line 'ratscrew 1'"),
    ],
)
def test_what_is_no_finished_game_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=re.escape(says)):
        entries_of(text)


NAMED = SHORT.replace("hand 1", "name 1 {}\nname 2 {}\nhand 1")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 3_000_000, "this text has 3,0.* characters: a game has 500,000 at most"),
        ("x" * 21, "name 1: A name needs 1 to 20 letters"),
        ('"a\\u0000b"', r"name 1: In the name, leave out the control character \(U\+0000\)"),
        ('"\\u001b[31mAna"', r"name 1: In the name, leave out the control character \(U\+001B\)"),
        ('"\\u202ecilA"', r"name 1: In the name, leave out the character that turns the text around \(U\+202E\)"),
        ('" "', "name 1: "),
        ('"Ana  B"', "name 1: "),
        ("Во", "name 2: it looks like name 1"),
    ],
)
def test_a_game_is_imported_with_names_only_that_somebody_could_have_chosen(name: str, why: str) -> None:
    with pytest.raises(NotationError, match=f"^{why}"):
        entries_of(NAMED.format(name, "Bo"))
    with pytest.raises(NotationError):
        entries_of(NAMED.format("Bo", name))


def test_deleted_names_come_back_as_they_are() -> None:
    assert [entry.event.name for entry in entries_of(NAMED.format("–", "–")) if isinstance(entry.event, Sat)] == [
        "–"
    ] * 2
