"""When a room pings its pages: at every card, whatever it is, and in a race those that it waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from ratscrew.judge.constants import MIN_REACTION_US, SAME_TOUCH_US
from ratscrew.judge.credit import Credit
from ratscrew.judge.ping_schedule import OVERDUE_US, cover_pings_us
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.messages import EventMessage, LinkStatsMessage, Message
from ratscrew.table.room import room as rooms
from ratscrew.table.room.page_pinger import PROBE_EVERY_S
from ratscrew.table.room.room import Room
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import at_table, change_seat, line
from tests.table.people import Person, pass_ms, room_of

FOUR = "Ana: 9S 2C 5S | Bo: {} 3H 6S | Cy: 4H 8D | Di: 6D QC"


@dataclass(eq=False)
class Pinged(Person):
    """A page that notes its pings, in milliseconds since the newest card's reveal, and answers them."""

    clock: ManualClock = field(default_factory=ManualClock)
    room: Room | None = None
    rtt_ms: float = 20
    answers: bool = True
    at_ms: list[float] = field(default_factory=list)
    links: list[LinkStatsMessage] = field(default_factory=list)

    def hear(self, message: Message) -> None:
        """See `Person`."""
        if isinstance(message, LinkStatsMessage):
            self.links.append(message)
        super().hear(message)

    def ping(self) -> None:
        """See `Subscriber`."""
        assert self.room
        sent_us = self.clock.now_us()
        self.at_ms.append((sent_us - self.room.table.seen_us) / 1000)
        self.page_state.pings_us[len(self.at_ms)] = sent_us
        if self.answers:
            self.room._loop.call_later(self.rtt_ms / 1000, self._answer, len(self.at_ms), sent_us)

    def _answer(self, number: int, sent_us: int) -> None:
        assert self.room
        n, stamp_us = self.room.table.game.n if self.room.table.game else 0, sent_us + round(self.rtt_ms * 500)
        if stamp_us >= self.room.table.seen_us:
            self.page_state.note_paint(n, self.room.table.seen_us, self.clock.now_us())
        self.page_state.pings_us = {k: us for k, us in self.page_state.pings_us.items() if k > number}
        self.page_state.record_pong(sent_us, self.clock.now_us(), stamp_us)
        self.room.check_race()


def four(
    clock: ManualClock, bo: str = "9H", rtts_ms: tuple[float, ...] = (20, 20, 20, 20)
) -> tuple[Room, list[Pinged]]:
    """A room of four players, near unless said otherwise, and a page that watches."""
    room = room_of(at_table(FOUR.format(bo), here=[]), MemoryLog(), clock)
    pages = [Pinged(seat, clock=clock, room=room, rtt_ms=rtt_ms) for seat, rtt_ms in enumerate(rtts_ms)]
    for page in pages:
        page.page_state.rtt_estimator = line(clock.now_us(), page.rtt_ms)
        room.enter(page)
    room.enter(watcher := Pinged(None, clock=clock, room=room))
    return room, [*pages, watcher]


async def turn(room: Room, page: Pinged) -> None:
    """A player turns a card, and it is revealed."""
    assert room.table.game
    before = room.table.game.n
    room.play(page, before)
    while room.table.game.n == before or room.table.seen_us > room._clock.now_us():
        await pass_ms(5)


def slap(room: Room, page: Pinged) -> None:
    """A player slaps the newest card, without timestamps."""
    assert room.table.game
    room.slap(page, room.table.game.n, Press(room._clock.now_us()), FLAT)


def verdicts(page: Pinged) -> int:
    """How many races a page knows the verdict of."""
    return sum(isinstance(some, EventMessage) and isinstance(some.e, Judged) for some in page.got)


async def cover(clock: ManualClock, bo: str, monkeypatch: pytest.MonkeyPatch) -> list[list[float]]:
    """The pings of two cards in a row at each page."""
    monkeypatch.setattr(rooms, "_draw", Random(5).randrange)
    room, pages = four(clock, bo, (20, 60, 200, 30))
    for page in pages[:2]:
        await turn(room, page)
        await pass_ms(1000)
    return [page.at_ms for page in pages]


