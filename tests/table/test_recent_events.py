"""The events that a room keeps for clients that come back, of which older ones are compressed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ratscrew.cards import Card
from ratscrew.game.codec import Codec
from ratscrew.game.events import Event, Played
from ratscrew.game.standing import Standing
from ratscrew.game.view_changes import replayed
from ratscrew.table.core.erasure import seated_by, without_name
from ratscrew.table.names.names import NO_NAME
from ratscrew.table.record.entries import Sat
from ratscrew.table.record.messages import EventMessage
from ratscrew.table.room import recent_events
from ratscrew.table.room.recent_events import PACK, REMEMBERED, RecentEvents
from ratscrew.table.state.log_writer import numbered
from ratscrew.testing.strategies import histories


def cards(many: int, first: int = 1) -> tuple[EventMessage, ...]:
    """So many messages about cards that were played."""
    turned = range(first, first + many)
    events = [Played(n % 4, Card(n % 52), n, Standing("play", (n + 1) % 4)) for n in turned]
    return numbered(events, first, [{"n": n} for n in turned])


encode = Codec[Any](Any).encode


@given(st.lists(histories(), min_size=1, max_size=4))
def test_a_client_gets_every_event_as_it_was(games: list[tuple[Event, ...]]) -> None:
    recent, all_events = RecentEvents(), list[EventMessage]()
    for events in games * 3:
        all_events += (messages := numbered(events, len(all_events) + 1, replayed(events, len(events))[1]))
        recent.add(messages)
    for count in range(0, min(len(all_events), REMEMBERED) + 1, 29):
        assert encode(recent.last(count)) == encode(all_events[len(all_events) - count :])
    assert encode(list(recent)) == encode(all_events[len(all_events) - len(recent) :])


@pytest.mark.parametrize("step", [1, 3, PACK])
def test_the_last_400_are_there_and_not_many_more(step: int) -> None:
    recent = RecentEvents()
    for first in range(1, 1000, step):
        recent.add(cards(step, first))
        newest = first + step - 1
        assert min(newest, REMEMBERED) <= len(recent) < REMEMBERED + 2 * PACK
        found = recent.last(min(newest, REMEMBERED))
        assert found
        assert (found[0].v, found[-1].v) == (max(1, newest - REMEMBERED + 1), newest)
    assert recent.last(REMEMBERED + 1) is None
    assert recent.last(-1) is None
    recent.clear()
    assert (len(recent), recent.last(0), recent.last(1)) == (0, [], None)


def test_a_game_from_the_log_is_compressed_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = list[int]()
    encode = recent_events._CODEC.encode

    def counting(messages: Sequence[EventMessage]) -> bytes:
        encoded.append(len(messages))
        return encode(list(messages))

    monkeypatch.setattr(recent_events._CODEC, "encode", counting)
    recent = RecentEvents(cards(REMEMBERED))
    for number in range(1, 30):
        recent.add(cards(1, REMEMBERED + number))
        assert len(encoded) <= number
    assert set(encoded) == {PACK}
    assert len(encoded) >= REMEMBERED // PACK


def test_a_name_is_deleted_from_the_compressed_ones_too() -> None:
    sat, recent = Sat(0, "Ana", player_id=7), RecentEvents()
    recent.add((EventMessage(1, sat), *cards(200, 2)))
    recent.add(cards(1, 202))
    recent.rewrite(lambda message: replace(message, e=without_name(message.e, seated_by([7]))))
    found = recent.last(202)
    assert found
    assert found[0] == EventMessage(1, replace(sat, name=NO_NAME))
    assert found[1:] == list(cards(201, 2))


def test_what_is_kept_takes_less_than_a_quarter_of_the_events() -> None:
    def size_of(recent: RecentEvents | list[EventMessage]) -> int:
        tracemalloc.start()
        try:
            for n in range(1, REMEMBERED + 1):
                message = cards(1, n)
                recent.add(message) if isinstance(recent, RecentEvents) else recent.extend(message)
                del message
            return tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()

    assert size_of(RecentEvents()) < size_of([]) / 4
