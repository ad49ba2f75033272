"""Players vanish at each stage of a room, in every manner: those who stay play on within the stated time."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import get_args

import pytest

from ratscrew.judge.constants import MAX_RACE_US
from ratscrew.protocol.player_connection import SILENT_S
from ratscrew.table.arenas.arena import PAIR_AFTER_S
from ratscrew.table.arenas.running_arena import COME_WITHIN_S, DROP_AFTER_S, SLAP_IN_AFTER_S
from ratscrew.table.core.host_role import HOST_AWAY_US
from ratscrew.table.core.pause import PAUSE_MOST_US, RESUME_US
from ratscrew.table.core.rematch import AGAIN_US, WITHOUT_HOST_US
from ratscrew.table.core.room_commands import execute
from ratscrew.table.core.table import COME_US
from ratscrew.table.record import requests
from ratscrew.table.record.messages import Awaited
from ratscrew.table.record.requests import Request
from ratscrew.table.registry.room_registry import IDLE_US
from ratscrew.table.room.page_pinger import PROBE_AT_REST_EVERY_S
from ratscrew.table.session.timing import AWAY_US, FILL_US
from ratscrew.table.state.table_state import HOST_PAUSES_MOST_US
from tests.table.driver import LiveTable, change, new_table

DESIGN = Path(__file__).parents[2] / "docs" / "design.md"

TURN_S = 3.0
SILENT_MOST_S = SILENT_S + PROBE_AT_REST_EVERY_S
HOW = ("closed", "dead", "leaves", "asleep")
"""Their socket is closed; it dies without goodbye, which the server notices later; they leave for good; or their page
stays connected, and they do nothing any more."""

NEVER_S = 1e9


class Story:
    """Friends at a table, or strangers; some vanish, and the others do what their pages offer them."""

    def __init__(self, seed: int, kind: str) -> None:
        self.chance = Random(seed)
        table = new_table(house=f"1;classic;turn_ms={TURN_S * 1000:.0f}")
        self.names = ["Ana", "Bo", "Cy", "Di"][: self.chance.randint(3, 4)]
        table.add_seat(self.names[0])
        self.live = LiveTable(table)
        self.live.act(table.open(self.live.now_us, self.live.now_us + FILL_US if kind == "quick" else None))
        change(table, kind="quick" if kind == "quick" else "friends")
        self.live.come(0)
        for name in self.names[1:]:
            self.live.join(name)
        self.vanished: dict[int, float] = {}

    def seats_here(self) -> list[int]:
        """The seats of the players who have not vanished."""
        seats = self.live.table.seats
        return [number for number, seat in enumerate(seats) if seat.here and seat.player_id not in self.vanished]

    def ask(self, seat: int, request: Request) -> None:
        """A seat makes a request."""
        self.live.act(execute(self.live.table, seat, request, self.live.now_us))

    def vanish(self) -> None:
        """Some players vanish, often the host among them; one or two stay.

        A host's pause is theirs to end as long as their page is connected: it has an end of its own.
        """
        table = self.live.table
        others = [seat for seat in self.seats_here() if seat != table.state.host]
        self.chance.shuffle(others)
        gone = [table.state.host] * (self.chance.random() < 0.8) + others[: self.chance.randint(0, len(others) - 2)]
        ways = [how for how in HOW if how != "asleep" or not table.pause.on]
        for player_id, how in [(table.seats[seat].player_id, self.chance.choice(ways)) for seat in gone]:
            (seat,) = table.state.seats_of([player_id])
            dead_s = self.live.now_us / 1e6 + SILENT_MOST_S
            self.vanished[player_id] = {"dead": dead_s, "asleep": NEVER_S}.get(how, 0.0)
            if how == "closed":
                self.live.go(seat)
            elif how == "leaves":
                self.ask(seat, requests.Leave())

    def second(self) -> None:
        """A second passes: connections that died are noticed, and those who are here do what they can."""
        table, live = self.live.table, self.live
        for player_id, noticed_s in self.vanished.items():
            for seat in table.state.seats_of([player_id]):
                if table.seats[seat].here and noticed_s <= live.now_us / 1e6:
                    live.go(seat)
        for player_id in [table.seats[seat].player_id for seat in self.seats_here()]:
            (seat,) = table.state.seats_of([player_id])  # a deal may have moved them
            if table.seats[seat].idle:
                self.ask(seat, requests.ComeBack())
            if table.session is None and table.state.has_host and seat == table.state.host:
                self.ask(seat, requests.Start())
            elif (table.game or table.state.has_host) and not table.state.playing:
                self.ask(seat, requests.Ready(True))
            elif table.state.pause.on and not table.pause.ending and seat == table.state.host:
                self.ask(seat, requests.Pause(False))
            elif table.game and table.state.playing and table.game.standing.turn == seat:
                live.play(seat)
        live.pass_ms(1000)

    def progress(self) -> tuple[int, int, bool]:
        """How far the room has come."""
        game = self.live.table.game
        return self.live.table.state.round, game.n if game else 0, bool(game and game.over)

    def goes_on_within(self, seconds: float) -> None:
        """Check that something happens in this time, and again."""
        for _ in range(3):
            before = self.progress()
            for _ in range(round(seconds)):
                self.second()
                if self.progress() != before:
                    break
            assert self.progress() > before, (self.vanished, self.live.table.wake_us(), before)


def waiting_room(story: Story) -> None:
    """Nobody has dealt yet."""


def game(story: Story) -> None:
    """A game is running."""
    story.ask(0, requests.Start())
    for _ in range(story.chance.randint(0, 9)):
        story.second()


def paused(story: Story) -> None:
    """The host has paused a running game."""
    game(story)
    story.ask(story.live.table.state.host, requests.Pause(True))
    story.live.pass_ms(6000)
    assert story.live.table.pause.on


def over(story: Story) -> None:
    """A game is over, and nobody has asked for another one."""
    game(story)
    while story.live.table.state.playing:
        story.second()


def rematch(story: Story) -> None:
    """One player wants another game, and one asks the others to wait."""
    over(story)
    story.ask(1, requests.Ready(True))
    story.ask(0, requests.Ready(False))


def countdown(story: Story) -> None:
    """Bots are about to fill a table of strangers."""
    story.live.pass_ms(story.chance.randint(0, 7000))


TURNS_S = 4 * TURN_S + 2
"""A turn of each player, who are not known to be gone yet, and the pile that is taken."""

STAGES: dict[str, tuple[Callable[[Story], None], float]] = {
    "waiting room": (waiting_room, SILENT_MOST_S + 20 + 1),
    "countdown": (countdown, 8 + 5 + 1),
    "game": (game, TURNS_S),
    "paused": (paused, SILENT_MOST_S + 20 + 3 + TURNS_S),
    "over": (over, SILENT_MOST_S + 5 + TURNS_S),
    "rematch": (rematch, SILENT_MOST_S + 5 + TURNS_S),
}
"""The stages at which players vanish, and within how many seconds the others play on."""


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("seed", range(12))
def test_whoever_vanishes_the_others_play_on_within_the_stated_time(stage: str, seed: int) -> None:
    reach, most_s = STAGES[stage]
    story = Story(seed, "quick" if stage == "countdown" else "friends")
    reach(story)
    story.vanish()
    story.goes_on_within(most_s)


# The table of waits in the documentation


def rows() -> list[list[str]]:
    """The rows of the table of waits, by cell."""
    section = DESIGN.read_text(encoding="utf-8").partition("\n## Waits\n")[2].partition("\n## ")[0]
    table = [line.strip("| ").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in table[2:]]


STATED = {
    "the first deal, and all": [HOST_AWAY_US / 1e6],
    "the first deal, if": [WITHOUT_HOST_US / 1e6],
    "fill a table": [FILL_US / 1e6, COME_US / 1e6],
    "a player's turn": [AWAY_US / 1e6],
    "a race": [MAX_RACE_US / 1e6],
    "pause by the host": [HOST_PAUSES_MOST_US / 1e6, RESUME_US / 1e6],
    "pause at the only": [PAUSE_MOST_US / 1e6],
    "everybody has left": [RESUME_US / 1e6, IDLE_US / 1e6],
    "another game": [AGAIN_US / 1e6],
    "absent players": [COME_US / 1e6],
    "an arena's tables": [PAIR_AFTER_S],
    "do not come to their arena": [COME_WITHIN_S],
    "left over": [SLAP_IN_AFTER_S],
    "joined an arena": [DROP_AFTER_S],
}
"""The times of the rows that have some, in seconds, by the code."""


def test_every_countdown_is_a_wait_with_an_end_in_the_documentation() -> None:
    named = re.findall(r"`(\w+)`", " ".join(row[1] for row in rows()))
    assert sorted(named) == sorted([*get_args(Awaited), "again", "resume", "resume"])
    assert all(row[0] and row[2] and row[3] for row in rows())


@pytest.mark.parametrize("wait", STATED)
def test_the_documentation_states_the_times_of_the_code(wait: str) -> None:
    (row,) = (row for row in rows() if wait in row[0])
    assert [float(number) for number in re.findall(r"([\d.]+) s\b", row[3])] == STATED[wait]
