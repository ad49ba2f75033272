"""Races are judged again from the proofs in their log, and a purse that was spent stays spent.

Most hands here are 40 ms away (20 each way) and arrive 430 ms after the card: by the server's own clock they took
430 - 20 = 410 ms. A new credit is 25 ms on every slap and a purse of 50.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from random import Random

import pytest

from ratscrew.cards import cards
from ratscrew.errors import Refusal
from ratscrew.game.events import Dealt
from ratscrew.game.standing import Standing
from ratscrew.judge.credit import Credit
from ratscrew.judge.page_state import PageState
from ratscrew.log.memory import MemoryLog
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import (
    Entry,
    Judged,
    LateSlap,
    Measured,
    Proof,
    Recorded,
    Sat,
    SlapRecord,
)
from ratscrew.table.record.verdict_confidence import verdict_confidence
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.state.evolve import evolve, next_game
from ratscrew.table.state.log_writer import LogWriter
from ratscrew.table.state.rejudge import FRESH, Ledger, RejudgedCard, rejudge, traces
from ratscrew.table.state.table_state import TableState
from ratscrew.testing.clock import ManualClock, on_manual_clock
from tests.table.driver import START_US, LiveTable, at_table, change_seat, line, new_table
from tests.table.people import here

ANA, BO, CY, DI = range(4)


def proof(pressed_ms: float, granted_ms: float, free_ms: float = 25, purse_ms: float = 50, **more_us: int) -> Proof:
    """A hand that arrived after 430 ms from 40 ms away, and says that it took so long."""
    in_us = [round(ms * 1000) for ms in (pressed_ms, free_ms, purse_ms, granted_ms)]
    return Proof(430_000, 40_000, *in_us, **more_us)


def hit(seat: int, ms: float, proof: Proof | None = None, page: int | None = None) -> SlapRecord:
    """A hand with the reaction that counted."""
    return SlapRecord(seat, round(ms * 1000), proof, page)


def race(*order: SlapRecord, tie: bool = False) -> Judged:
    return Judged(2, "double", order, tie)


def verdict(*events: Recorded) -> list[bool]:
    """Whether each verdict comes out the same."""
    return [trial.agrees for trial in rejudge(events)]


def one(event: Recorded) -> RejudgedCard:
    """The only card judged again."""
    (trial,) = rejudge([event])
    return trial


def purse_ms(events: Iterable[Recorded], seat: int) -> float:
    """What is left in the purse."""
    return reduce(Ledger.after, events, FRESH).credits[seat].purse_us / 1000


SPENT = race(hit(ANA, 350, proof(350, granted_ms=60)), hit(BO, 360))
"""Ana's page says 350: 60 less than 410. They are credited, 35 of them from the purse. Bo is a bot."""


def test_credit_goes_with_who_it_is_when_the_chairs_close_up_and_not_with_the_chair() -> None:
    """Bo, at seat 1, says 350: 60 less than 410, and 35 of them come from the purse. Then Ana leaves; Bo plays on at
    seat 0 with the 15 that are left, and Cy, new at seat 1, with a new purse."""
    first: list[Recorded] = [
        Sat(ANA, "Ana", player_id=0),
        Sat(BO, "Bo", player_id=1),
        race(hit(BO, 350, proof(350, granted_ms=60))),
    ]
    after = reduce(Ledger.after, first, FRESH)
    bo, cy = hit(0, 370, proof(350, granted_ms=40, purse_ms=15)), hit(1, 360, proof(360, granted_ms=50))
    second: list[Recorded] = [Sat(0, "Bo", player_id=1), Sat(1, "Cy", player_id=2), Measured(1, bo), Measured(2, cy)]
    assert [trial.agrees for trial in rejudge(second, after)] == [True, True]
    assert [player_id for player_id, _ in traces(second)] == [1, 2]
    assert after.next_player_id == 2


def test_a_hand_judged_again_is_worth_what_its_proof_says() -> None:
    trial = one(SPENT)
    assert trial.agrees
    ana, bo = trial.hands
    assert ana.judgement
    assert (ana.judgement.reported_us, ana.judgement.estimate_us, ana.judgement.excess_us) == (350_000, 410_000, 60_000)
    assert (ana.judgement.granted_us, ana.reaction_us) == (60_000, 350_000)
    assert (bo.judgement, bo.reaction_us) == (None, 360_000)


