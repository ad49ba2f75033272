"""Whole games at the table: to their ends, again from their logs, and no card is sent before it is turned."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from ratscrew.bots.bot import Plan
from ratscrew.bots.memory import Memory
from ratscrew.cards import PACK
from ratscrew.game.codec import Codec
from ratscrew.game.engine import replay
from ratscrew.game.events import Burned, Dealt, Drawn, Played, Taken
from ratscrew.game.view import view
from ratscrew.table.core.pause import RESUME_US
from ratscrew.table.record.effects import Effect, Send, Store
from ratscrew.table.record.entries import Entry, TableEvent
from ratscrew.table.record.messages import Countdown, Late
from ratscrew.table.record.redaction import redact
from tests.table.driver import START_US, LiveTable, at_table, last, new_table

pytestmark = pytest.mark.usefixtures("tireless")

STRENGTHS = ("gentle", "steady", "sharp")
CARD = re.compile(rb'"((?:[2-9TJQKA][CDHS])|JK[BR])"')
_ANY = Codec[Any](Any)


def bots(seats: int, seed: int, **options: Any) -> LiveTable:
    """A table of bots of all strengths."""
    table = new_table(seed, **options)
    for seat in range(seats):
        table.add_seat(f"Bot {seat}", STRENGTHS[(seat + seed) % 3])
    return LiveTable(table)


def person_and_bots(seed: int, **options: Any) -> LiveTable:
    """A player who is here and lets their turns time out, and two bots."""
    table = new_table(seed, **options)
    table.add_seat("Ana")
    table.add_seat("Thoth", "sharp")
    table.add_seat("Isis", "gentle")
    return LiveTable(table)


# To the end


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("seed", [1, 2])
def test_bots_of_every_strength_play_to_the_end(seats: int, seed: int) -> None:
    live = bots(seats, seed).start()
    live.play_out()
    game = live.game
    assert game.winner is not None
    assert sorted(game.hands[game.winner]) == list(PACK)
    assert sum(map(game.cards_held, range(seats))) == 52
    assert live.told[-1] == f"{game.winner} wins"
    assert replay(entry.event for entry in live.entries if not isinstance(entry.event, TableEvent)) == game


def test_a_game_that_comes_back_to_an_earlier_state_ends_for_all_as_a_draw() -> None:
    """The smallest endless game, of a bot and a player whose cards are turned for them."""
    live = at_table("Ana: JS 2S 2H | Bo*: 2D JH 2C", plan=Plan(700_000), house="1;beggar;endgame=play_out")
    live.play_out()
    game = live.game
    assert (game.over, game.winner, game.end_reason) == (True, None, "repetition")
    assert sum(map(len, game.hands)) == 6
    assert live.table.wake_us() is None
    assert live.entries[-1].event == Drawn(game.standing, "repetition")


def test_time_in_the_log_never_goes_back_and_cards_keep_their_pace() -> None:
    live = person_and_bots(3, turn_ms=1000).start()
    live.play_out()
    times = [entry.at_us for entry in live.entries]
    assert times == sorted(times)
    assert times[0] == START_US
    shown = [entry.at_us for entry in live.entries if isinstance(entry.event, Played)]
    assert min(after - before for before, after in pairwise(shown)) >= 500_000
    assert [entry.event.n for entry in live.entries if isinstance(entry.event, Played)] == list(
        range(1, len(shown) + 1)
    )


def test_the_batches_of_a_game_follow_each_other_without_a_gap() -> None:
    live = bots(3, 5).start()
    live.play_out()
    version = 0
    for store in live.stores:
        assert (store.game, store.after) == ("TEST-1-1", version)
        assert store.entries
        version += len(store.entries)
    assert version == live.table.state.version


def test_the_same_chances_play_the_same_game() -> None:
    one, two, other = (bots(4, seed).start() for seed in (7, 7, 8))
    for live in (one, two, other):
        live.pass_ms(60_000)
    assert one.entries == two.entries
    assert one.entries != other.entries


# What is sent


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_nothing_that_is_told_holds_a_card_that_has_not_been_turned(seed: int) -> None:
    """Every message of the table, as sent: it names only cards that lie open, or are turned or burned by it."""
    live = person_and_bots(seed, turn_ms=1000)
    act, words, open_cards = live.act, 0, set[str]()

    def listen(effects: list[Effect]) -> list[Effect]:
        nonlocal words
        for effect in effects:
            for said in [redact(e.event) for e in effect.entries] if isinstance(effect, Store) else [last([effect])]:
                if isinstance(said, Played | Burned):
                    open_cards.update(map(str, [said.card] if isinstance(said, Played) else said.cards))
                assert cards_in(said) <= open_cards
                words += 1
                if isinstance(said, Taken):
                    open_cards.clear()  # face down in the winner's hand
        return act(effects)

    live.act = listen  # type: ignore[assignment, method-assign]
    live.start()
    live.play_out()
    assert words > 100


def cards_in(message: object) -> set[str]:
    """The cards that a message names, wherever in it."""
    return {name.decode() for name in CARD.findall(_ANY.encode(message))}


def test_the_deal_is_told_without_a_card() -> None:
    live = bots(2, 1).start()
    dealt = next(entry.event for entry in live.entries if isinstance(entry.event, Dealt))
    assert len(cards_in(dealt)) == 52
    assert cards_in(redact(dealt)) == cards_in(view(live.game)) == set()


def test_a_card_in_the_air_is_not_in_the_view() -> None:
    live = at_table("Ana: 9S 2C | Bo: TH 3H")
    effects = live.play(0)
    assert not any(cards_in(effect.message) for effect in effects if isinstance(effect, Send))
    assert cards_in(view(live.game)) == set()


# From the log


def restored(entries: list[Entry], number: int = 1) -> LiveTable:
    """A new table restored from a log, on a clock that goes on an hour later."""
    live = LiveTable(new_table(seed=99))
    live.table.restore(number, entries)
    live.clock.advance(3_600_000_000)
    live.act([Store(live.table.log.game, 0, tuple(entries), ())])
    return live


def test_a_table_restored_from_any_batch_on_is_the_same_table() -> None:
    """Wherever a server stops: the log holds what all clients saw."""
    live = person_and_bots(21, turn_ms=1000, collect_delay_ms=700).start()
    seen = {live.table.state.version: view(live.game)}
    while live.step():
        seen[live.table.state.version] = view(live.game)
    batches = [store.after + len(store.entries) for store in live.stores]
    assert set(batches) == set(seen)
    assert len(batches) > 60
    for version in batches:
        again = restored(live.entries[:version])
        assert view(again.game) == seen[version]
        assert (again.table.state.version, again.table.log.game) == (version, live.table.log.game)
        assert again.table.wake_us() is None  # until Ana is back


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.99, 1.0])
def test_a_restored_game_goes_on_to_its_end(share: float) -> None:
    live = person_and_bots(22, turn_ms=1000).start()
    live.play_out()
    batches = [store.after + len(store.entries) for store in live.stores]
    version = batches[int(share * (len(batches) - 1))]
    again = restored(live.entries[:version])
    again.come(0)
    again.play_out()
    assert again.game.winner is not None
    assert sorted(again.game.hands[again.game.winner]) == list(PACK)
    times = [entry.at_us for entry in again.entries]
    assert times == sorted(times)
    assert again.entries[:version] == live.entries[:version]
    assert [store.after for store in again.stores[1:2]] == ([version] if share < 1 else [])


def test_a_card_that_lay_there_before_a_restart_cannot_be_slapped_and_the_next_one_can() -> None:
    """Nobody gains by being the first to come back, or by knowing the moment."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 2H 5H")
    live.turn(0, 1)
    live.far(1, 400)
    live.slap(0, after_ms=300)  # this race is not decided when the server stops
    again = restored(live.entries)
    again.come(1), again.come(0)
    assert again.heard(Countdown)[-1] == Countdown(0, "resume", RESUME_US // 1000)
    again.pass_ms(RESUME_US / 1000)
    again.slap(1)
    assert again.heard(Late)[-1].n == 2
    again.turn(0, 1)
    again.slap(1)
    again.pass_ms(75)  # a restored table begins with a new credit of 25 + 50: Ana has that long
    assert again.told[-1] == "1 takes 4: slap:double"


def memory_of(live: LiveTable) -> Memory:
    """What the bots remember, with what has happened since they looked last."""
    assert live.table.session
    memory = live.table.session.bots.memory
    assert memory
    return memory


def test_bots_remember_after_a_crash_what_they_knew_before_it() -> None:
    live = person_and_bots(26, turn_ms=1000).start()
    live.pass_ms(60_000)
    again = restored(live.entries)
    assert memory_of(again) == memory_of(live)
    assert any(card for seat in range(3) for card in memory_of(again).known(seat))


def test_bots_play_on_in_a_restored_table_when_somebody_comes() -> None:
    live = person_and_bots(23, turn_ms=1000).start()
    live.pass_ms(20_000)
    again = restored(live.entries)
    before = again.game.n
    again.come(0)
    again.pass_ms(20_000)
    assert again.game.n > before + 5


def test_the_log_of_a_table_restores_it_in_a_house_of_its_own() -> None:
    live = person_and_bots(24, turn_ms=2500, direction="ccw", slaps={"sandwich": False}).start()
    again = restored(live.entries)
    assert again.table.state.rules == live.table.state.rules
    assert again.table.state.rules.turn_ms == 2500


def test_a_person_at_a_restored_table_is_not_here_and_a_bot_has_its_mind() -> None:
    again = restored(person_and_bots(25).start().entries)
    assert [(seat.here, seat.bot is not None, seat.plays) for seat in again.table.seats] == [
        (False, False, False),
        (False, True, True),
        (False, True, True),
    ]
    again.come(0)
    assert again.table.seats[0].plays
