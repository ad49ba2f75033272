"""A game from the log: told as text, and judged again."""

from __future__ import annotations

import json
from pathlib import Path

from ratscrew.cards import cards
from ratscrew.game import notation
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Play, Timeout
from ratscrew.game.engine import decide, evolve, replay
from ratscrew.game.events import Dealt, Drawn
from ratscrew.game.standing import Standing
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import Entry, Judged, Recorded, SlapRecord
from tests.cli.sample_room import FIRST, GAME, NAMES, ROOM, SECOND, Run, proof, with_verdicts, write


def rows(told: str) -> list[list[str]]:
    """The words of each line."""
    return [line.split() for line in told.splitlines()]


def test_a_game_is_printed_as_text_with_its_names(file: Path, run: Run) -> None:
    """Cy, who waits for the next game, is not in it."""
    assert run("replay", f"{ROOM}-1", "--data", file) == (0, GAME, "")


def test_a_code_stands_for_the_latest_game_of_its_room(file: Path, run: Run) -> None:
    for name in ("WOLF", "wolf", ROOM, "wolf-1F-1"):
        assert run("replay", name, "--data", file) == (0, GAME, "")
    write(file, f"{ROOM}-2", *with_verdicts()[:3])
    assert run("replay", "wolf", "--data", file)[1] == GAME.partition("1:9S")[0]


def test_a_code_with_digits_may_be_typed_as_it_is_read(tmp_path: Path, run: Run) -> None:
    write(tmp_path / "games.sqlite3", "BEAR4821-2e-1", *with_verdicts())
    for typed in ("BEAR4821", "bear 4821", "Bear-4821", "BEAR4821-2e"):
        assert run("replay", typed, "--data", tmp_path / "games.sqlite3") == (0, GAME, "")


def test_a_folder_stands_for_the_file_in_it(file: Path, run: Run) -> None:
    file.rename(file.parent / "ratscrew.sqlite3")
    assert run("replay", "wolf", "--data", file.parent) == (0, GAME, "")


def test_the_entries_are_printed_one_a_line(file: Path, run: Run) -> None:
    code, out, _ = run("replay", "wolf", "--json", "--data", file)
    codec = Codec[Entry](Entry)
    events = [codec.decode(line).event for line in out.splitlines()]
    assert (code, events[:2], FIRST in events, SECOND in events) == (0, list(NAMES), True, True)


def test_each_verdict_is_explained_and_agrees(file: Path, run: Run) -> None:
    code, out, _ = run("replay", "wolf", "--judge", "--data", file)
    lines = rows(out)
    assert code == 0
    assert ["card", "2:", "double"] in lines
    assert ["Ana", "350.0", "410.0", "60.0", "25.0", "+", "50.0", "60.0", "350.0"] in lines
    assert ["Bo", "380.0", "410.0", "30.0", "25.0", "+", "50.0", "30.0", "380.0"] in lines
    assert ["card", "4:", "a", "wrong", "slap"] in lines
    assert ["Bo", "400.0", "410.0", "10.0", "25.0", "+", "45.0", "10.0", "400.0"] in lines
    assert lines.count(["agrees"]) == 2
    assert lines[-1] == ["races:", "1,", "wrong", "slaps:", "1;", "all", "agree"]


def test_credit_goes_on_from_the_games_before(file: Path, run: Run) -> None:
    """Ana has 15 left, Bo 45 + 5."""
    hits = SlapRecord(0, 370_000, proof(350, 40, 15)), SlapRecord(1, 380_000, proof(380, 30, 50))
    write(file, f"{ROOM}-2", *with_verdicts(Judged(2, "double", hits)))
    code, out, _ = run("replay", "wolf", "--judge", "--data", file)
    assert (code, out.splitlines()[-1]) == (0, "races: 1, wrong slaps: 0; all agree")


def test_a_verdict_that_differs_is_reported_with_what_differs(file: Path, run: Run) -> None:
    """In the second game Ana is judged as if she had not spent anything in the first."""
    write(file, f"{ROOM}-2", *with_verdicts(FIRST))
    code, out, _ = run("replay", "wolf", "--judge", "--data", file)
    assert code == 1
    assert [line.strip() for line in out.splitlines()[6:]] == [
        "DIFFERS",
        "in the log: Ana 350.0, Bo 380.0",
        "Ana: in the log the credit is 25.0 + 50.0",
        "Ana: in the log 60.0 were granted",
        "",
        "races: 1, wrong slaps: 0; 1 DIFFER",
    ]
    assert out.splitlines()[4].split()[-2:] == ["40.0", "370.0"]