def test_what_was_spent_in_one_race_is_not_there_in_the_next() -> None:
    """15 ms are left: of 60 Ana is credited 25 + 15."""
    after = race(hit(ANA, 370, proof(350, granted_ms=40, purse_ms=15)))
    assert verdict(SPENT, after) == [True, True]
    assert purse_ms([SPENT], ANA) == 15
    assert purse_ms([SPENT, after], ANA) == 0


def test_a_purse_that_does_not_fit_the_hands_before_shows() -> None:
    again = race(hit(ANA, 350, proof(350, granted_ms=60)))
    assert verdict(SPENT, again) == [True, False]


@pytest.mark.parametrize(
    "wrong",
    [
        proof(350, granted_ms=59),
        proof(350, granted_ms=60, free_ms=24),
        proof(350, granted_ms=60, purse_ms=51),
    ],
)
def test_a_proof_that_differs_from_the_judge_in_one_thing_shows(wrong: Proof) -> None:
    assert verdict(race(hit(ANA, 350, wrong))) == [False]


def test_a_reaction_that_does_not_follow_from_the_proof_shows() -> None:
    assert verdict(race(hit(ANA, 349.999, proof(350, granted_ms=60)))) == [False]


def test_an_order_that_does_not_follow_from_the_reactions_shows_with_the_right_one() -> None:
    trial = one(race(hit(BO, 360), hit(ANA, 350, proof(350, granted_ms=60))))
    assert not trial.agrees
    assert trial.ruling.order == ((ANA, 350_000), (BO, 360_000))


def test_who_won_a_draw_is_believed_but_not_that_there_was_one() -> None:
    near = hit(ANA, 300), hit(BO, 301), hit(CY, 302)
    assert verdict(race(near[0], near[1], near[2], tie=True)) == [True]
    assert verdict(race(near[1], near[0], near[2], tie=True)) == [True]
    assert verdict(race(near[2], near[0], near[1], tie=True)) == [False]
    assert verdict(race(*near)) == [False]
    assert verdict(race(hit(ANA, 300), hit(BO, 302), tie=True)) == [False]


def test_hands_on_one_page_are_compared_by_its_clock() -> None:
    """Both have 25 + 50: Ana, 360, is credited all 50, Bo, 320, only 75 of 90. Bo was 15 ms worse off than the page's
    clock says, so Ana is too: 375. Bo has 335, and there is no tie."""
    bo, ana = hit(BO, 335, proof(320, granted_ms=75), page=7), hit(ANA, 375, proof(360, granted_ms=50), page=7)
    assert verdict(race(bo, ana)) == [True]
    alone = hit(ANA, 360, proof(360, granted_ms=50), page=7)
    assert verdict(race(bo, alone)) == [False]


def test_a_hand_stamped_back_is_held_to_the_heartbeat_before_it() -> None:
    """The page said 392 before its slap came: it was pressed no earlier than 12 ms before that, after 380."""
    assert verdict(race(hit(ANA, 380, proof(350, granted_ms=30, beat_us=392_000)))) == [True]
    assert verdict(race(hit(ANA, 350, proof(350, granted_ms=60, beat_us=392_000)))) == [False]


def test_a_hand_that_was_moving_has_no_place_in_a_log() -> None:
    assert verdict(race(hit(ANA, 335, proof(149.999, granted_ms=75)))) == [False]
    assert verdict(race(hit(ANA, 335, proof(150, granted_ms=75)))) == [True]


def test_a_wrong_slap_is_judged_again_and_costs_credit_too() -> None:
    """Its excess is 40: 25 of it are free, 15 from the purse."""
    weighed = Measured(1, hit(ANA, 370, proof(370, granted_ms=40)))
    assert one(weighed).agrees
    assert one(weighed).pattern is None
    assert purse_ms([weighed], ANA) == 35


def test_a_late_slap_changes_no_verdict_and_no_credit() -> None:
    late = LateSlap(2, hit(CY, 390, proof(390, granted_ms=20)))
    events: list[Recorded] = [SPENT, late]
    assert verdict(*events) == [True]
    assert reduce(Ledger.after, events, FRESH) == reduce(Ledger.after, events[:1], FRESH)


def test_statistics_get_the_late_slap_with_the_pattern_of_its_race() -> None:
    """Cy's page says 390, 20 less than the server's 410; the card was painted 3 ms after its moment."""
    late = LateSlap(2, hit(CY, 390, proof(390, granted_ms=20, paint_us=3_000, frame_us=17_000)))
    *_, (player_id, trace) = traces([SPENT, late])
    assert (player_id, trace.pattern, trace.reaction_us, trace.excess_us) == (CY, "double", 390_000, 20_000)
    assert (trace.paint_us, trace.way_us, trace.apart_us, trace.frame_us) == (3_000, 17_000, None, 17_000)


