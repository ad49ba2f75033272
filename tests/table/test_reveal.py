"""A card is revealed to all at one moment: sent to each page just early enough, and shown to none sooner.

Played at P, it is seen at T = max(P + max(160, lead + 10), the last T + 500). The lead is what the farthest visible
page needs: half its round trip and 23 ms more, at most 250. All times are milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from ratscrew.judge.rtt_estimator import RttEstimator
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.messages import Countdown, EventMessage, LinkStatsMessage, Message
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import START_US, LiveTable, at_table
from tests.table.people import Person, SlowLog, pass_ms, room_of, settle

THREE = "Ana: 9S 2C 4H | Bo: TH 3H 5H | Cy: 7H KC"


def played_after(wait_ms: int, *rtts_ms: float) -> tuple[LiveTable, float]:
    """Ana's nine lies there, and so long after that Bo plays; how long after the nine Bo's card is revealed."""
    live = at_table(THREE)
    live.turn(0)
    before = live.shown_us
    for seat, rtt_ms in enumerate(rtts_ms):
        live.far(seat, rtt_ms)
    live.pass_ms(wait_ms)
    live.play(1)
    while live.game.n == 1:
        live.step()
    return live, (live.shown_us - before) / 1000


# When


@pytest.mark.parametrize(
    ("rtts_ms", "seen_ms"),
    [
        ((0, 0, 0), 1160),
        ((60, 20, 40), 1160),  # 30 + 23 + 10: sooner there than 160
        ((254, 0, 0), 1160),  # 127 + 23 + 10
        ((256, 0, 0), 1161),
        ((0, 0, 400), 1233),  # 200 + 23 + 10
        ((0, 1000, 0), 1233),  # farther than 400 is the player's own loss
    ],
)
def test_a_card_is_seen_when_it_can_be_everywhere(rtts_ms: tuple[int, ...], seen_ms: int) -> None:
    assert played_after(1000, *rtts_ms)[1] == seen_ms


@pytest.mark.parametrize(("wait_ms", "seen_ms"), [(0, 500), (267, 500), (268, 501), (290, 523)])
def test_and_not_less_than_500_after_the_one_before(wait_ms: int, seen_ms: int) -> None:
    """Cy is 400 away: Cy's 233 come on top from 267 on."""
    assert played_after(wait_ms, 0, 0, 400)[1] == seen_ms


def test_a_card_is_turned_just_before_it_has_to_be_sent_to_the_farthest() -> None:
    live, seen_ms = played_after(1000, 0, 0, 200)
    assert seen_ms == 1160
    assert live.now_us == live.shown_us - (123 + 10) * 1000
    displays = [page_state.card_display(2) for page_state in map(live.page_state, range(3))]
    assert [display and display.head_start_us for display in displays] == [23_000, 23_000, 123_000]


@pytest.mark.parametrize("quick", ["when the card is played", "when it is turned"])
def test_a_page_that_was_far_at_the_last_ping_gets_its_card_by_how_far_it_is_now(quick: str) -> None:
    """A client that is slow only while nobody measures it would have each card earlier, and be made up for it."""
    live = at_table(THREE)
    live.turn(0)
    for seat, rtt_ms in enumerate((20, 20, 380)):
        live.far(seat, rtt_ms)
    live.pass_ms(1000)
    kernel_us = [20_000 if quick == "when the card is played" else 380_000]
    live.page_state(2).bounded = lambda known: known.with_rtt_bounds(None, kernel_us[0])
    before = live.shown_us
    live.play(1)
    kernel_us[0] = 20_000
    while live.game.n == 1:
        live.step()
    display = live.page_state(2).card_display(2)
    assert display
    assert (display.link_estimate.rtt_us, display.head_start_us) == (24_000, 35_000)
    if quick == "when the card is played":
        assert live.shown_us - before == 1_160_000


def test_a_page_that_nobody_looks_at_slows_nobody_down() -> None:
    live = at_table(THREE)
    live.far(2, 400)
    live.page_state(2).visible = False
    live.pass_ms(1000)
    live.turn(0)
    assert live.shown_us == START_US + 1_160_000


def test_nor_does_one_who_has_gone() -> None:
    live = at_table(THREE)
    live.far(2, 400)
    live.go(2)
    live.pass_ms(1000)
    live.turn(0)
    assert live.shown_us == START_US + 1_160_000


# To which pages


