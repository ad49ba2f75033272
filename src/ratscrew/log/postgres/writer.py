"""The writer of a log in PostgreSQL: stores groups of appends, also across lost connections and restarts."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Sequence

import psycopg
from psycopg import errors

from ratscrew.errors import Conflict, LogError
from ratscrew.log.group_commit import Queued
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.postgres.fence import Append, Batch, Chain, Outcome, look_up, store, take_batch
from ratscrew.log.postgres.session import (
    MAX_OUTAGE_S,
    RETRY_PAUSE_S,
    Session,
    connect,
    is_lost,
    one_line,
    unreachable,
)

ATTEMPT_S = 5.0
"""How long a statement may take. After that its connection counts as lost, and another one is tried."""

CLOSE_WITHIN_S = 2.0
"""How long a writer that is closed still waits for a PostgreSQL that cannot be reached."""

_logger = logging.getLogger(__name__)


class PostgresWriter:
    """Stores appends. Called by one thread, except for `hurry`.

    Raises: psycopg.Error if PostgreSQL cannot be reached.
    """

    def __init__(self, address: PostgresAddress) -> None:
        self._address = address
        self._session: Session | None = connect(address)
        row = self._session.execute("SELECT nextval('ratscrew.batch')").fetchone()
        assert row
        self._next_batch = int(row[0])
        self._closing_s, self._away = math.inf, False
        self.commits = self.lookups = 0

    def commit(self, group: list[Queued[Append]]) -> None:
        """Store appends, and complete their futures. Appends to one game are executed in their order."""
        waiting = group
        while waiting:
            batch, later = take_batch(waiting)
            waiting = [*self._settle(batch), *later]

    def hurry(self) -> None:
        """From now on, wait no longer than `CLOSE_WITHIN_S` for a PostgreSQL that cannot be reached."""
        self._closing_s = time.monotonic() + CLOSE_WITHIN_S

    def close(self) -> None:
        if self._session:
            self._session.close()
            self._session = None

    def _settle(self, batch: Batch) -> list[Queued[Append]]:
        """Store a batch, and complete its futures, but for the appends behind one that conflicted: returns those.

        After a lost answer the batch is in doubt: it is looked up before it is sent again, under the same number.
        """
        number, behind = self._new_number(), list[Queued[Append]]()
        sent = in_doubt = False
        while fail_orphans(batch):
            sending = False
            try:
                session = self._connected(batch)
                if sent:
                    self.lookups += 1
                    for game, (outcome, last) in look_up(session, batch, number).items():
                        if outcome is Outcome.STORED:
                            _succeed(batch.pop(game))
                        elif outcome is Outcome.CONFLICT:
                            behind += _conflict(batch.pop(game), last)
                sent = sending = True
                for game in store(session, batch, number):
                    _succeed(batch.pop(game))
                self.commits += 1
                self._note_away(None)
            except psycopg.Error as error:
                lost = self._session is None or is_lost(self._session, error)
                in_doubt = in_doubt or (lost and sending)
                if not lost and not in_doubt:
                    behind += self._refused(batch, error)
                    break
                self._note_away(error)
                reconnecting = self._session is None
                self.close()
                self._fail_expired(batch, error, in_doubt)
                if batch and (reconnecting or not lost):
                    time.sleep(RETRY_PAUSE_S)
        return behind

    def _new_number(self) -> int:
        self._next_batch += 1
        return self._next_batch

    def _connected(self, batch: Batch) -> Session:
        """The connection, a new one if it was lost. It waits until the first append of a batch expires.

        Raises: psycopg.Error if PostgreSQL cannot be reached now.
        """
        until_s = min(time.monotonic() + ATTEMPT_S, *(self._expires_s(q) for chain in batch.values() for q in chain))
        if self._session is None:
            self._session = connect(self._address, until_s)
        self._session.until_s = until_s
        return self._session

    def _refused(self, batch: Batch, error: psycopg.Error) -> list[Queued[Append]]:
        """Handle a batch that PostgreSQL refused, so that nothing of it is stored.

        An append that is at fault fails alone: they are tried one by one. Without space, all fail.
        """
        appends = [queued for chain in batch.values() for queued in chain]
        full = isinstance(error, errors.DiskFull | errors.OutOfMemory | errors.InsufficientResources)
        if full or len(appends) == 1:
            failed = LogError(f"{self._address}: {len(appends)} appends could not be stored: {one_line(error)}")
            for queued in appends:
                queued.done.set_exception(failed)
            return []
        return [more for queued in appends for more in self._settle({queued.write.game: [queued]})]

    def _fail_expired(self, batch: Batch, error: psycopg.Error, in_doubt: bool) -> None:
        """Fail the appends of a batch that have waited too long; `in_doubt` if they may be stored."""
        now_s = time.monotonic()
        for game, chain in list(batch.items()):
            if expired := [queued for queued in chain if self._expires_s(queued) <= now_s + RETRY_PAUSE_S]:
                batch[game] = chain[len(expired) :]
                for queued in expired:
                    queued.done.set_exception(self._timeout(error, in_doubt))
            if not batch[game]:
                del batch[game]

    def _note_away(self, error: psycopg.Error | None) -> None:
        """Log that the connection was lost, once, and that it is back."""
        if error and not self._away:
            _logger.warning("%s: appends wait for a new connection", self._address, extra={"error": one_line(error)})
        elif self._away and not error:
            _logger.warning("%s: appends go on", self._address)
        self._away = error is not None

    def _expires_s(self, queued: Queued[Append]) -> float:
        return min(queued.write.until_s, self._closing_s) if self._away else queued.write.until_s

    def _timeout(self, error: psycopg.Error, in_doubt: bool) -> LogError:
        doubt = "; whether the entries are stored is unknown: read the game again" if in_doubt else ""
        return LogError(f"{unreachable(self._address, error)}, for {MAX_OUTAGE_S:g} s{doubt}")


def fail_orphans(batch: Batch) -> Batch:
    """Fail the appends that are behind a failed one, and remove them from the batch; returns it.

    What they are behind has been in a batch before, or stands before them in their chain.
    """
    for game, chain in list(batch.items()):
        kept = list[Queued[Append]]()
        for queued in chain:
            behind = queued.write.behind
            if behind and behind.done() and (error := behind.exception()):
                queued.done.set_exception(error)
            else:
                kept.append(queued)
        batch[game] = kept
        if not kept:
            del batch[game]
    return batch


def _succeed(chain: Chain) -> None:
    for queued in chain:
        queued.done.set_result(queued.write.last)


def _conflict(chain: Chain, last: int) -> Sequence[Queued[Append]]:
    """Fail the first append of a chain; returns the others, which may still succeed."""
    write, done = chain[0]
    why = f"append after {write.after}, but the last entry is {last}"
    if last == write.after:
        why = "it has ended" if write.ends is None else f"{write.ends.game} has ended, or goes on elsewhere"
    done.set_exception(Conflict(f"game {write.game}: {why}"))
    return chain[1:]
