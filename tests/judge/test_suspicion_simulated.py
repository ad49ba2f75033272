"""The indicators on simulated players: hardly any honest one is flagged at any round trip; cheats are, after few slaps.

A small version of `python -m benchmarks.suspicion` with a fixed seed; docs/fairness.md has the large one.
"""

from __future__ import annotations

import pytest

from benchmarks.suspicion import CHEATS, RTTS, cheat_table, honest_table

TABLES, SLAPS, SEED = 24, 100, 4711


def test_of_96_honest_players_at_every_round_trip_at_most_one_is_flagged() -> None:
    """At 1 % one of 96 is to be expected; nobody is flagged after 20 and 50 slaps."""
    players = [player for game in range(TABLES) for player in honest_table(SEED + game, SLAPS)]
    assert {rtt for rtt, _ in players} == set(RTTS)
    assert sum(bool(odd[SLAPS]) for _, odd in players) <= 1
    assert sum(bool(odd[many]) for _, odd in players for many in (20, 50)) == 0


SEEN = {
    "early stamps": (50, "slaps behind heartbeats"),
    "100 ms less where useful": (50, "heartbeats behind slaps"),
    "24 ms less on good slaps": (50, "heartbeats behind answers"),
    "pongs 50 ms late": (20, "answers behind packets"),
    "delayed ACKs": (20, "browser does not answer"),
    "robot, 152": (50, "spread of reactions"),
    "robot, 200": (50, "median reaction"),
    "robot, 180": (50, "reactions under 200 ms"),
    "slaps every card": (50, "wrong slaps"),
}
"""After how many slaps each cheat of three is flagged by which indicator."""


@pytest.mark.parametrize("begins", SEEN)
def test_a_cheat_is_flagged_by_its_sign(begins: str) -> None:
    (name,) = [name for name in CHEATS if name.startswith(begins)]
    many, sign = SEEN[begins]
    assert all(sign in cheat_table(name, SEED + game, many)[many] for game in range(3))