@dataclass(eq=False)
class Timed(Person):
    """A subscriber that notes when it got what, in milliseconds after the room was opened."""

    clock: ManualClock = field(default_factory=ManualClock)
    log: list[tuple[float, str]] = field(default_factory=list)

    def note(self, what: str) -> None:
        """Note it."""
        self.log.append((round((self.clock.now_us() - 1_000_000) / 1000), what))

    def hear(self, message: Message) -> None:
        """See `Subscriber`."""
        if not isinstance(message, LinkStatsMessage):
            self.note(type(message.e if isinstance(message, EventMessage) else message).__name__)
        super().hear(message)

    def announce(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""
        self.note(f"soon {n}")
        super().announce(n, at_us)

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """See `Subscriber`."""
        self.note(f"snapshot {snapshot.view.n if snapshot.view else None}")
        super().send_snapshot(snapshot)


def three(clock: ManualClock, log: Any = None) -> tuple[Room, Timed, Timed, Timed]:
    """Ana, near; Bo, 300 away, whose page's clock is 7 s ahead of ours; and a watcher. A second passes."""
    room = room_of(at_table("Ana: 9S 2C | Bo: TH 3H", here=[]), log or MemoryLog(), clock)
    ana, bo, eve = Timed(0, clock=clock), Timed(1, clock=clock), Timed(None, clock=clock)
    ana.far(clock, 0)
    bo.page_state.rtt_estimator = RttEstimator().with_sample(700_000, 1_000_000, 850_000 + 7_000_000)
    for guest in (ana, bo, eve):
        room.enter(guest)
        guest.log.clear()
    return room, ana, bo, eve


@on_manual_clock
async def test_each_page_is_sent_the_card_as_early_as_it_needs_it_and_who_watches_at_its_moment(
    clock: ManualClock,
) -> None:
    """Bo needs 150 + 23, so the card is revealed 183 after 1000; messages after it wait behind it."""
    room, ana, bo, eve = three(clock)
    await pass_ms(1000)
    for guest in (ana, bo, eve):
        guest.log.clear()
    room.play(ana, 0)
    await pass_ms(400)
    assert bo.log == [(1000, "Turning"), (1010, "soon 1"), (1010, "Played"), (1010, "Countdown")]
    assert ana.log == [(1000, "Turning"), (1160, "soon 1"), (1160, "Played"), (1160, "Countdown")]
    assert eve.log == [(1000, "Turning"), (1183, "Played"), (1183, "Countdown")]
    assert round((seen_us := room.table.seen_us) / 1000) == 1000 + 1183
    assert (ana.soons, bo.soons, eve.soons) == ([(1, seen_us)], [(1, seen_us + 7_000_000)], [])


@on_manual_clock
async def test_a_page_that_has_not_answered_a_ping_gets_the_card_at_its_moment_and_is_not_told_when(
    clock: ManualClock,
) -> None:
    """Its clock is not known: by another one it might hold the card, and all that follows, for years."""
    room, _, bo, _ = three(clock)
    room.enter(again := Timed(0, clock=clock))
    await pass_ms(1000)
    room.play(again, 0)
    await pass_ms(170)
    again.far(clock, 20)  # it answers when the card is on its way: too late for this one
    await pass_ms(230)
    assert again.log[-3:] == [(1000, "Turning"), (1183, "Played"), (1183, "Countdown")]
    assert bo.log[-3:] == [(1010, "soon 1"), (1010, "Played"), (1010, "Countdown")]
    await pass_ms(1600)
    room.play(bo, 1)
    await pass_ms(400)
    assert [name for _, name in again.log[-4:]] == ["Turning", "soon 2", "Played", "Countdown"]


@on_manual_clock
async def test_the_countdown_that_is_sent_with_a_card_counts_from_its_moment(clock: ManualClock) -> None:
    room, ana, bo, _ = three(clock)
    await pass_ms(1000)
    room.play(ana, 0)
    await pass_ms(100)
    assert [some for some in bo.now() if isinstance(some, Countdown)][-1] == Countdown(1, "turn", 8000)


@on_manual_clock
async def test_who_comes_while_a_card_is_on_its_way_is_shown_nothing_before_its_moment(clock: ManualClock) -> None:
    """Bo was sent the card at 1010; Ana comes back at 1050, and a client that has seen everything but the card."""
    room, ana, bo, _ = three(clock)
    await pass_ms(1000)
    room.play(ana, 0)
    await pass_ms(50)
    assert (bo.log[-2][1], room.table.state.version) == ("Played", 4)
    room.enter(again := Timed(0, clock=clock))
    room.enter(behind := Timed(None, clock=clock), room.table.log.public, 3)
    room.enter(knows := Timed(None, clock=clock), "TEST-1-1", 4)
    await pass_ms(132)
    assert (again.log, behind.got, knows.got) == ([], [], [])
    await pass_ms(3)
    assert again.log == [(1183, "snapshot 1")]
    assert behind.got[0][1:] == (4, list(room._recent.last(1) or ()))


@on_manual_clock
async def test_a_card_that_the_log_keeps_too_late_is_told_as_soon_as_it_is_kept(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo, eve = three(clock, log)
    await pass_ms(1000)
    room.play(ana, 0)
    await pass_ms(300)
    assert [name for guest in (ana, bo, eve) for _, name in guest.log if name in ("Played", "soon 1")] == []
    await log.keep_now()
    await settle()
    assert [[at for at, name in guest.log if name == "Played"] for guest in (ana, bo, eve)] == [[1300]] * 3


@on_manual_clock
async def test_what_follows_a_card_waits_behind_it(clock: ManualClock) -> None:
    """Bo, whose turn is next, goes at 1100, when the nine is turned and neither Ana nor the watcher has seen it."""
    room, ana, bo, eve = three(clock)
    await pass_ms(1000)
    room.play(ana, 0)
    await pass_ms(100)
    room.exit(bo)
    await pass_ms(100)
    follow = ["Played", "Countdown", "Presence", "Countdown"]
    assert ana.log[-5:] == [(1160, name) for name in ["soon 1", *follow]]
    assert eve.log[-4:] == [(1183, name) for name in follow]