@on_manual_clock
async def test_every_card_has_cover_pings_whether_it_can_be_slapped_or_not(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = await cover(clock, "TH", monkeypatch)
    slappable = await cover(clock, "9H", monkeypatch)
    assert [len(each) for each in plain] == [len(each) for each in slappable]
    assert sum(map(len, plain)) > 0
    assert plain[4] == []  # a page that watches has no slap on its way
    for before, after in zip(plain, slappable, strict=True):
        assert before == pytest.approx(after, abs=2)


@on_manual_clock
async def test_cover_pings_come_when_the_schedule_says(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_draw", lambda most: 0)  # always a row for a far page, else a single one
    room, pages = four(clock, rtts_ms=(20, 20, 20, 240))
    await turn(room, pages[0])
    await pass_ms(1000)
    for page in pages[:4]:
        expected = [us / 1000 for us in cover_pings_us(round(page.rtt_ms * 1000), 240_000, lambda most: 0)]
        assert page.at_ms == pytest.approx(expected, abs=1.5)


@pytest.mark.parametrize("alone", [True, False])
@on_manual_clock
async def test_where_one_page_plays_there_is_nobody_to_hide_from(
    clock: ManualClock, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "_draw", lambda most: 0)
    room = room_of(at_table("Ana: 9S 2C | Bo: TH 3H", here=[]), MemoryLog(), clock)
    pages = [Pinged(seat, clock=clock, room=room) for seat in ((0,) if alone else (0, 1))]
    for page in pages:
        page.page_state.rtt_estimator = line(clock.now_us(), 20)
        room.enter(page)
    await turn(room, pages[0])
    await pass_ms(1000)
    assert all((page.at_ms == []) is alone for page in pages)


async def raced(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch, change: Callable[[list[Pinged]], None]
) -> list[Pinged]:
    """A race for Bo's nine that Cy has just begun, without cover pings; players have their usual credit."""
    monkeypatch.setattr(rooms, "_draw", lambda most: most - 1)
    room, pages = four(clock)
    for seat in range(len(room.table.seats)):
        change_seat(room.table, seat, credit=Credit())
    await turn(room, pages[0])
    await pass_ms(600)
    await turn(room, pages[1])
    change(pages)
    for page in pages:
        page.at_ms.clear()
    await pass_ms(MIN_REACTION_US / 1000 + 100)
    slap(room, pages[2])
    return pages


@on_manual_clock
async def test_in_a_race_the_others_are_asked_at_once_and_their_answers_decide_it(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = await raced(clock, monkeypatch, lambda pages: None)
    assert [len(page.at_ms) for page in pages] == [1, 1, 0, 1, 0]
    assert verdicts(pages[0]) == 0
    await pass_ms(25)
    assert verdicts(pages[0]) == 1
    await pass_ms(1000)
    assert [len(page.at_ms) for page in pages] == [1, 1, 0, 1, 0]


@on_manual_clock
async def test_a_page_that_two_players_share_is_not_asked_while_fingers_may_still_come(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends its time by itself then; it is asked once that is overdue."""
    monkeypatch.setattr(rooms, "_draw", lambda most: most - 1)
    room = room_of(at_table(FOUR.format("9H"), here=[]), MemoryLog(), clock)
    shared = Pinged(0, others=(1, 2, 3), clock=clock, room=room, rtt_ms=2)
    shared.page_state.rtt_estimator = line(clock.now_us(), 2)
    room.enter(shared)
    for seat in range(len(room.table.seats)):
        change_seat(room.table, seat, credit=Credit())
    for seat in (0, 1):
        assert room.table.game
        before = room.table.game.n
        room.play(shared, before, seat)
        while room.table.game.n == before or room.table.seen_us > clock.now_us():
            await pass_ms(5)
    await pass_ms(250)
    shared.page_state.record_press(2, (1, 1), clock.now_us(), clock.now_us())
    room.slap(shared, 2, Press(clock.now_us()), FLAT, 2)
    await pass_ms(SAME_TOUCH_US / 1000)
    assert shared.at_ms == []
    await pass_ms(OVERDUE_US / 1000 + 20)
    assert (len(shared.at_ms), verdicts(shared)) == (1, 1)


@on_manual_clock
async def test_a_page_whose_answer_is_overdue_is_asked_again(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(pages: list[Pinged]) -> None:
        for page in pages:  # no answer of another page either that would make the room look again
            page.answers = False

    pages = await raced(clock, monkeypatch, silent)
    (first_ms,) = pages[3].at_ms
    await pass_ms(20 + OVERDUE_US / 1000 - 2)
    assert len(pages[3].at_ms) == 1
    await pass_ms(4)
    assert pages[3].at_ms[1] - first_ms == pytest.approx(20 + OVERDUE_US / 1000, abs=1)
    await pass_ms(1000)
    assert verdicts(pages[0]) == 1  # a page that never answers is not waited for for ever


@on_manual_clock
async def test_how_good_the_connections_are_is_told_once_and_again_if_it_changes(clock: ManualClock) -> None:
    room, pages = four(clock)
    ana = pages[0]
    await pass_ms(3 * PROBE_EVERY_S * 1000)
    assert len(ana.links) == 1
    ana.far(clock, 80)
    await pass_ms(PROBE_EVERY_S * 1000)
    assert [round(link.rtt_ms) for link in ana.links[-1].links[:2] if link] == [80, 20]
    assert len(ana.links) == 2
    room.enter(watcher := Pinged(None, clock=clock, room=room))
    await pass_ms(PROBE_EVERY_S * 1000)
    assert watcher.links == ana.links[-1:]
