"""What happens to a room is published, once."""

from __future__ import annotations

from itertools import pairwise

from ratscrew.table.room.room_events import FirstCardTurned, GameOver, RoomEvent, RoomEvents, Timed
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.people import SlowLog, pass_ms, two


def heard(events: RoomEvents) -> list[RoomEvent]:
    """A list to which everything is added that is published from now on."""
    found: list[RoomEvent] = []
    events.subscribe(FirstCardTurned, found.append)
    events.subscribe(GameOver, found.append)
    events.subscribe(Timed, found.append)
    return found


@on_manual_clock
async def test_the_first_card_is_published(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    found = heard(room._events)
    assert found == []
    room.play(ana, 0)
    await pass_ms(900)
    assert found.count(FirstCardTurned(room.table.room)) == 1
    room.play(bo, 1)
    await pass_ms(900)
    assert found.count(FirstCardTurned(room.table.room)) == 1


@on_manual_clock
async def test_the_end_of_a_game_is_published_once_the_log_has_it(clock: ManualClock) -> None:
    """Bo cannot answer Ana's king with his only card, so the pile is hers, and she has all cards."""
    room, *_ = two(clock, log := SlowLog(), "Ana: KS 2C | Bo: 3H")
    found = heard(room._events)
    over = GameOver(room.table.room, room.table.log.game, linked=False)
    while not (room.table.game and room.table.game.over):
        await pass_ms(500)
        if log.waiting and not (room.table.game and room.table.game.over):
            await log.keep_now(count=len(log.waiting))
    assert over not in found
    await log.keep_now(count=len(log.waiting))
    await pass_ms(5000)
    assert found.count(over) == 1
    room.join("Cleo")
    await log.keep_now(count=len(log.waiting))
    await pass_ms(100)
    assert found.count(over) == 1


@on_manual_clock
async def test_a_room_says_whether_it_has_something_to_do(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    found = heard(room._events)
    room.play(ana, 0)
    await pass_ms(900)
    room.play(bo, 1)
    await pass_ms(900)
    room.exit(ana)
    room.exit(bo)
    await pass_ms(1000)
    room.enter(ana)
    await pass_ms(100)
    room.close()
    timed = [event.on for event in found if isinstance(event, Timed)]
    assert timed[-1] is False
    assert all(before != after for before, after in pairwise(timed))
