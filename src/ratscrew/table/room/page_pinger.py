"""Pings the pages of one room: at random moments of every card, in a race those that it waits for, and regularly.

The answers show that no better slap is on its way (`judge.ping_schedule`). Cover pings at every card hide those that
ask in a race: a page must not learn from a ping that another player has slapped. The regular ones measure the
connections, and all pages are shown the result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from heapq import heappop, heappush
from itertools import count

from ratscrew.deck import Draw
from ratscrew.judge.page_state import PageState
from ratscrew.judge.ping_schedule import cover_pings_us
from ratscrew.table.core.table import Table
from ratscrew.table.record.clock import Clock
from ratscrew.table.record.messages import LinkStatsMessage
from ratscrew.table.room.subscriber import Broadcast, Subscriber, link_stats

PROBE_EVERY_S, PROBE_AT_REST_EVERY_S = 2.0, 8.0
"""How often all pages are probed while a game is running, and otherwise: most connections wait for a game."""


def probe_every_s(playing: bool) -> float:
    """How often each page is probed, in seconds."""
    return PROBE_EVERY_S if playing else PROBE_AT_REST_EVERY_S


class PagePinger:
    """Pings the pages of one room, with one timer for all. `pages` are the clients that are here."""

    def __init__(
        self,
        table: Table,
        pages: Callable[[], Collection[Subscriber]],
        clock: Clock,
        loop: asyncio.AbstractEventLoop,
        draw: Draw,
    ) -> None:
        self._table, self._pages, self._clock, self._loop, self._draw = table, pages, clock, loop, draw
        self._covers: list[tuple[int, int, Subscriber]] = []
        self._numbers = count()
        self._ask_us: int | None = None
        self._probe_us: int | None = None
        self._playing = False
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_us = 0
        self._link_stats: LinkStatsMessage | None = None

    def come(self) -> None:
        """A page has come: probe all pages from now on. Rooms differ in when, as all are restored at one moment."""
        self._link_stats = None
        if self._probe_us is None:
            self._probe_us = self._clock.now_us() + self._draw(self._period_us())
            self._set_alarm()

    def cover_card(self, reveal_us: int) -> None:
        """A card is revealed then: plan its cover pings. Where one page plays, it has no rival to learn of."""
        pages = [page for page in self._pages() if page.seats]
        if len(pages) < 2:
            return
        rtts_us = [page.page_state.link_estimate.rtt_us for page in pages]
        farthest_us = max(rtts_us)
        for page, rtt_us in zip(pages, rtts_us, strict=True):
            for after_us in cover_pings_us(rtt_us, farthest_us, self._draw):
                heappush(self._covers, (reveal_us + after_us, next(self._numbers), page))
        self._set_alarm()

    def ask(self) -> None:
        """The table has changed: ping the pages that a race waits for, if it is time; plan when to look again."""
        if self._table.state.playing is not self._playing:
            self._playing = self._table.state.playing
            if self._probe_us is not None:  # a game has begun: the next ping comes sooner, as those sent now say
                self._probe_us = min(self._probe_us, self._clock.now_us() + self._period_us())
                self._set_alarm()
        if self._ask_us is None and not self._table.racing:
            return
        now_us, asked, later = self._clock.now_us(), False, list[int]()
        for page_state, at_us in self._table.asks(now_us, self._covers_of):
            if at_us > now_us:
                later.append(at_us)
            elif page := next((page for page in self._pages() if page.page_state is page_state), None):
                page.ping()
                asked = True
        if asked:
            later = [at_us for _, at_us in self._table.asks(now_us, self._covers_of) if at_us > now_us]
        self._ask_us = min(later, default=None)
        self._set_alarm()

    def end(self) -> None:
        """Ping no page any more."""
        self._covers.clear()
        self._ask_us = self._probe_us = None
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _covers_of(self, page_state: PageState) -> list[int]:
        return [at_us for at_us, _, page in self._covers if page.page_state is page_state]

    def _period_us(self) -> int:
        return round(probe_every_s(self._table.state.playing) * self._clock.speed * 1e6)

    def _set_alarm(self) -> None:
        """Wake at the earliest of all times. An alarm that is too early by now stays: it sets the next one."""
        due = [us for us in (self._ask_us, self._probe_us) if us is not None]
        if self._covers:
            due.append(self._covers[0][0])
        if due and (self._alarm is None or min(due) < self._alarm_us):
            if self._alarm:
                self._alarm.cancel()
            self._alarm_us = min(due)
            self._alarm = self._loop.call_later(self._clock.until_s(self._alarm_us), self._wake)

    def _wake(self) -> None:
        now_us, pages, self._alarm = self._clock.now_us(), self._pages(), None
        while self._covers and self._covers[0][0] <= now_us:
            _, _, page = heappop(self._covers)
            if page in pages:
                page.ping()
        if self._probe_us is not None and self._probe_us <= now_us:
            self._probe_us = now_us + self._period_us() if pages else None
            for page in pages:
                page.probe(self._table.state.playing)
            self._send_link_stats(pages)
        self.ask()
        self._set_alarm()

    def _send_link_stats(self, pages: Collection[Subscriber]) -> None:
        """Tell all pages how good all connections are, if that has changed."""
        found = LinkStatsMessage(tuple(link_stats(seat.page_state) for seat in self._table.seats))
        if found != self._link_stats:
            self._link_stats, broadcast = found, Broadcast((found,))
            for page in pages:
                page.send(broadcast)
