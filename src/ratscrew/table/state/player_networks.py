"""The networks of a room's players: a removed player does not come back from the same one, and one has one vote.

Networks are opaque keys here: the web layer gives keyed hashes of addresses, which mean nothing outside its process.
They live as long as the room is in memory and are never logged.
"""

from __future__ import annotations

from ratscrew.table.state.evolve import REMOVED_MOST
from ratscrew.table.state.table_state import SEATS_MOST, TableState

NETWORKS_MOST = 4
"""How many networks of a player are remembered; the oldest is forgotten first."""


class PlayerNetworks:
    """The networks of one room's players."""

    def __init__(self) -> None:
        self._networks: dict[int, tuple[str, ...]] = {}

    def note(self, player_id: int, network: str) -> None:
        """Note that a player came from this network."""
        before = self._networks.pop(player_id, ())
        self._networks[player_id] = (*(other for other in before if other != network), network)[-NETWORKS_MOST:]
        if len(self._networks) > REMOVED_MOST + SEATS_MOST:
            del self._networks[next(iter(self._networks))]

    def bans(self, network: str, state: TableState) -> bool:
        """Whether newcomers from this network are refused, because players from there were removed.

        After one removal a network is banned unless a player at the table shares it, such as one Wi-Fi at a party.
        After two it is banned in any case, or a stranger with several seats could replace each one. The host's own
        network is never banned.
        """
        removed = sum(self._has(player_id, network) for player_id in state.removed)
        if not removed or self._has(state.seats[state.host].player_id, network):
            return False
        return removed > 1 or not any(self._has(seat.player_id, network) for seat in state.seats if seat.stays)

    def has_player(self, network: str, state: TableState) -> bool:
        """Whether a player at the table came from this network: another page there is in the same place."""
        return any(self._has(seat.player_id, network) for seat in state.seats if seat.stays)

    def are_shared(self, player_id: int, other: int) -> bool:
        """Whether two players came from the same network: they may be one person."""
        return not set(self._networks.get(player_id, ())).isdisjoint(self._networks.get(other, ()))

    def _has(self, player_id: int, network: str) -> bool:
        return network in self._networks.get(player_id, ())
