"""The lobby: rooms by their codes, seats by their tokens, and both again after a stop of the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from ratscrew.bots.names import NAMES
from ratscrew.errors import LogError, RulesError
from ratscrew.game.events import Won
from ratscrew.game.view import view
from ratscrew.log.memory import MemoryLog
from ratscrew.table.codes import WORDS, is_code
from ratscrew.table.lobby import CODE_KEPT_US, IDLE_US, Lobby, code_of
from ratscrew.table.record import Entry, Sat
from ratscrew.table.room import Room
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.test_room import Person, pass_ms


def problems(ask: Callable[[], object]) -> tuple[str, ...]:
    """What is wrong with what was asked for."""
    with pytest.raises(RulesError) as caught:
        ask()
    return caught.value.problems


def names(room: Room) -> list[str]:
    """Who sits in a room."""
    return [seat.name for seat in room.table.seats]


# Opening


@on_manual_clock
async def test_a_new_room_has_its_person_at_seat_0_and_bots_of_the_strength_asked_for(clock: ManualClock) -> None:
    room, _ = Lobby(MemoryLog(), clock).open("Ana", 3, "sharp")
    assert names(room)[0] == "Ana"
    assert [seat.bot for seat in room.table.seats] == [None, "sharp", "sharp", "sharp"]
    assert set(names(room)[1:]) <= set(NAMES)
    assert len(set(names(room))) == 4
    assert room.table.game is not None
    assert room.table.game.held == (13, 13, 13, 13)


@on_manual_clock
async def test_no_bot_has_the_name_of_the_person(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    for name in NAMES:
        assert names(lobby.open(name, 7, "gentle")[0]).count(name) == 1


@on_manual_clock
async def test_every_room_has_a_code_of_its_own(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    codes = [code_of(lobby.open("Ana", 1, "gentle")[0].table.room) for _ in range(60)]
    assert all(map(is_code, codes))
    assert len(set(codes)) == 60 == len(lobby)


@on_manual_clock
async def test_a_code_whose_room_sleeps_in_the_log_is_not_given_to_another(clock: ManualClock) -> None:
    """Every word has a room in the log of an earlier server."""
    table = Lobby(MemoryLog(), clock).open("Ana", 1, "gentle")[0].table
    log = MemoryLog[Entry]()
    for word in WORDS:
        log.append(f"{word}-{clock.now_us():x}-1", 0, [Entry(1, Sat(0, table.seats[0].name))])
    assert code_of(Lobby(log, clock).open("Bo", 1, "gentle")[0].table.room) not in WORDS


@on_manual_clock
async def test_a_code_is_free_again_when_its_room_is_long_out_of_use(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    code = code_of(lobby.open("Ana", 1, "gentle")[0].table.room)
    assert not lobby._is_free(code)
    clock.advance(IDLE_US + 1)
    lobby.sweep()
    assert not lobby._is_free(code)
    clock.advance(CODE_KEPT_US)
    assert lobby._is_free(code)


@pytest.mark.parametrize(
    ("name", "kept"), [("Ana", "Ana"), ("  Ana \t B.\n", "Ana B."), ("Ωmega 🂡", "Ωmega 🂡"), ("x" * 20, "x" * 20)]
)
@on_manual_clock
async def test_a_name_is_trimmed_and_kept(clock: ManualClock, name: str, kept: str) -> None:
    room, _ = Lobby(MemoryLog(), clock).open(name, 1, "gentle")
    assert names(room)[0] == kept


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "A\u0000na", "A\u200bna", "A\u202ena", "\ud800", "\x1b[31mAna"])
@on_manual_clock
async def test_a_name_that_cannot_be_shown_is_refused(clock: ManualClock, name: str) -> None:
    lobby = Lobby(MemoryLog(), clock)
    assert problems(lambda: lobby.open(name, 1, "gentle")) == ("name: it needs 1 to 20 letters that can be printed",)
    assert len(lobby) == 0


@pytest.mark.parametrize("bots", [-1, 0, 8, 10**30])
@on_manual_clock
async def test_there_are_one_to_seven_bots(clock: ManualClock, bots: int) -> None:
    lobby = Lobby(MemoryLog(), clock)
    assert problems(lambda: lobby.open("Ana", bots, "gentle")) == (f"bots = {bots}: it can be 1 to 7",)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("", 0, "gentle", "classic"), ["name", "bots"]),
        (("", 1, "iron", "classic"), ["name", "iron"]),
        (("", 1, "gentle", "nowhere"), ["name", "nowhere"]),
        (("x" * 99, 99, "iron", "nowhere"), ["name", "iron", "nowhere"]),
    ],
)
@on_manual_clock
async def test_every_problem_is_told_at_once(
    clock: ManualClock, asked: tuple[str, int, str, str], words: list[str]
) -> None:
    lobby = Lobby(MemoryLog(), clock)
    told = problems(lambda: lobby.open(*asked))
    assert all(any(word in problem for problem in told) for word in words), told
    assert len(lobby) == 0


# Finding


@on_manual_clock
async def test_a_room_is_found_by_its_code_in_capital_letters_and_small_ones(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    room, _ = lobby.open("Ana", 1, "gentle")
    code = code_of(room.table.room)
    assert lobby.find(code) is lobby.find(code.lower()) is lobby.find(code.title()) is room


@pytest.mark.parametrize("code", ["", "QQQQ", "BEARS", "%", "____", "BE%", "ßS", "ＢＥＡＲ", "\ud800", "x" * 10_000])
@on_manual_clock
async def test_what_is_no_code_finds_no_room(clock: ManualClock, code: str) -> None:
    lobby = Lobby(MemoryLog(), clock)
    lobby.open("Ana", 1, "gentle")
    assert lobby.find(code) is None


@on_manual_clock
async def test_after_a_restart_the_room_is_there_with_its_game(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    before = Lobby(log, clock)
    room, token = before.open("Ana", 2, "sharp")
    room.enter(Person(0))
    await pass_ms(30_000)
    game = room.table.game
    assert game
    assert game.n > 3
    before.close()
    after = Lobby(log, clock)
    again = after.find(code_of(room.table.room))
    assert again
    assert again is not room
    assert again.table.game == game
    assert (again.table.id, again.table.version) == (room.table.id, room.table.version)
    assert (again.table.rules, names(again)) == (room.table.rules, names(room))
    assert after.seat_of(again, token) == 0
    again.enter(person := Person(0))
    await pass_ms(30_000)
    assert person.events()
    assert again.table.game != game


@on_manual_clock
async def test_after_a_restart_the_last_game_of_a_room_is_found(clock: ManualClock) -> None:
    """Two rooms, and in one of them a second game: it is the one that goes on."""
    log = MemoryLog[Entry]()
    lobby = Lobby(log, clock)
    room, _ = lobby.open("Ana", 1, "sharp")
    lobby.open("Bo", 1, "sharp")
    room.enter(ana := Person(0))
    for _ in range(100):
        await pass_ms(60_000)
        if room.table.game and room.table.game.winner is not None:
            break
    assert any(isinstance(entry.event, Won) for entry in log.read(room.table.id))
    room.again(ana)
    lobby.close()
    again = Lobby(log, clock).find(code_of(room.table.room))
    assert again
    assert again.table.id == f"{room.table.room}-2"
    assert again.table.game == room.table.game
    assert names(again) == names(room)


@on_manual_clock
async def test_a_found_room_is_found_again_and_not_twice(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    room, _ = Lobby(log, clock).open("Ana", 1, "gentle")
    after, code = Lobby(log, clock), code_of(room.table.room)
    assert after.find(code) is after.find(code)
    assert len(after) == 1


@on_manual_clock
async def test_a_code_leads_to_the_newest_room_that_had_it(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    lobby = Lobby(log, clock)
    entries = [log.read(lobby.open(name, 1, "gentle")[0].table.id) for name in ("Ana", "Bo")]
    for number, some in enumerate(entries):
        log.append(f"QUIZ-{number + 1:x}-1", 0, some)
    found = lobby.find("quiz")
    assert found
    assert names(found)[0] == "Bo"


# Tokens


@on_manual_clock
async def test_the_token_of_a_room_opens_its_seat_and_no_other(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    (one, token), (other, _) = lobby.open("Ana", 2, "gentle"), lobby.open("Ana", 2, "gentle")
    assert lobby.seat_of(one, token) == 0
    assert lobby.seat_of(other, token) is None
    assert [lobby.seat_of(one, lobby.token(one, seat)) for seat in range(3)] == [0, 1, 2]
    tokens = {lobby.token(room, seat) for room in (one, other) for seat in range(3)}
    assert len(tokens) == 6


@pytest.mark.parametrize(
    "forge",
    [
        lambda token: None,
        lambda token: "",
        lambda token: "0",
        lambda token: "0.",
        lambda token: token[:-1],
        lambda token: token + "0",
        lambda token: token.upper(),
        lambda token: "1" + token[1:],
        lambda token: token.partition(".")[2],
        lambda token: "0." + "0" * 32,
        lambda token: "Ω" * 34,
    ],
)
@on_manual_clock
async def test_a_token_that_is_not_quite_right_opens_nothing(
    clock: ManualClock, forge: Callable[[str], str | None]
) -> None:
    lobby = Lobby(MemoryLog(), clock)
    room, token = lobby.open("Ana", 2, "gentle")
    assert lobby.seat_of(room, forge(token)) is None


@on_manual_clock
async def test_a_token_does_not_tell_the_key_and_each_log_has_its_own(clock: ManualClock) -> None:
    log, other = MemoryLog[Entry](), MemoryLog[Entry]()
    room, token = Lobby(log, clock).open("Ana", 1, "gentle")
    assert re.fullmatch(r"0\.[0-9a-f]{32}", token)
    assert Lobby(log, clock).seat_of(room, token) == 0
    assert Lobby(other, clock).seat_of(room, token) is None


# Coming and going


@on_manual_clock
async def test_a_room_that_nobody_is_in_leaves_the_memory_after_ten_minutes_and_comes_back(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    room, token = lobby.open("Ana", 1, "gentle")
    ana = Person(0)
    room.enter(ana)
    clock.advance(2 * IDLE_US)
    lobby.sweep()
    assert len(lobby) == 1  # somebody is in it
    room.exit(ana)
    clock.advance(IDLE_US)
    lobby.sweep()
    assert len(lobby) == 1
    clock.advance(1)
    lobby.sweep()
    assert (len(lobby), room.closed) == (0, True)
    again = lobby.find(code_of(room.table.room))
    assert again
    assert again.table.game
    assert room.table.game
    assert view(again.table.game) == view(room.table.game)
    assert lobby.seat_of(again, token) == 0


@on_manual_clock
async def test_a_watched_room_stays(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    room, _ = lobby.open("Ana", 1, "gentle")
    room.enter(Person(None))
    clock.advance(2 * IDLE_US)
    lobby.sweep()
    assert len(lobby) == 1


@on_manual_clock
async def test_a_closing_lobby_shows_everybody_out_until_the_restart(clock: ManualClock) -> None:
    lobby = Lobby(MemoryLog(), clock)
    people = [Person(0), Person(None)]
    for person in people:
        lobby.open("Ana", 1, "gentle")[0].enter(person)
    lobby.close()
    assert [person.got[-1] for person in people] == ["leave: restart"] * 2
    assert len(lobby) == 0


class FullLog(MemoryLog[Entry]):
    """A log whose disk is full, or not."""

    full = True

    def append_soon(self, game: str, after: int, events: Sequence[Entry]) -> Future[int]:
        """See `EventLog`."""
        if not self.full:
            return super().append_soon(game, after, events)
        failed: Future[int] = Future()
        failed.set_exception(LogError("the disk is full"))
        return failed


@on_manual_clock
async def test_a_room_whose_deal_could_not_be_kept_is_not_found(clock: ManualClock) -> None:
    lobby = Lobby(FullLog(), clock)
    room, _ = lobby.open("Ana", 1, "gentle")
    assert room.closed
    assert lobby.find(code_of(room.table.room)) is None


@on_manual_clock
async def test_a_room_that_failed_is_taken_up_from_its_log(clock: ManualClock) -> None:
    log = FullLog()
    log.full = False
    lobby = Lobby(log, clock)
    room, _ = lobby.open("Ana", 1, "sharp")
    room.enter(Person(0))
    await pass_ms(20_000)
    log.full = True
    await pass_ms(20_000)
    assert room.closed
    log.full = False
    again = lobby.find(code_of(room.table.room))
    assert again
    assert not again.closed
    assert again.table.version == len(log.read(again.table.id)) < room.table.version
    again.enter(ana := Person(0))
    await pass_ms(20_000)
    assert ana.events()
