"""The requests that have stored something lately: one that comes again is not done again, also after a restart and at
another node. No I/O.

The log has a request in the same append as what it did: in the entry of each seat that it took, otherwise in its first
entry. A game's first entry repeats the recent ones of the games before it, so restoring a room reads the entries of one
game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ratscrew.table.records.entries import DoneRequest, Entry, LedgerSnapshot, RequestId, Sat, SeatRequest

RECENT_US = 600_000_000
"""How long after a player took a seat the same request gets the same seat again, also after a restart."""

SEAT_REQUESTS_MOST = 64
"""How many requests that took a seat are kept; a table has 30 seats at most."""

DONE_MOST = 32
"""How many others are kept. A page has no more than a few requests without an answer."""


class LoggedRequests:
    """The requests of one room that the log has."""

    def __init__(self, before: Sequence[Entry] = (), snapshot: LedgerSnapshot | None = None) -> None:
        """The requests in the entries of the room's last game: all, or those since the one with a `snapshot`."""
        self._seats: dict[RequestId, SeatRequest] = {}
        self._done: dict[RequestId, DoneRequest] = {}
        if snapshot is None and before:
            snapshot = before[0].ledger
        if snapshot:
            for seat in snapshot.requests:
                self._add_seat(seat)
            for done in snapshot.done:
                self._add_done(done)
        for entry in before:
            self._note(entry)

    def __contains__(self, request: object) -> bool:
        return request in self._seats or request in self._done

    def players(self, now_us: int) -> dict[str, int]:
        """The ids of the players who took a seat lately, by the page or the key of their request."""
        return {each.page: each.player_id for each in self._recent_seats(now_us)}

    def sign(self, entries: tuple[Entry, ...], request: RequestId | None) -> tuple[Entry, ...]:
        """The entries as the log stores them: with their request. The snapshot at a deal gets the recent ones of the
        games before.
        """
        if entries and (ledger := entries[0].ledger):
            entries = (replace(entries[0], ledger=self.complete(ledger, entries[0].at_us)), *entries[1:])
        if request and entries:
            signed = [number for number, entry in enumerate(entries) if isinstance(entry.event, Sat)] or [0]
            if entries[0].ledger:  # the players of a new game are its first entries: they have their seats already
                signed = [0]
            entries = tuple(
                replace(entry, request=request) if number in signed else entry for number, entry in enumerate(entries)
            )
            for entry in entries:
                self._note(entry)
        return entries

    def complete(self, ledger: LedgerSnapshot, now_us: int) -> LedgerSnapshot:
        """A snapshot with the recent requests; the others are forgotten."""
        seats = tuple(self._recent_seats(now_us))
        done = tuple(each for each in self._done.values() if now_us - each.at_us < RECENT_US)
        self._seats = {RequestId(each.page, each.s): each for each in seats}
        self._done = {RequestId(each.page, each.s): each for each in done}
        return replace(ledger, requests=seats, done=done)

    def _note(self, entry: Entry) -> None:
        if entry.request is None:
            return
        if isinstance(sat := entry.event, Sat) and not entry.ledger:
            player_id = sat.seat if sat.player_id is None else sat.player_id
            self._add_seat(SeatRequest(*entry.request, player_id, entry.at_us))
        else:
            self._add_done(DoneRequest(*entry.request, entry.at_us))

    def _add_seat(self, request: SeatRequest) -> None:
        self._seats[RequestId(request.page, request.s)] = request
        if len(self._seats) > SEAT_REQUESTS_MOST:
            del self._seats[next(iter(self._seats))]

    def _add_done(self, request: DoneRequest) -> None:
        self._done[RequestId(request.page, request.s)] = request
        if len(self._done) > DONE_MOST:
            del self._done[next(iter(self._done))]

    def _recent_seats(self, now_us: int) -> Iterator[SeatRequest]:
        return (each for each in self._seats.values() if now_us - each.at_us < RECENT_US)
