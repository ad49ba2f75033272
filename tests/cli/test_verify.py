"""`ratscrew verify`: what is printed of a fair game, of one with a swapped hand, and of one without a seal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from ratscrew.game.events import Dealt, Won
from ratscrew.game.standing import Standing
from ratscrew.table.record.entries import LaidOut, Recorded, Sat
from tests.cli.sample_room import ROOM, Run, with_verdicts, write
from tests.table.driver import LiveTable, new_table


@pytest.fixture(scope="module")
def played() -> tuple[Recorded, ...]:
    """A whole game of two bots, for which nothing was promised."""
    live = LiveTable(new_table(5))
    live.table.dealer._room = ROOM
    live.table.add_seat("Thoth", "sharp")
    live.table.add_seat("Bes", "sharp")
    live.start().play_out()
    return tuple(entry.event for entry in live.entries)


def swapped(event: Recorded) -> Recorded:
    """Thoth has Bes's hand, and Bes his."""
    return replace(event, hands=event.hands[::-1]) if isinstance(event, Dealt) else event


def test_a_fair_game_is_verified_step_by_step(tmp_path: Path, run: Run, played: tuple[Recorded, ...]) -> None:
    write(tmp_path / "games.sqlite3", f"{ROOM}-1", *played)
    code, out, err = run("verify", "wolf", "--data", tmp_path / "games.sqlite3")
    name, *steps, verdict = out.splitlines()
    assert (code, err, name, verdict) == (0, "", f"{ROOM}-1", "fair: the cards were dealt as committed")
    assert [line.split()[:2] for line in steps] == [
        ["ok", what] for what in ("promise", "numbers", "commitment", "dealer", "deck", "cards")
    ]


def test_a_swapped_hand_is_found(tmp_path: Path, run: Run, played: tuple[Recorded, ...]) -> None:
    write(tmp_path / "games.sqlite3", f"{ROOM}-1", *map(swapped, played))
    code, out, _ = run("verify", "WOLF", "--data", tmp_path / "games.sqlite3")
    assert (code, out.splitlines()[-1]) == (1, "NOT FAIR: see the marked steps")
    assert "  WRONG  deck        shuffled again, the cards of Thoth, Bes are different" in out.splitlines()
    code, out, _ = run("verify", "WOLF", "--json", "--data", tmp_path / "games.sqlite3")
    told = json.loads(out)
    assert (code, told["verdict"]) == (1, "unfair")
    assert "deck" in [step["what"] for step in told["steps"] if not step["holds"]]


@pytest.mark.parametrize(
    ("more", "verdict", "says"),
    [
        ([], "unsealed", "this game has no commitment to a shuffle"),
        ([LaidOut()], "laid_out", "laid out by hand"),
    ],
)
def test_a_game_without_a_seal_cannot_be_checked(
    tmp_path: Path, run: Run, more: list[Recorded], verdict: str, says: str
) -> None:
    write(tmp_path / "games.sqlite3", f"{ROOM}-1", *more, *with_verdicts(), Won(0, Standing("over", 0)))
    code, out, _ = run("verify", "WOLF", "--data", tmp_path / "games.sqlite3")
    assert (code, says in out) == (2, True)
    _, out, _ = run("verify", "WOLF", "--json", "--data", tmp_path / "games.sqlite3")
    assert json.loads(out) == {"game": f"{ROOM}-1", "verdict": verdict, "steps": []}


def test_the_seal_of_a_game_that_goes_on_is_not_opened(tmp_path: Path, run: Run, played: tuple[Recorded, ...]) -> None:
    write(tmp_path / "games.sqlite3", f"{ROOM}-1", *played[:9])
    code, out, err = run("verify", "WOLF", "--data", tmp_path / "games.sqlite3")
    assert (code, out) == (1, "")
    assert err == f"ratscrew: {ROOM}-1: this game is not over; its shuffle can be checked afterwards\n"


def test_of_people_who_only_gather_there_is_nothing_to_check(tmp_path: Path, run: Run) -> None:
    write(tmp_path / "games.sqlite3", f"{ROOM}-0", Sat(0, "Ana"))
    code, _, err = run("verify", "WOLF", "--data", tmp_path / "games.sqlite3")
    assert (code, "not over" in err) == (1, True)
