"""Random players, actions and round trips: no page gets a card before it has to, and all get it in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from ratscrew.game.events import Played
from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.table.core.table import Table
from ratscrew.table.record.entries import Entry
from ratscrew.table.record.messages import EventMessage, Message
from ratscrew.table.room.subscriber import Broadcast, TableSnapshot
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import at_table
from tests.table.people import Person, now, pass_ms, room_of

LATE_US = 1_000
"""How late an event loop may be: it counts in milliseconds."""

words = st.lists(
    st.tuples(
        st.sampled_from(["turn", "turn", "turn", "slap", "under", "leave", "come", "watch", "far"]),
        st.integers(0, 2),
        st.integers(0, 900),
        st.sampled_from([0, 1, 10, 50, 150, 340, 500, 700, 2000]),
    ),
    min_size=10,
    max_size=40,
)
"""An action, its seat, the seat's round trip then, and how long it takes."""


@dataclass
class Log(MemoryLog[Entry]):
    """A log that notes when each card is revealed, and how long before that each page may get it."""

    table: Table | None = None
    seen_us: dict[int, int] = field(default_factory=dict)
    leads_us: dict[tuple[int, int], int] = field(default_factory=dict)
    pages: list[PageState] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def append_soon(
        self, game: str, after: int, events: Sequence[Entry], behind: Future[int] | None = None
    ) -> Future[int]:
        """See `EventLog`."""
        assert self.table
        for entry in events:
            if isinstance(entry.event, Played):
                self.seen_us[entry.event.n] = self.table.seen_us
                for seat in self.table.seats:
                    if seat.page_state:
                        self.pages.append(seat.page_state)  # so that no other page gets its id
                        rtt_us = min(400_000, seat.page_state.rtt_estimator.app_us or 0)
                        self.leads_us[id(seat.page_state), entry.event.n] = min(250_000, rtt_us // 2 + 23_000)
        return super().append_soon(game, after, events, behind)


@dataclass(eq=False)
class Watchful(Person):
    """A subscriber that notes the time of each card."""

    clock: ManualClock = field(default_factory=ManualClock)
    log: Log = field(default_factory=Log)
    promised: set[int] = field(default_factory=set)
    cards: set[int] = field(default_factory=set)

    def check(self, what: str, n: int, holds: bool) -> None:
        """Note a violation: an exception raised here would be lost in the event loop."""
        if not holds:
            self.log.wrong.append(f"{what} {n} at {self.clock.now_us()}, and {self.log.seen_us[n]} is its moment")

    def comes(self, n: int, *, whole: bool = False) -> None:
        """Card `n` comes now, alone or with the `whole` table."""
        head_start_us = self.log.leads_us.get((id(self.page_state), n), 0) if self.seats and not whole else 0
        self.check("early", n, self.clock.now_us() >= self.log.seen_us[n] - head_start_us)

    def announce(self, n: int, at_us: int) -> None:
        """See `Subscriber`."""
        self.comes(n)
        self.check("announced behind itself", n, n not in self.cards)
        self.promised.add(n)

    def send(self, broadcast: Broadcast) -> None:
        """See `Subscriber`."""
        for message in broadcast.messages:
            self.hear(message)

    def hear(self, message: Message) -> None:
        """See `Subscriber`."""
        if isinstance(message, EventMessage) and isinstance(message.e, Played):
            n = message.e.n
            self.comes(n)
            self.cards.add(n)
            self.check("late", n, self.clock.now_us() <= self.log.seen_us[n] + LATE_US)
            shown = bool(self.seats) and (id(self.page_state), n) in self.log.leads_us
            self.check("announced to the wrong ones", n, (n in self.promised) is shown)

    def send_snapshot(self, snapshot: TableSnapshot) -> None:
        """See `Subscriber`."""
        if snapshot.view and snapshot.view.n:
            self.comes(snapshot.view.n, whole=True)

    def resume(self, snapshot: TableSnapshot, missed: Sequence[EventMessage]) -> None:
        """See `Subscriber`."""
        for told in missed:
            if isinstance(told.e, Played):
                self.comes(told.e.n, whole=True)


@settings(max_examples=max(1, settings().max_examples // 2))
@given(words)
@on_manual_clock
async def test_nobody_is_told_of_a_card_before_he_has_to_be_and_everybody_in_time(
    done: list[tuple[str, int, int, int]], clock: ManualClock
) -> None:
    live = at_table("Ana: 9S 2C 9D 4C 7H 3D | Bo: 9H 3H 9C 5H 6S 8D | Cy: KC 7C 2H 4S 8S", here=[], turn_ms=3000)
    log = Log(live.table)
    room = room_of(live, log, clock)
    here: dict[int, Watchful] = {}

    def come(seat: int | None, rtt_ms: int) -> None:
        guest = Watchful(seat, clock=clock, log=log)
        guest.far(clock, rtt_ms)
        room.enter(guest, room.table.log.public, max(0, room.table.state.version - rtt_ms % 4))
        if seat is not None:
            here[seat] = guest

    come(0, 0)
    for word, seat, rtt_ms, ms in done:
        who = here.get(room.table.game.standing.turn if word == "turn" and room.table.game else seat)
        match word:
            case "come":
                come(seat, rtt_ms)
            case "watch":
                come(None, rtt_ms)
            case "turn" if who and room.table.game:
                room.play(who, room.table.game.n)
            case "slap" | "under" if who and room.table.game:
                room.slap(who, room.table.game.n - (word == "under"), now(clock), FLAT)
            case "far" if who:
                who.far(clock, rtt_ms)
            case "leave" if who:
                room.exit(here.pop(seat))
        await pass_ms(ms)
    await asyncio.sleep(1)
    assert (room.closed, log.wrong) == (False, [])
    for n in log.seen_us:
        assert n == 1 or log.seen_us[n] - log.seen_us[n - 1] >= 500_000
