"""The parts of the client's benchmark; tests/browser/test_client_benchmark.py runs the whole."""

from __future__ import annotations

import asyncio

from benchmarks.client import growth, play_for


class SlowPlayer:
    """Turns its first card in the third stretch of play, and is its own page: its tap is sent in the fifth."""

    def __init__(self) -> None:
        self.cards = self.stretches = 0
        self.page = self

    async def has_tapped(self) -> bool:
        """Whether a tap was sent."""
        return self.stretches >= 5

    async def play(self, seconds: float) -> bool:
        """A stretch of play that never ends the game."""
        assert seconds > 0
        self.stretches += 1
        self.cards = int(self.stretches >= 3)
        return False


def test_play_goes_on_until_there_is_a_card_and_a_tap_to_measure() -> None:
    player = SlowPlayer()
    asyncio.run(play_for(player, 0.0))  # type: ignore[arg-type]
    assert (player.cards, player.stretches) == (1, 5)


def test_memory_that_a_page_takes_in_its_first_games_is_no_growth() -> None:
    heaps = (2000.0, 3000.0, 3500.0, 4000.0, 4010.0, 4020.0, 4030.0)
    games = [{"heap_kb": heap, "nodes": 700.0, "listeners": 90.0} for heap in heaps]
    assert growth(games) == {"heap_kb": 10, "nodes": 0, "listeners": 0}
    assert growth(games[:4]) == {}
