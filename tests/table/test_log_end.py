"""A game whose log gets too long ends with a result, announced before."""

from __future__ import annotations

from typing import TypeVar

import pytest

from ratscrew.game.events import Drawn, LimitSet, Won
from ratscrew.table.record import log_budget
from ratscrew.table.record.messages import Refused
from tests.table.driver import LiveTable, at_table, new_table

E = TypeVar("E")

pytestmark = pytest.mark.usefixtures("tireless")


def played_out(live: LiveTable, steps: int = 400) -> None:
    """The table does what is due until the game is over."""
    for _ in range(steps):
        if live.game.over or not live.step():
            break


def events_of(live: LiveTable, kind: type[E]) -> list[E]:
    return [entry.event for entry in live.entries if isinstance(entry.event, kind)]


def test_a_long_game_gets_a_limit_and_ends_there_with_a_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_budget, "ENTRIES_ENDING", 8)
    monkeypatch.setattr(log_budget, "CARDS_LEFT", 4)
    live = at_table("Ana: JS 2C 4H JH 6D JD 9C 2H | Bo: TH 3H 5H 7D 9D TD TC 5C", turn_ms=2000)
    played_out(live)
    (limit,) = events_of(live, LimitSet)
    assert live.game.end_reason == "limit"
    assert live.game.n >= limit.cards > 4
    assert len(events_of(live, Won)) + len(events_of(live, Drawn)) == 1
    assert not live.heard(Refused)


def test_when_the_log_is_full_nobody_can_slap_but_the_cards_are_turned_until_the_pile_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(log_budget, "ENTRIES_ENDING", 6)
    monkeypatch.setattr(log_budget, "ENTRIES_MOST", 9)
    live = at_table("Ana: 9S 2C JH 6D 8C | Bo: TH 3H 5H 7D 9D", turn_ms=2000)
    while not live.table.state.log_full:
        assert live.step()
    live.slap(0)
    assert {refusal.reason for refusal in live.heard(Refused)} == {"room_log_full"}
    played_out(live)
    assert (live.game.over, live.game.end_reason, live.game.winner) == (True, "limit", 0)
    assert [limit.cards for limit in events_of(live, LimitSet)] == sorted(
        (limit.cards for limit in events_of(live, LimitSet)), reverse=True
    )
    live.again(0)
    assert (live.table.state.round, live.table.state.playing) == (2, True)


def test_a_nearer_limit_of_the_house_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_budget, "ENTRIES_ENDING", 4)
    live = at_table("Ana: JS 2C 4H 6D 8C | Bo: TH 3H 5H 7D 9D", turn_ms=2000, limit_cards=3)
    played_out(live)
    assert not events_of(live, LimitSet)
    assert (live.game.end_reason, live.game.n) == ("limit", 3) or live.game.n > 3


def test_a_restored_game_has_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_budget, "ENTRIES_ENDING", 6)
    live = at_table("Ana: 9S 2C 4H 6D 8C | Bo: TH 3H 5H 7D 9D", turn_ms=2000)
    while not events_of(live, LimitSet):
        assert live.step()
    again = new_table()
    again.restore(1, live.entries)
    assert again.game
    assert again.game.limit == live.game.limit > 0
