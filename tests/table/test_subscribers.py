"""Subscribers of a room: one that comes back gets the events it has missed, and each seat has one subscriber."""

from __future__ import annotations

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.rules.presets import house
from ratscrew.table.record import requests
from ratscrew.table.record.messages import EventMessage, Presence, Refused, RequestName
from ratscrew.table.room import recent_events
from ratscrew.table.room.room import Room
from ratscrew.table.room.subscriber import TableSnapshot, snapshot_of
from ratscrew.table.session.slap_tracker import FLAT
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import at_table, change
from tests.table.people import HANDS, Person, SlowLog, now, pass_ms, room_of, two

# Coming back


async def five_cards(clock: ManualClock) -> tuple[Room, Person, Person]:
    """A room in which five cards were turned: version 8."""
    room, ana, bo = two(clock)
    for n in range(5):
        room.play((ana, bo)[n % 2], n)
        await pass_ms(500)
    return room, ana, bo


@pytest.mark.parametrize("version", [4, 5, 7, 8])
@on_manual_clock
async def test_who_comes_back_is_told_exactly_the_events_after_what_he_has(clock: ManualClock, version: int) -> None:
    room, ana, bo = await five_cards(clock)
    room.exit(ana)
    heard = [some for some in bo.now() if isinstance(some, EventMessage)]
    room.enter(back := Person(0), "TEST-1-1", version)
    assert back.now()[0] == ("missed", 8, [some for some in heard if some.v > version])
    room.play(bo, 5)
    await pass_ms(500)
    assert back.events() == ["9: 1 turns 5H"]


@pytest.mark.parametrize(
    ("game", "version"), [(None, 0), ("TEST-1-2", 8), ("TEST-1-1", 9), ("TEST-1-1", -1), ("TEST-1-1", 10**18), ("", 8)]
)
@on_manual_clock
async def test_who_has_seen_something_else_is_shown_everything(clock: ManualClock, game: str, version: int) -> None:
    room, _, _ = await five_cards(clock)
    room.enter(back := Person(None), game, version)
    (scene,) = back.now()
    assert (scene.game, scene.version, len(scene.view.pile)) == ("TEST-1-1", 8, 5)


@on_manual_clock
async def test_who_has_missed_more_than_is_at_hand_is_shown_everything(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent_events, "REMEMBERED", 3)
    room, _, _ = await five_cards(clock)
    for version in (5, 4):
        room.enter(back := Person(None), "TEST-1-1", version)
        (first,) = back.now()
        assert isinstance(first, TableSnapshot) == (version == 4)


@on_manual_clock
async def test_a_room_taken_up_from_its_log_has_the_rest_for_who_has_it_all(clock: ManualClock) -> None:
    room = room_of(at_table(HANDS, here=[]), MemoryLog(), clock)
    room.enter(knows := Person(None), "TEST-1-1", 3)
    room.enter(knows_less := Person(None), "TEST-1-1", 2)
    assert knows.now() == [("missed", 3, [])]
    assert isinstance(knows_less.now()[0], TableSnapshot)


