"""Random actions during races: each race ends in a ruling, no refusal escapes, and the table is never stuck.

Piles are full of doubles, round trips change between cards, and players slap the card before the newest one as often as
the newest: so wrong slaps made before a card was revealed arrive while others race for it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from ratscrew.errors import Refusal
from ratscrew.judge.constants import MAX_RACE_US
from ratscrew.judge.rtt_estimator import LinkEstimate
from ratscrew.rules.house import Rules
from ratscrew.rules.link import to_link
from ratscrew.table.core.room_commands import execute
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Effect
from ratscrew.table.session.seat import paused
from ratscrew.table.session.slap_measurement import Press
from ratscrew.testing.house_strategies import houses
from tests.table.driver import LiveTable, at_table, line

HANDS = (
    "Ana: 9S 4S 8S 7S 3S | Bo: 2H 4H 6H 7H 5H | Di: 2D 8D 6D 3D 5D",
    "Ana: 9S 4S | Bo: 2H 4H | Di: 2D",
    "Ana: 9S 4S 8S | Thoth*: 2H 4H 6H | Di: 2D 8D 6D",
    "Ana: 9S 2S | Bo: 3H 8H | Di: 2D 8D | Cy:",
    "Ana: JS 9C 7S | Bo: 9H JH | Di: 9D JD 7D | Cy:",
)
"""Turned in order, most of these make a double or a sandwich with every other card."""

PENALTIES = (
    "wrong_slap.kind=lockout",
    "wrong_slap.kind=lockout;wrong_slap.until=3",
    "wrong_slap.kind=pile_to_last",
    "wrong_slap.kind=pile_to_last;wrong_slap.after_fail=literal",
    "wrong_slap.kind=burn;wrong_slap.place=top;wrong_slap.count=2",
    "wrong_slap.kind=burn;wrong_slap.count=9",
    "wrong_slap.kind=give",
    "wrong_slap.kind=none",
    "no_cards.kind=strikes;no_cards.limit=1",
    "no_cards.kind=burn_hand",
    "max_streak=1",
    "judge=honour",
)
OTHERS = (
    "slap_in=no",
    "slap_in=while_two_active",
    "slap_window=not_during_challenge",
    "slap_window=not_after_fail",
    "endgame=sole_holder",
    "tie=void;tie_window_ms=500",
    "tie=judge;tie_window_ms=500",
    "late_join=slap_in",
    "withdraw_ms=300",
)


class Act(NamedTuple):
    """An action: its kind, seat, card before the newest, round trip, and how many ms later the next one comes."""

    what: str
    seat: int
    behind: int
    rtt_ms: int
    ms: int


WHAT = ["turn"] * 8 + ["race"] * 8 + ["below", "below", "slap", "step"]
WHAT += ["leave", "remove", "go", "come", "join", "hide", "collect", "play", "late", "bot", "again"]
acts = st.lists(
    st.builds(
        Act,
        st.sampled_from(WHAT),
        st.integers(0, 3),
        st.sampled_from([0, 0, 0, 1, 1, 2]),
        st.sampled_from([0, 10, 100, 380, 400, 600]),
        st.sampled_from([0, 0, 0, 0, 1, 5, 100, 300, 500, 9000]),
    ),
    min_size=15,
    max_size=60,
)


@settings(max_examples=4 * settings().max_examples)
@given(st.sampled_from(HANDS), st.sampled_from(PENALTIES), st.sampled_from(("", *OTHERS)), acts)
def test_every_race_ends_in_a_ruling_whatever_wrong_slaps_cost(
    hands: str, penalty: str, other: str, done: list[Act]
) -> None:
    play(at_table(hands, house=f"1;classic;turn_ms=3000;{penalty};{other}"), done)


@given(houses(), st.sampled_from(HANDS), acts)
def test_every_race_ends_in_a_ruling_in_any_house(rules: Rules, hands: str, done: list[Act]) -> None:
    play(at_table(hands, house=to_link(rules)), done)


def play(live: LiveTable, done: list[Act]) -> None:
    """Do all these actions: refusals are only answers to their senders, and each race ends."""
    act = live.act

    def see(effects: object) -> list[Effect]:
        seen = act(effects)  # type: ignore[arg-type]
        sound(live)
        return seen

    live.act = see  # type: ignore[method-assign]
    for each in done:
        do(live, each)
        live.pass_ms(each.ms)
        sound(live)
    while live.table.racing and not paused(live.table.seats):
        assert live.step(), "a race never ends"
    live.table.tick(live.now_us)
    wake_us = live.table.wake_us()
    assert wake_us is None or wake_us > live.now_us, "the table would be woken for ever without doing anything"


def sound(live: LiveTable) -> None:
    """A race always has an end, and contenders; if no player is there or the game is over, nothing is due."""
    race = live.table.session and live.table.session.tracker.race
    wake_us = live.table.wake_us()
    if race:
        assert race.contenders
        if not paused(live.table.seats):
            assert wake_us is not None
            assert wake_us <= min(hand.arrived_us for hand in race.contenders) + MAX_RACE_US


def do(live: LiveTable, each: Act) -> None:
    """Do one action; only `join` raises a refusal."""
    table, now_us = live.table, live.now_us
    seat = each.seat % len(table.seats)
    who = table.seats[seat]
    if who.page_state:
        who.page_state.rtt_estimator = line(now_us, each.rtt_ms)
    match each.what:
        case "turn":
            live.play(live.game.standing.turn)
            live.until(live.shown_us)
            while live.table.wake_us() and live.table.session and live.table.session.schedule.reveal:
                live.step()
            live.until(live.shown_us)
        case "play":
            live.play(seat, live.game.n - each.behind)
        case "below" if who.page_state:  # the slap was made before the newest card was revealed
            if card_display := who.page_state.card_display(live.game.n - 1):
                card_display.link_estimate = LinkEstimate(max(0, 2 * (live.now_us - live.shown_us) + 100_000), 0)
            live.act(table.slap(seat, live.game.n - 1, Press(live.now_us), live.now_us))
        case "race":  # all others are far away, so that the race lasts
            for other in table.seats:
                if (
                    other.page_state
                    and other is not who
                    and (card_display := other.page_state.card_display(live.game.n))
                ):
                    card_display.link_estimate = LinkEstimate(400_000, 0)
            live.until(live.shown_us + 360_000)
            live.act(table.slap(seat, live.game.n, Press(live.now_us), live.now_us))
            if each.behind:
                do(live, each._replace(what="below", seat=seat + each.ms % 2))
        case "slap":
            live.until(live.shown_us + each.ms % 7 * 40_000)
            press = Press(live.now_us, None, live.now_us - each.rtt_ms * 500)
            live.act(table.slap(seat, max(0, live.game.n - each.behind), press, live.now_us))
        case "step":
            live.step()
        case "collect":
            live.do(seat, "collect")
        case "late":
            live.clock.advance(each.rtt_ms * 1000)
        case "join" if len(table.seats) < 6:
            with suppress(Refusal):
                live.join("Eve")
        case "bot" if len(table.seats) < 6:
            live.act(execute(table, seat, requests.AddBot("sharp"), now_us))
        case "again":
            live.again(seat)
        case "leave" if sum(other.stays for other in table.seats) > 1:
            live.act(execute(table, seat, requests.Leave(), now_us))
        case "remove":
            live.act(execute(table, table.state.host, requests.Remove(seat), now_us))
        case "hide" if who.page_state:
            who.page_state.visible ^= True
        case "come" if who.stays:
            live.come(seat)
        case "go" if who.here:
            live.go(seat)
