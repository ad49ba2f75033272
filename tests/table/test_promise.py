"""The promise before a deal, the nonces of players, and that no seed is published before its game is over."""

from __future__ import annotations

import pytest

from ratscrew.errors import RefusalReason, RulesError
from ratscrew.game.codec import Codec
from ratscrew.table.core.room_commands import execute
from ratscrew.table.history.history import history
from ratscrew.table.record import requests
from ratscrew.table.record.commit_reveal import NO_NONCE, promise
from ratscrew.table.record.effects import Send
from ratscrew.table.record.entries import Committed, LaidOut, NonceGiven, Promised, PublicEvent
from ratscrew.table.record.messages import Refused
from ratscrew.table.record.redaction import redact
from ratscrew.table.registry.lessons import HOUSE, LESSONS
from tests.table.driver import LiveTable, change, last, new_table

ANAS, BOS = "a1" * 16, "b0" * 16


def gathered() -> LiveTable:
    """Ana and Bo, before the first game."""
    live = LiveTable(new_table())
    live.table.add_seat("Ana")
    live.table.add_seat("Bo")
    live.act(live.table.open(live.now_us))
    live.come(0)
    live.come(1)
    return live


def begun() -> LiveTable:
    """Ana and Bo in their first game."""
    live = gathered()
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    return live


def give(live: LiveTable, seat: int, nonce: str, hash: str | None = None) -> list[str]:
    """A page gives a nonce; the reason if it is refused."""
    wanted = hash or live.table.state.promise or ""
    effects = live.act(execute(live.table, seat, requests.GiveNonce(wanted, nonce), live.now_us))
    said = [effect.message for effect in effects if isinstance(effect, Send)]
    return [message.reason for message in said if isinstance(message, Refused)]


def seeds(live: LiveTable) -> list[str]:
    """Every seed that is in the log."""
    events = [entry.event for store in live.stores for entry in store.entries]
    return [event.seed for event in events if isinstance(event, Promised | Committed) and event.seed]


def test_a_room_promises_its_first_shuffle_when_it_opens() -> None:
    live = gathered()
    (seed,) = seeds(live)
    assert live.table.state.promise == promise("TEST-1-1", seed)


def test_the_next_shuffle_is_promised_with_the_deal() -> None:
    live = begun()
    first, sealed, second = seeds(live)
    assert (first == sealed, first != second) == (True, True)
    assert live.table.state.promise == promise("TEST-1-2", second)


def test_each_seat_gives_one_number_and_the_first_one_stays() -> None:
    live = gathered()
    assert give(live, 0, ANAS) == []
    assert give(live, 0, ANAS) == []
    assert give(live, 0, BOS) == [RefusalReason.TWICE]
    assert [entry.event for entry in live.entries if isinstance(entry.event, NonceGiven)] == [NonceGiven(0, ANAS)]


def test_a_number_for_a_shuffle_that_has_been_is_too_late() -> None:
    live = gathered()
    hash = live.table.state.promise
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    assert give(live, 0, ANAS, hash) == [RefusalReason.TOO_LATE]


def test_a_number_goes_with_who_gave_it_when_chairs_close_up() -> None:
    live = gathered()
    live.join("Cy")
    give(live, 2, ANAS)
    live.act(execute(live.table, 1, requests.Leave(), live.now_us))
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    (sealed,) = [entry.event for entry in live.entries if isinstance(entry.event, Committed)]
    assert sealed.nonces == (NO_NONCE, ANAS)


def test_a_number_is_for_one_shuffle_only() -> None:
    live = gathered()
    give(live, 0, ANAS)
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    assert [seat.nonce for seat in live.table.seats] == [NO_NONCE, NO_NONCE]


def test_promise_and_numbers_outlive_a_stop_of_the_server() -> None:
    live = gathered()
    give(live, 1, BOS)
    again = new_table(seed=2)
    again.restore(0, live.entries)
    assert again.state.promise == live.table.state.promise
    after = LiveTable(again)
    after.act(execute(again, 0, requests.Start(), live.now_us))
    (sealed,) = [entry.event for entry in after.entries if isinstance(entry.event, Committed)]
    assert (sealed.seed, sealed.nonces) == (seeds(live)[0], (NO_NONCE, BOS))


def test_where_the_house_is_for_fewer_the_promise_stays() -> None:
    live = gathered()
    before = live.table.state.promise
    change(live.table, rules=HOUSE.__class__(max_players=2))
    live.table.add_seat("Cy")
    with pytest.raises(RulesError):
        live.table.start(live.now_us)
    assert live.table.state.promise == before


def test_cards_that_are_laid_out_have_no_seal() -> None:
    table = new_table()
    table.dealer._laid = LESSONS["turn"].lay
    table.add_seat("Ana")
    table.add_seat("Bo")
    live = LiveTable(table).start()
    assert [event for event in live.entries if isinstance(event.event, Committed)] == []
    assert LaidOut() in [entry.event for entry in live.entries]
    assert table.state.commitment is None


def test_nobody_is_told_a_seed_before_its_game_is_over() -> None:
    live = begun()
    everything = b"".join(
        Codec[PublicEvent](PublicEvent).encode(redact(entry.event)) for s in live.stores for entry in s.entries
    )
    assert len(seeds(live)) == 3
    assert not any(seed.encode() in everything for seed in seeds(live))


def test_of_a_game_that_is_over_only_its_own_seed_is_told() -> None:
    live = begun()
    live.play_out()
    finished = history(live.entries).finished("TEST-1-1")
    sealed, promised = seeds(live)[1:]
    assert finished.seed == sealed
    assert promised not in str(finished)


def test_nobody_gives_a_number_who_has_left() -> None:
    live = gathered()
    live.act(execute(live.table, 1, requests.Leave(), live.now_us))
    assert last(live.act(execute(live.table, 1, requests.GiveNonce("", BOS), live.now_us))) == Refused(
        "nonce", RefusalReason.NOT_PLAYING
    )