def test_a_late_slap_without_a_verdict_on_its_card_is_no_reaction() -> None:
    assert list(traces([LateSlap(2, hit(CY, 390)), LateSlap(3, hit(CY, 390))])) == []


def test_statistics_take_the_reaction_of_the_page_whatever_was_credited() -> None:
    """Of an excess of 60 only 40 were credited: 370 counted, and 350 is what the page asked for."""
    after = race(hit(ANA, 370, proof(350, granted_ms=40, purse_ms=15, beat_us=330_000)))
    ((_, trace),) = traces([after])
    assert (trace.reaction_us, trace.apart_us) == (350_000, -20_000)


def test_a_bot_has_no_credit_to_spend() -> None:
    assert BO not in reduce(Ledger.after, [SPENT], FRESH).credits


# A restart of the server


def game(*hits: Recorded, before: TableState | None = None) -> list[Entry]:
    """The log of a game with these verdicts; `before` is the table at the end of the game before it."""
    dealt = Dealt(house(), (cards("9S 2C 4H"), cards("9H KC 3D")), Standing("play", 0))
    events, state = (Sat(ANA, "Ana"), Sat(BO, "Bo", "sharp"), dealt, *hits), next_game(before or TableState(house()))
    return list(LogWriter("TEST").store(state, events, 1)[1].entries)


@on_manual_clock
async def test_a_purse_that_was_spent_before_a_stop_is_spent_after_it(clock: ManualClock) -> None:
    """35 of 50 are spent in the first game, and in the second 5 put back by a clean slap."""
    log = MemoryLog[Entry]()
    code = RoomRegistry(log, clock)._placement.new_name().partition("-")[0]
    clean = Measured(1, hit(ANA, 400, proof(400, granted_ms=10, purse_ms=15)))
    log.append(f"{code}-1f-1", 0, (first := game(SPENT)))
    before = reduce(evolve, first, TableState(house()))
    log.append(f"{code}-1f-2", 0, game(clean, before=before))
    room = here(await RoomRegistry(log, clock).find(code))
    assert room
    assert room.table.seats[ANA].credit == Credit(20_000, (60_000, 10_000))
    assert room.table.seats[BO].credit == Credit()


@on_manual_clock
async def test_another_room_that_had_the_code_before_is_another_matter(clock: ManualClock) -> None:
    log = MemoryLog[Entry]()
    code = RoomRegistry(log, clock)._placement.new_name().partition("-")[0]
    log.append(f"{code}-1f-1", 0, game(SPENT))
    log.append(f"{code}-2f-1", 0, game())
    room = here(await RoomRegistry(log, clock).find(code))
    assert room
    assert room.table.seats[ANA].credit == Credit()


# A live table


def slap(live: LiveTable, seat: int, n: int, *, arrived_ms: float, pressed_ms: float) -> None:
    """A slap arrives so long after the newest card; its page says when it was pressed, by a clock like ours."""
    shown_us = live.shown_us
    live.until(shown_us + round(arrived_ms * 1000))
    press = Press(live.now_us, shown_us, shown_us + round(pressed_ms * 1000))
    live.act(live.table.slap(seat, n, press, live.now_us))


