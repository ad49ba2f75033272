"""The requests that took seats lately, so that one that comes again after a restart takes no second seat. No I/O.

The entry of each seat has its request. A game's first entry repeats those of the games before it, so restoring a room
reads the entries of one game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ratscrew.table.records.entries import Entry, RequestId, Sat, SeatRequest

RECENT_US = 600_000_000
"""How long after a player took a seat the same request gets the same seat again, also after a restart."""

SEAT_REQUESTS_MOST = 64
"""How many requests are kept; a table has 30 seats at most."""


class SeatRequests:
    """The requests of one room that took seats."""

    def __init__(self, before: Sequence[Entry] = ()) -> None:
        """The requests in the entries of the room's last game."""
        self._requests: dict[RequestId, SeatRequest] = {}
        if before and (snapshot := before[0].ledger):
            for request in snapshot.requests:
                self._add(request)
        for entry in before:
            self._note(entry)

    def __iter__(self) -> Iterator[RequestId]:
        """The requests, oldest first."""
        return iter(self._requests)

    def players(self, now_us: int) -> dict[str, int]:
        """The ids of the players who took a seat lately, by the page or the key of their request."""
        return {each.page: each.player_id for each in self._recent(now_us)}

    def sign(self, entries: tuple[Entry, ...], request: RequestId | None) -> tuple[Entry, ...]:
        """The entries as the log stores them: those that take a seat with their request; only such a request is not
        safe to repeat. The snapshot at a deal gets the recent requests of the games before.
        """
        if entries and (ledger := entries[0].ledger):
            recent = tuple(self._recent(entries[0].at_us))
            self._requests = {RequestId(each.page, each.s): each for each in recent}
            entries = (replace(entries[0], ledger=replace(ledger, requests=recent)), *entries[1:])
        if request:
            entries = tuple(replace(each, request=request) if isinstance(each.event, Sat) else each for each in entries)
            for entry in entries:
                self._note(entry)
        return entries

    def _note(self, entry: Entry) -> None:
        if entry.request and isinstance(sat := entry.event, Sat):
            player_id = sat.seat if sat.player_id is None else sat.player_id
            self._add(SeatRequest(*entry.request, player_id, entry.at_us))

    def _add(self, request: SeatRequest) -> None:
        self._requests[RequestId(request.page, request.s)] = request
        if len(self._requests) > SEAT_REQUESTS_MOST:
            del self._requests[next(iter(self._requests))]

    def _recent(self, now_us: int) -> Iterator[SeatRequest]:
        return (each for each in self._requests.values() if now_us - each.at_us < RECENT_US)