def test_a_bot_and_a_draw_are_shown_as_what_they_are(file: Path, run: Run) -> None:
    drawn = Judged(2, "double", (SlapRecord(1, 350_500), SlapRecord(0, 350_000, proof(350, 60, 50))), tie=True)
    write(file, "LION-2f-1", *with_verdicts(drawn))
    code, out, _ = run("replay", "lion", "--judge", "--data", file)
    lines = rows(out)
    assert (code, lines[2]) == (0, ["card", "2:", "double,", "a", "tie", "that", "was", "drawn"])
    assert lines[4] == ["Bo", "-", "-", "-", "-", "-", "350.5"]


def test_a_hand_that_was_moving_is_named(file: Path, run: Run) -> None:
    write(file, "LION-2f-1", *with_verdicts(Judged(2, "double", (SlapRecord(0, 335_000, proof(100, 75, 50)),))))
    code, out, _ = run("replay", "lion", "--judge", "--data", file)
    assert code == 1
    assert "Ana: this hand was already moving, and does not count" in out


def test_the_verdicts_are_printed_as_json(file: Path, run: Run) -> None:
    code, out, _ = run("replay", "wolf", "--judge", "--json", "--data", file)
    told = json.loads(out)
    race, wrong = told.pop("trials")
    assert (code, told) == (0, {"game": f"{ROOM}-1", "agrees": True})
    assert race["hands"][0] == {
        "seat": 0,
        "name": "Ana",
        "logged_us": 350_000,
        "agrees": True,
        "measured_us": 350_000,
        "estimate_us": 410_000,
        "excess_us": 60_000,
        "free_us": 25_000,
        "purse_us": 50_000,
        "granted_us": 60_000,
        "reaction_us": 350_000,
    }
    assert (race["pattern"], race["tie"], race["agrees"]) == ("double", False, True)
    assert (wrong["n"], wrong["pattern"]) == (4, None)


def test_an_unknown_game_is_reported_with_those_that_exist(file: Path, run: Run) -> None:
    names = f"{ROOM}-0, {ROOM}-1"
    for words in (["replay", "lion"], ["replay", f"{ROOM}-7"], ["replay", "lion", "--judge"], ["suspicion", "lion"]):
        answer = run(*words, "--data", file)
        assert answer == (1, "", f"ratscrew: there is no game {words[1]!r}; there are {names}\n")


def test_of_many_games_the_latest_are_named(file: Path, run: Run) -> None:
    for number in range(2, 15):
        write(file, f"{ROOM}-{number}", *NAMES)
    _, _, err = run("replay", "lion", "--data", file)
    assert err.endswith(f" there are {', '.join(f'{ROOM}-{number}' for number in range(3, 15))}, and 3 older ones\n")


def test_a_room_without_a_game_says_so(file: Path, run: Run) -> None:
    answer = run("replay", f"{ROOM}-0", "--data", file)
    assert answer == (1, "", f"ratscrew: {ROOM}-0: this game has not been dealt yet\n")


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path, run: Run) -> None:
    missing = tmp_path / "none.sqlite3"
    for command in ("replay", "suspicion"):
        code, out, err = run(command, "wolf", "--data", missing)
        assert (code, out) == (1, "")
        assert err.startswith(f"ratscrew: {missing}: there is no such file;")
    assert not missing.exists()


def test_an_empty_log_says_that_it_is_empty(tmp_path: Path, run: Run) -> None:
    empty = tmp_path / "games.sqlite3"
    write(empty, f"{ROOM}-1")
    answer = run("replay", "wolf", "--data", empty)
    assert answer == (1, "", "ratscrew: there is no game 'wolf': none has been stored yet\n")


def test_a_game_that_came_back_to_an_earlier_state_is_told_to_its_draw(tmp_path: Path, run: Run) -> None:
    """The smallest endless game: a jack each, and two other cards each."""
    events: list[Recorded] = [*NAMES]
    hands = tuple(map(cards, ("JS 2S 2H", "2D JH 2C")))
    game = evolve(None, dealt := Dealt(house("beggar", endgame="play_out"), hands, Standing("play", 0)))
    events.append(dealt)
    while not game.over:
        game, more = decide(game, Play(game.standing.turn) if game.standing.phase == "play" else Timeout())
        events += more
    assert isinstance(events[-1], Drawn)
    write(tmp_path / "games.sqlite3", f"{ROOM}-1", *events)
    code, out, _ = run("replay", "wolf", "--data", tmp_path / "games.sqlite3")
    assert (code, replay(notation.read_game(out).events)) == (0, game)
    codec = Codec[Entry](Entry)
    last = run("replay", "wolf", "--json", "--data", tmp_path / "games.sqlite3")[1].splitlines()[-1]
    assert codec.decode(last).event == Drawn(game.standing, "repetition")
