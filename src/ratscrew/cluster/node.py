"""This process as a node of the cluster: renews its leases, and asks the directory without waiting on the event loop.

The renewal is a task of the event loop, on purpose: a process whose loop hangs stops renewing, and another takes over.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from ratscrew.cluster.directory import CALL_WITHIN_S, LEASE_S, ClusterDirectory
from ratscrew.cluster.records import NodeIdentity, NodeStatus, OpenRoom, Placement, Renewal, RoomState
from ratscrew.errors import ClusterError, LogError, NodeReplaced, Overloaded

RENEWALS_PER_LEASE = 3
"""How often a lease is renewed while it lasts, so that one lost answer costs no room."""

WAITING_MOST = 500
"""How many calls may wait for the directory. A call takes about a millisecond."""

TRY_AGAIN_S = 1.0

TAKEOVER_POLL_S = 0.1
"""How often a node that waits for its predecessor's end tries to register."""

T = TypeVar("T")
_logger = logging.getLogger(__name__)


class ClusterNode:
    """A node with its leases. All methods are for the event loop's thread; one thread of its own asks the directory.

    Unless said otherwise, they raise LogError if PostgreSQL cannot be reached in time, and Overloaded if too many calls
    wait already.
    """

    def __init__(
        self,
        directory: ClusterDirectory,
        on_lost: Callable[[Mapping[str, int]], None] = lambda _: None,
        lease_s: float = LEASE_S,
        clock: Callable[[], float] = time.monotonic,
        takeover_s: float = 0,
    ) -> None:
        """`on_lost` gets the rooms, with the epochs, that this node owned and that others own now: drop them at once.

        `lease_s` is that of the directory; `clock` gives seconds that never go backwards. `takeover_s` is how long
        `start` waits for the end of another process with this node's name, or of its lease if it was killed.
        """
        self._directory, self.on_lost = directory, on_lost
        self._lease_s, self._clock, self._takeover_s = lease_s, clock, takeover_s
        self._thread = ThreadPoolExecutor(1, "ratscrew-cluster")
        self._waiting = 0
        self._rooms: dict[str, int] = {}
        self._renewed_s, self._failing = float("-inf"), False
        self._ahead_s = 0.0
        self.draining, self._announced = False, False
        self.taken_over = self.lost_rooms = 0
        """How many rooms this node has claimed that others had, and how many others have claimed that it had."""

    @property
    def identity(self) -> NodeIdentity:
        """The name and the address of this node."""
        return self._directory.me

    @property
    def rooms(self) -> Mapping[str, int]:
        """The rooms that this node owned at its last call, by full name, with their epochs."""
        return dict(self._rooms)

    @property
    def alive(self) -> bool:
        """Whether this node's leases are valid: counted from before its last renewal, so never longer than they are.

        Nothing that has to be safe may depend on it: a paused process finds out only afterwards.
        """
        return self._clock() < self._renewed_s + self._lease_s

    def now_s(self) -> float:
        """The time of PostgreSQL, in seconds since 1970: nearly the same for all nodes, whatever their own clocks say.

        Only what one node signs for another depends on it.
        """
        return self._clock() + self._ahead_s

    def epoch_of(self, room: str) -> int | None:
        """The epoch of a room, by its full name, that this node owned at its last call."""
        return self._rooms.get(room)

    async def start(self) -> None:
        """Register this node, and enter the rooms of the log that are not in the directory yet. It owns no room before
        `announce`.

        Raises: ClusterError if another node with its name is alive, also after the wait.
        """
        until_s = self._clock() + self._takeover_s
        while True:
            try:
                self._renewed_s = await self._ask(self._register)
                break
            except ClusterError:
                if self._clock() >= until_s:
                    raise
            await asyncio.sleep(TAKEOVER_POLL_S)
        await self.renew()

    async def announce(self) -> None:
        """Take rooms from now on: this node's address leads to it."""

        def announce() -> None:
            self._directory.announce()
            self._announced = True

        await self._ask(announce)

    async def run(self, load: Callable[[], float] = lambda: 0.0) -> None:
        """Renew the leases until the task is cancelled, also after PostgreSQL was away; `load` is the node's load.

        Raises: NodeReplaced; then all rooms have been reported as lost.
        """
        while True:
            began_s = self._clock()
            with suppress(LogError):
                await self.renew(load())
            await asyncio.sleep(max(0.0, began_s + self._lease_s / RENEWALS_PER_LEASE - self._clock()))

    async def renew(self, load: float = 0) -> None:
        """Renew the leases once, and report the rooms that were lost.

        Raises: NodeReplaced; then all rooms have been reported as lost.
        """
        try:
            renewal, lost, self._renewed_s = await self._run(lambda: self._renew(load))
        except NodeReplaced:
            self._renewed_s = float("-inf")
            lost, self._rooms = self._rooms, {}
            self._report(lost)
            raise
        except LogError as error:
            if not self._failing:
                _logger.warning("the node's leases are not renewed; it goes on trying", extra={"error": str(error)})
            self._failing = True
            raise
        if self._failing:
            _logger.warning("the node's leases are renewed again")
        self._failing, self.draining = False, self.draining or renewal.draining
        self._ahead_s = renewal.now_s - self._clock()
        self._report(lost)

    async def create(self, room: str, code: str, opener: str | None = None) -> int | None:
        """See `ClusterDirectory.create`.

        Raises: ClusterError if this node's leases are not valid, or it is draining.
        """

        def create() -> int | None:
            if (epoch := self._directory.create(room, code, opener)) is not None:
                self._rooms[room] = epoch
            return epoch

        self._check_alive()
        return await self._ask(create)

    async def claim(self, code: str) -> Placement | None:
        """See `ClusterDirectory.claim`. A room that is here already stays, with its epoch.

        Raises: ClusterError if this node's leases are not valid; as `ClusterDirectory.claim`.
        """

        def claim() -> Placement | None:
            placement = self._directory.claim(code)
            if placement and placement.node == self.identity.name:
                self.taken_over += self._rooms.get(placement.room) != placement.epoch
                self._rooms[placement.room] = placement.epoch
            return placement

        self._check_alive()
        return await self._ask(claim)

    async def release(self, rooms: Mapping[str, int]) -> None:
        """Give up rooms: call it when all their appends are done. They count as given up even if this fails."""

        def release() -> None:
            for room, epoch in rooms.items():
                if self._rooms.get(room) == epoch:
                    del self._rooms[room]
            self._directory.release(rooms)

        await self._ask(release)

    async def find(self, code: str) -> Placement | None:
        return await self._ask(lambda: self._directory.find(code))

    async def publish(self, states: Sequence[RoomState]) -> None:
        await self._ask(lambda: self._directory.publish(states))

    async def reserve_chair(self, refused: Sequence[str] = ()) -> Placement | None:
        return await self._ask(lambda: self._directory.reserve_chair(refused))

    async def open_rooms(self, most: int, most_of_opener: int, playing: bool = False) -> list[OpenRoom]:
        return await self._ask(lambda: self._directory.open_rooms(most, most_of_opener, playing))

    async def retire(self, kept_s: float, unplayed_kept_s: float) -> None:
        await self._ask(lambda: self._directory.retire(kept_s, unplayed_kept_s))

    async def codes_in_use(self) -> dict[int, int]:
        return await self._ask(self._directory.codes_in_use)

    async def exchange_charges(
        self, writer: str, number: int, body: bytes | None, seen: Mapping[str, int]
    ) -> list[tuple[str, int, bytes]]:
        return await self._ask(lambda: self._directory.exchange_charges(writer, number, body, dict(seen)))

    async def drain(self) -> None:
        """Take no more rooms, for good: other nodes know it from now on, this one at once."""
        self.draining = True
        await self._ask(lambda: self._directory.set_draining(self.identity.name))

    async def nodes(self) -> list[NodeStatus]:
        return await self._ask(self._directory.nodes)

    async def forget_nodes(self, after_s: float) -> None:
        await self._ask(lambda: self._directory.forget_nodes(after_s))

    async def close(self) -> None:
        """Leave the cluster, so that other nodes need not wait for this one's leases to expire. Closing again does
        nothing. Raises nothing.
        """
        self._renewed_s = float("-inf")
        with suppress(LogError, RuntimeError):  # unreachable, or closed before
            await self._run(self._directory.leave)
        self._thread.shutdown(wait=False)
        self._directory.close()

    def _register(self) -> float:
        """Register; returns the time before it, by this node's clock."""
        began_s = self._clock()
        self._directory.register()
        self._directory.adopt_rooms()
        return began_s

    def _renew(self, load: float) -> tuple[Renewal, dict[str, int], float]:
        """Renew; returns also what was lost, and the time before it."""
        began_s = self._clock()
        renewal = self._directory.renew(load)
        if not self._announced:
            renewal = renewal._replace(draining=False)
        lost = {room: epoch for room, epoch in self._rooms.items() if renewal.rooms.get(room) != epoch}
        self._rooms = renewal.rooms
        return renewal, lost, began_s

    def _report(self, lost: Mapping[str, int]) -> None:
        if lost:
            self.lost_rooms += len(lost)
            _logger.warning("other nodes own %d rooms that were here", len(lost), extra={"rooms": sorted(lost)[:20]})
            self.on_lost(lost)

    def _check_alive(self) -> None:
        if not self.alive:
            raise ClusterError(f"node {self.identity.name} has no valid lease: it could not renew it in time")

    async def _ask(self, ask: Callable[[], T]) -> T:
        """A call for a client: bounded in number, and not begun at all if it has waited too long."""
        if self._waiting >= WAITING_MOST:
            raise Overloaded(TRY_AGAIN_S)
        until_s = self._clock() + CALL_WITHIN_S

        def ask_in_time() -> T:
            if self._clock() > until_s:
                raise LogError("the directory of the cluster did not answer in time")
            return ask()

        self._waiting += 1
        try:
            return await self._run(ask_in_time)
        finally:
            self._waiting -= 1

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