def test_what_a_live_table_judges_comes_out_the_same_from_its_log() -> None:
    """Bo's 80 take the whole purse, 50 of 50; Ana's wrong slap after it is clean."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H")
    for seat in (ANA, BO):
        change_seat(live.table, seat, credit=Credit())
    live.turn(0, 1)
    slap(live, ANA, 2, arrived_ms=440, pressed_ms=420)
    slap(live, BO, 2, arrived_ms=450, pressed_ms=370)
    live.pass_ms(3000)
    live.turn(live.game.standing.turn)
    slap(live, ANA, 3, arrived_ms=400, pressed_ms=390)
    events = [entry.event for entry in live.entries]
    first, second = rejudge(events)
    assert (first.agrees, second.agrees) == (True, True)
    assert first.ruling.order == ((BO, 375_000), (ANA, 420_000))
    assert live.table.seats[BO].credit == Credit(0, (80_000,))
    assert live.table.seats[ANA].credit == Credit(60_000, (20_000, 10_000))
    assert reduce(Ledger.after, events, FRESH).credits == {seat: live.table.seats[seat].credit for seat in (ANA, BO)}


def test_a_hand_in_a_race_that_was_dropped_has_cost_nothing() -> None:
    """Di slaps card 3, with 45 to be credited; but Bo, 200 ms away, has slapped card 2 in time: the slap arrives
    705 after it and took 505, and card 3 came 500 after it, less than a frame before. Then Di slaps wrongly: clean."""
    live = at_table("Ana: 9S 2C 4H | Bo: 9H 3H 5H | Cy: 9C 3C 4C | Di: 6C 7C 8C")
    change_seat(live.table, DI, credit=Credit())
    live.far(BO, 400)
    live.turn(ANA, BO, CY)
    slap(live, DI, 3, arrived_ms=200, pressed_ms=155)
    assert live.table.racing
    assert live.table.seats[DI].credit == Credit()
    live.until(live.shown_us + 205_000)
    live.act(live.table.slap(BO, 2, Press(live.now_us), live.now_us))
    live.pass_ms(3000)
    assert live.told[-1] == "1 takes 2: slap:double"
    assert live.table.seats[DI].credit == Credit()
    live.turn(BO)
    slap(live, DI, live.game.n, arrived_ms=400, pressed_ms=400)
    assert live.table.seats[DI].credit == Credit(55_000, (0,))
    assert [trial.agrees for trial in rejudge(entry.event for entry in live.entries) if trial.pattern is None] == [True]


def muddle(seed: int) -> LiveTable:
    """Three players, two of them perhaps on one page, and a bot act at random for a while."""
    chance = Random(seed)
    table = new_table(seed, chance.choice(["1;classic", "1;wiki", "1;chaos", "1;tournament", "1;blog"]))
    for seat, name in enumerate(("Ana", "Bo", "Cy", "Thoth")):
        table.add_seat(name, "steady" if seat == DI else None)
    live = LiveTable(table)
    live.act(table.start(live.now_us))
    page = PageState() if chance.random() < 0.5 else None
    for seat in (ANA, BO, CY):
        live.act(table.come(seat, live.now_us, page if seat != CY else None))
        live.page_state(seat).rtt_estimator = line(live.now_us, chance.choice([0, 5, 40, 200, 390]))
    while not live.game.over and live.now_us < START_US + 40_000_000:
        seat, now_us = chance.randrange(DI), live.now_us
        page_state, n = live.page_state(seat), live.game.n - (chance.random() < 0.3)
        match chance.choice(["turn", "slap", "slap", "beat", "seen", "wait"]):
            case "turn":
                live.play(seat)
            case "slap":
                card_display = page_state.card_display(n)
                painted_us = (card_display.reveal_us if card_display else live.shown_us) + chance.randrange(
                    -20_000, 20_000
                )
                press = Press(now_us, painted_us, now_us - chance.randrange(150_000), chance.choice([None, 10_000]))
                live.act(table.slap(seat, n, press, now_us))
            case "beat":
                with suppress(Refusal):
                    page_state.record_heartbeat(now_us - chance.randrange(60_000), now_us)
            case "seen":
                with suppress(Refusal):
                    page_state.record_paint(n, now_us - chance.randrange(200_000), now_us)
        live.pass_ms(chance.choice([0, 1, 5, 20, 100, 200, 400]))
    live.pass_ms(3000)
    return live


@pytest.mark.parametrize("seed", range(24))
def test_whatever_people_do_every_verdict_comes_out_the_same_from_the_log(seed: int) -> None:
    """All credits agree, too: slaps that the game refused or dropped have cost nothing."""
    live = muddle(seed)
    events = [entry.event for entry in live.entries]
    assert [trial for trial in rejudge(events) if not trial.agrees] == []
    ledger = reduce(Ledger.after, events, FRESH)
    assert [seat.credit for seat in live.table.seats] == [ledger.credit(seat) for seat in range(4)]


def test_how_sure_a_verdict_was_is_computed_again_where_the_log_says_it() -> None:
    order = (hit(ANA, 350, proof(350, granted_ms=60, beat_us=301_357)), hit(BO, 356, proof(356, granted_ms=54)))
    old = one(race(*order))
    assert (old.confidence, old.agrees) == (None, True)
    told = verdict_confidence(order, 1)
    logged = Judged(2, "double", order, confidence=told, unseen=1)
    assert (one(logged).confidence, one(logged).agrees) == (told, True)
    assert not one(Judged(2, "double", order, confidence=told - 1, unseen=1)).agrees
    assert 50 < told < 97