@on_manual_clock
async def test_events_of_the_last_game_are_not_told_in_the_new_one(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S | Bo: 9H")
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    await pass_ms(300)
    room.slap(bo, 2, now(clock), FLAT)
    await pass_ms(2)
    assert bo.events()[-1].endswith("1 wins")
    room.request(ana, requests.DealAgain())
    room.enter(back := Person(None), "TEST-1-1", 5)
    assert isinstance(back.now()[0], TableSnapshot)
    room.enter(back, "TEST-1-2", -1)
    assert isinstance(back.now()[0], TableSnapshot)
    room.enter(back, "TEST-1-2", 1)
    missed = back.now()[0]
    assert [some.v for some in missed[2]] == [2, 3, 4, 5]


# Another game


@on_manual_clock
async def test_everybody_is_shown_another_game(clock: ManualClock) -> None:
    room, ana, bo = two(clock, hands="Ana: 9S | Bo: 9H")
    room.enter(watcher := Person(None))
    room.request(ana, requests.DealAgain())
    assert ana.now()[-1] == Refused("again", RefusalReason.NOT_OVER)
    room.play(ana, 0)
    await pass_ms(500)
    room.play(bo, 1)
    await pass_ms(500)
    await pass_ms(300)
    room.slap(ana, 2, now(clock), FLAT)
    await pass_ms(2)
    ana.now(), bo.now(), watcher.now()
    room.request(bo, requests.DealAgain())
    for person in (ana, bo, watcher):
        scene, *others = person.now()
        assert not any(isinstance(other, EventMessage) for other in others)
        assert (scene.game, scene.version, scene.view.cards_held, scene.view.n) == ("TEST-1-2", 5, (26, 26), 0)


@on_manual_clock
async def test_another_game_is_shown_when_the_log_has_it(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, bo = two(clock, log, hands="Ana: 9S | Bo: 9H")
    for person, n in ((ana, 0), (bo, 1)):
        room.play(person, n)
        await pass_ms(500)
    await pass_ms(300)
    room.slap(ana, 2, now(clock), FLAT)
    await pass_ms(2)
    await log.keep_now(count=3)
    ana.now()
    room.request(bo, requests.DealAgain())
    room.enter(watcher := Person(None))
    assert (ana.now(), watcher.now()) == ([], [])
    await log.keep_now()
    assert [some.game for some in (*ana.now(), *watcher.now()) if isinstance(some, TableSnapshot)] == ["TEST-1-2"] * 2


# Seats


@on_manual_clock
async def test_a_second_guest_in_a_seat_sends_the_first_away(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(other := Person(0))
    assert ana.now()[-1] == "leave: elsewhere"
    room.exit(ana)  # the connection ends a moment later
    room.play(other, 0)
    await pass_ms(500)
    assert ana.now() == []
    assert other.events() == bo.events() == ["4: 0 turns 9S"]
    assert room.table.seats[0].here


@on_manual_clock
async def test_who_was_sent_away_from_his_seat_can_no_longer_play(clock: ManualClock) -> None:
    """The page may still send for a moment; its messages no longer count for the seat."""
    room, ana, bo = two(clock)
    room.enter(other := Person(0))
    ana.now(), bo.now(), other.now()
    room.play(ana, 0)
    room.slap(ana, 0, now(clock), FLAT)
    room.request(ana, requests.Act("feint"))
    room.request(ana, requests.Start())
    room.request(ana, requests.House(to_link(house("wiki"))))
    room.request(ana, requests.Reopen())
    room.request(ana, requests.DealAgain())
    asked: tuple[RequestName, ...] = ("play", "slap", "act", "start", "house", "reopen", "again")
    assert ana.now() == [Refused(what, "not_playing") for what in asked]
    assert (bo.now(), other.now(), room.table.state.version) == ([], [], 3)


@on_manual_clock
async def test_watchers_do_not_send_each_other_away(clock: ManualClock) -> None:
    room, ana, _ = two(clock)
    room.enter(one := Person(None))
    room.enter(two_ := Person(None))
    room.play(ana, 0)
    await pass_ms(500)
    assert one.events() == two_.events() == ["4: 0 turns 9S"]


@on_manual_clock
async def test_who_comes_back_while_the_log_is_slow_is_here(clock: ManualClock) -> None:
    """The page is reloaded while an event waits for the log: the old connection's end must not undo the new one."""
    log = SlowLog()
    room, ana, bo = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.exit(ana)
    room.enter(Person(0), "TEST-1-1", 3)
    await log.keep_now()
    assert room.table.seats[0].here
    assert [some.here for some in bo.now() if isinstance(some, Presence)][-1]


@on_manual_clock
async def test_who_goes_before_he_was_shown_anything_is_gone(clock: ManualClock) -> None:
    log = SlowLog()
    room, ana, _ = two(clock, log)
    room.play(ana, 0)
    await pass_ms(500)
    room.exit(ana)
    room.enter(back := Person(0))
    room.exit(back)
    await log.keep_now()
    assert not room.table.seats[0].here


@on_manual_clock
async def test_watchers_see_everything_and_may_do_nothing(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(watcher := Person(None))
    watcher.now()
    room.play(watcher, 0)
    room.slap(watcher, 0, now(clock), FLAT)
    room.request(watcher, requests.Start())
    room.request(watcher, requests.DealAgain())
    assert watcher.now() == [Refused(what, "not_playing") for what in ("play", "slap", "start", "again")]
    assert (ana.now(), bo.now()) == ([], [])
    room.play(ana, 0)
    await pass_ms(500)
    room.slap(bo, 1, now(clock), FLAT)
    assert watcher.now() == ana.now()


@on_manual_clock
async def test_an_answer_to_one_is_not_heard_by_others(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.play(bo, 0)
    assert (ana.now(), bo.now()) == ([], [Refused("play", "not_your_turn")])


@on_manual_clock
async def test_it_is_told_who_comes_and_goes(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.exit(bo)
    assert ana.now() == [Presence(1, False)]
    room.enter(Person(1))
    assert ana.now() == [Presence(1, True)]
    room.enter(watcher := Person(None))
    room.exit(watcher)
    assert ana.now() == []
    assert [seat.here for seat in room.table.seats] == [True, True]


@on_manual_clock
async def test_a_room_is_empty_when_the_last_has_left_and_remembers_when(clock: ManualClock) -> None:
    room, ana, bo = two(clock)
    room.enter(watcher := Person(None))
    for person in (ana, bo):
        room.exit(person)
    assert not room.empty
    await pass_ms(1000)
    room.exit(watcher)
    assert room.empty
    assert room.quiet_since_us == clock.now_us()


def test_the_text_of_the_rules_in_a_snapshot_is_worked_out_once_and_follows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[Rules]()

    def noted(rules: Rules, base: str | None = None) -> str:
        asked.append(rules)
        return to_link(rules, base)

    monkeypatch.setattr("ratscrew.table.core.table.to_link", noted)
    table = at_table("Ana: 9S 2C | Bo: 9H 3H").table
    texts = [snapshot_of(table, 0).house for _ in range(5)]
    assert texts == [to_link(table.state.rules)] * 5
    assert len(asked) == 1
    change(table, rules=house("wiki"))
    assert [snapshot_of(table, 0).house for _ in range(2)] == [to_link(house("wiki"))] * 2
