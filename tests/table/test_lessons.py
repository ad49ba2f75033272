"""Each lesson's cards lead where it says, played move by move, and nothing else can be slapped on the way."""

from __future__ import annotations

import pytest

from ratscrew.bots.ladder import BOTS
from ratscrew.bots.memory import memory_from_view
from ratscrew.bots.teacher import TEACHER
from ratscrew.bots.teacher import bot as make_bot
from ratscrew.cards import text
from ratscrew.errors import RulesError
from ratscrew.game.commands import Play, Timeout
from ratscrew.game.commands import slap as hand
from ratscrew.game.engine import decide
from ratscrew.game.evolve import evolve
from ratscrew.game.missed_slaps import slappable
from ratscrew.game.state import Game
from ratscrew.game.view import view
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.lessons import HOUSE, LESSONS, Name
from ratscrew.table.registry.room_registry import RoomRegistry, RoomRequest
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import here

YOU, THOTH = 0, 1


def begun(lesson: Name) -> Game:
    """A lesson's game, just dealt."""
    return evolve(None, LESSONS[lesson].lay(HOUSE, 2))


def turned(game: Game, *seats: int) -> Game:
    """The game after these seats have turned their top cards."""
    for seat in seats:
        game, _ = decide(game, Play(seat))
    return game


def lies(game: Game) -> str:
    """The pile, bottom first."""
    return text(laid for laid in game.pile)


def test_in_the_first_lesson_cards_are_turned_by_turns_and_nothing_happens() -> None:
    game = turned(begun("turn"), YOU, THOTH, YOU, THOTH, YOU)
    assert lies(game) == "5H 8D 9C 3C 2S"
    assert (game.standing.phase, game.standing.turn) == ("play", THOTH)


def test_the_learner_beats_the_king_with_his_last_chance_and_wins_by_his_queen() -> None:
    game = turned(begun("challenge"), THOTH)
    assert (lies(game), game.standing.turn, game.standing.chances_left) == ("KS", YOU, 3)
    game = turned(game, YOU, YOU)
    assert (lies(game), game.standing.turn, game.standing.chances_left) == ("KS 4C 9D", YOU, 1)
    game = turned(game, YOU)
    assert (game.standing.turn, game.standing.challenger, game.standing.chances_left) == (THOTH, YOU, 2)
    game = turned(game, THOTH, THOTH)
    assert (game.standing.phase, game.standing.turn, game.standing.reason) == ("won", YOU, "challenge")
    game, _ = decide(game, Timeout())
    assert text(game.hands[YOU]) == "2H 7C TS 5D KS 4C 9D QS 6H 3C"


@pytest.mark.parametrize("burned", [1, 2])
def test_the_queen_beats_the_king_after_a_wrong_slap_or_two_as_well(burned: int) -> None:
    game = turned(begun("challenge"), THOTH)
    for _ in range(burned):
        game, _ = decide(game, hand(YOU))
    game = turned(game, *[YOU] * (3 - burned))
    assert (game.standing.turn, game.standing.challenger, game.standing.chances_left) == (THOTH, YOU, 2)
    game = turned(game, THOTH, THOTH)
    assert (game.standing.phase, game.standing.turn) == ("won", YOU)


def test_two_sevens_come_as_the_fourth_card_from_the_teachers_hand() -> None:
    game = turned(begun("double"), YOU, THOTH, YOU)
    assert slappable(game) == ()
    game = turned(game, THOTH)
    assert (lies(game), slappable(game)) == ("9C 4D 7H 7S", ("double",))
    game, _ = decide(game, hand(YOU))
    assert len(game.hands[YOU]) == 6 - 2 + 4


def test_an_eight_a_ten_and_an_eight_are_a_sandwich() -> None:
    game = turned(begun("sandwich"), YOU, THOTH, YOU, THOTH)
    assert (lies(game), slappable(game)) == ("3C 8D TC 8S", ("sandwich",))


def test_a_wrong_slap_burns_the_next_card_and_the_game_goes_on() -> None:
    game = turned(begun("wrong"), YOU, THOTH)
    game, _ = decide(game, hand(YOU))
    assert lies(game) == "2D* 6C TD"
    assert game.standing.turn == YOU


def test_who_has_turned_his_only_card_slaps_in_at_one_of_three_patterns() -> None:
    game = turned(begun("slap_in"), YOU)
    assert game.hands[YOU] == ()
    found = []
    for n in range(2, 11):
        game = turned(game, THOTH)
        if patterns := slappable(game):
            back, _ = decide(game, hand(YOU))
            found.append((n, patterns, len(back.hands[YOU])))
    assert found == [(4, ("sandwich",), 4), (6, ("double",), 6), (9, ("sandwich",), 9)]


def test_who_never_slaps_in_ends_the_lesson_by_having_lost_it() -> None:
    game = turned(begun("slap_in"), YOU, *[THOTH] * 10)
    game, _ = decide(game, Timeout())
    assert (game.over, game.winner) == (True, THOTH)


@pytest.mark.parametrize("lesson", LESSONS)
def test_only_what_is_meant_can_be_slapped(lesson: Name) -> None:
    tops = [text(top) for top in LESSONS[lesson].tops]
    game = begun(lesson)
    while game.standing.phase == "play" and game.hands[YOU]:
        game = turned(game, game.standing.turn)
        if slappable(game):
            assert any(lies(game).endswith(top) for top in tops)


# The teacher


def test_the_teacher_turns_after_a_while_and_slaps_nothing() -> None:
    teacher, game = make_bot(TEACHER), turned(begun("double"), YOU)
    meant = teacher.plan(view(game), THOTH, lambda: 0.5, memory_from_view(view(game)))
    assert meant.turn_us == 1_800_000
    sevens = turned(begun("double"), YOU, THOTH, YOU, THOTH)
    for chance in (lambda: 0.0, lambda: 0.5, lambda: 0.999):
        assert teacher.plan(view(sevens), THOTH, chance, memory_from_view(view(sevens))).slap_us is None


@on_manual_clock
async def test_nobody_can_ask_for_the_teacher_at_an_ordinary_table(clock: ManualClock) -> None:
    assert TEACHER not in BOTS
    registry = RoomRegistry(MemoryLog[Entry](), clock)
    with pytest.raises(RulesError, match="no such bot"):
        registry.open(RoomRequest("Ana", 1, TEACHER))


@on_manual_clock
async def test_a_room_for_a_lesson_has_its_cards_and_comes_back_after_a_stop(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    room = RoomRegistry(log, clock).open_lesson(" Ana ", LESSONS["sandwich"])
    code = room.table.room.partition("-")[0]
    room.close("restart")
    registry = RoomRegistry(log, clock)
    back = here(await registry.find(code))
    assert back
    assert [(seat.name, seat.bot_level) for seat in back.table.seats] == [("Ana", None), ("Thoth", TEACHER)]
    assert back.table.game
    assert text(back.table.game.hands[YOU]) == "3C TC 5D 9S 4H 2H"
    assert back.table.state.seats_of([YOU]) == (YOU,)
