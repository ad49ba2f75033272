"""What the bots of one table share is computed once for all of them, and races ask the game no more than needed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ratscrew.bots import strategy_traits
from ratscrew.bots.ladder import bot
from ratscrew.cards import PileCard, cards
from ratscrew.game.state import Game
from ratscrew.rules.link import from_link
from ratscrew.table.core.table import Table
from ratscrew.table.session import slap_tracker
from ratscrew.table.session.slap_tracker import slap_target
from tests.table.driver import LiveTable

CARDS, BOTS = 150, 12


def watched(house: str) -> LiveTable:
    """A dozen of the strongest bots, and Ana, who only watches."""
    chance = Random(4)
    table = Table("TEST-1", from_link(house), bot, chance.randrange, chance.random)
    table.add_seat("Ana")
    for number in range(BOTS):
        table.add_seat(f"Bot {number}", "ra")
    return LiveTable(table).start()


@pytest.mark.usefixtures("tireless")
def test_the_odds_are_worked_out_once_a_card_for_all_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, worked_out = Counter[str](), strategy_traits._pattern_odds

    def counting(*args: object) -> float:
        asked["odds"] += 1
        return worked_out(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(strategy_traits, "_pattern_odds", counting)
    live = watched("1;chaos;decks=8;max_players=0")
    while live.game.n < CARDS and not live.game.over:
        live.step()
    assert 10 < asked["odds"] <= live.game.n


def test_odds_are_of_what_is_asked_now() -> None:
    rules, others = from_link("1;classic"), from_link("1;classic;slaps.double=off;slaps.sandwich=off;slaps.instant=-")
    asked = [(rules, 2), (others, 2), (rules, 2), (from_link("1;classic;decks=auto"), 13)]
    pile = (PileCard(cards("9S")[0]),)
    found = [strategy_traits.pattern_odds(house, seats, pile, None) for house, seats in asked]
    assert [round(odds, 4) for odds in found] == [0.0588, 0.0, 0.0588, 0.071]  # 3 of 51 cards; 11 of 155


@pytest.mark.usefixtures("tireless")
def test_what_a_race_is_for_is_found_once_for_each_state_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[tuple[int, int]] = []
    found = slap_target

    def counting(game: Game, n: int) -> object:
        games.append((game.version, n))
        return found(game, n)

    monkeypatch.setattr(slap_tracker, "slap_target", counting)
    live = watched("1;classic;max_players=0")
    while live.game.n < CARDS and not live.game.over:
        live.step()
        live.table.wake_us()
        live.table.tick(live.now_us)
    assert len(games) >= 5
    assert max(Counter(games).values()) == 1
