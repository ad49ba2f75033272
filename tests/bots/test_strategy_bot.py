"""Strategy bots: each trait does what the strategies of the rulebook say, and nothing happens without it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec.structs import replace as changed

from ratscrew.bots.bot import Plan
from ratscrew.bots.memory import UNSEEN, Memory, memory_from_events
from ratscrew.bots.reflexes import FASTEST_US, Reflexes
from ratscrew.bots.strategy_bot import StrategyBot
from ratscrew.bots.strategy_traits import StrategyTraits
from ratscrew.cards import Card, cards
from ratscrew.game.commands import Collect, Command, Contest, Feint, Notice, Play, Timeout, slap
from ratscrew.game.engine import decide, replay
from ratscrew.game.events import Dealt, Event
from ratscrew.game.standing import Standing
from ratscrew.game.view import View, view
from ratscrew.rules.link import from_link

ALERT = Reflexes(400_000, 0, 0, 50_000, 800_000, miss=0, false_alarm=0, lure_false_alarm=0)
CLASSIC = "1;classic"


def at(hands: str, *done: Command, house: str = CLASSIC) -> tuple[View, Memory]:
    """The view and memory after these commands with these hands (top first); seat 0 leads."""
    events: list[Event] = [Dealt(from_link(house), tuple(map(cards, hands.split("|"))), Standing("play", 0))]
    game = replay(events)
    for command in done:
        game, more = decide(game, command, lambda n: 0)
        events += more
    return view(game), memory_from_events(events)


def knowing(seen: tuple[View, Memory], **hands: str) -> tuple[View, Memory]:
    """The same, with these topmost cards (? is unknown) of `a`, seat 0, and of `b` in a perfect memory."""
    shown, memory = seen
    lie = list(memory.game.hands)
    for name, text in hands.items():
        seat = "ab".index(name)
        top = tuple(UNSEEN if word == "?" else Card.parse(word) for word in text.split())
        lie[seat] = (*top, *lie[seat][len(top) :])
    return shown, replace(memory, game=changed(memory.game, hands=tuple(lie)), since=(shown.n,) * len(memory.since))


def plan(seen: tuple[View, Memory], seat: int, draw: float = 0.5, reflexes: Reflexes = ALERT, **traits: Any) -> Plan:
    """The plan of a bot with these traits, for a fixed random number."""
    shown, memory = seen
    return StrategyBot(reflexes, StrategyTraits(**traits)).plan(shown, seat, lambda: draw, memory)


def slap_us(*args: Any, **traits: Any) -> int | None:
    """The planned time of the slap."""
    return plan(*args, **traits).slap_us


def does(*args: Any, **traits: Any) -> list[Command]:
    """The other planned moves."""
    return [move.command for move in plan(*args, **traits).moves]


# Memory and odds


def foreseen() -> tuple[View, Memory]:
    """Seat 0 collected 9S 9H and turns them again, with a card of seat 1 between: a sandwich that a bot can foresee."""
    return at("9S|9H 5D 4S", Play(0), Play(1), slap(0), Play(0), Play(1), Play(0))


def test_a_bot_that_remembers_sees_a_slap_come_and_reacts_without_recognising_it() -> None:
    assert slap_us(foreseen(), 1) == 450_000
    # of the 200 ms that a double takes beyond the fastest, 0.3 are left
    assert slap_us(foreseen(), 1, memory=1.0) == 260_000


def test_what_nobody_could_foresee_has_to_be_recognised() -> None:
    assert slap_us(at("9S 2C|9H 3D", Play(0), Play(1)), 0, memory=1.0) == 400_000


def test_a_bot_that_foresees_a_slap_does_not_overlook_it() -> None:
    dozing = replace(ALERT, miss=1.0)
    assert slap_us(foreseen(), 1, reflexes=dozing) is None
    assert slap_us(foreseen(), 1, reflexes=dozing, memory=1.0) == 260_000


def test_nobody_is_faster_than_people_are() -> None:
    quick = replace(ALERT, mu_us=FASTEST_US, scan_time_us=0)
    assert slap_us(foreseen(), 1, reflexes=quick, memory=1.0, odds=1.0) == FASTEST_US


def test_a_bot_that_minds_the_odds_is_the_sooner_the_likelier_a_pattern_was() -> None:
    rare = at("9S 2C|9H 3D", Play(0), Play(1))  # 3 of 51 cards
    likely = at("4C 9S 2C|7H 9H 3D", Play(0), Play(1), Play(0), Play(1))  # 6 of 49 cards
    assert slap_us(rare, 0) == slap_us(likely, 0) == 400_000
    # of the way of 140 ms to a simple reaction 0.35 times 3/51 or 6/49 in four
    assert slap_us(rare, 0, odds=1.0) == pytest.approx(400_000 - 140_000 * 0.35 * 4 * 3 / 51, abs=1)
    assert slap_us(likely, 0, odds=1.0) == pytest.approx(400_000 - 140_000 * 0.35 * 4 * 6 / 49, abs=1)


def test_the_odds_are_those_of_as_many_packs_as_were_dealt() -> None:
    """Seven players have two packs: of 103 cards that are left, seven are nines."""
    hands = "9S 2C|9H 3D|4C|5C|6C|7C|8C"
    seen = at(hands, Play(0), Play(1), house="1;classic;decks=auto;slaps.sandwich=false;slaps.instant=off")
    assert slap_us(seen, 0, odds=1.0) == pytest.approx(400_000 - 140_000 * 0.35 * 4 * 7 / 103, abs=1)


def test_a_bot_that_tires_is_slower_at_the_end_of_a_long_game() -> None:
    shown, memory = at("9S 2C|9H 3D", Play(0), Play(1))
    assert slap_us((changed(shown, n=500), memory), 0, tires=0.2) == 440_000
    assert slap_us((changed(shown, n=5000), memory), 0, tires=0.2) == 480_000


# What is worth a slap

NINES = ("9S 2C 3C 4C 5C|9H 3D", Play(0), Play(1))


def test_a_bot_that_refuses_filler_leaves_a_pile_without_face_cards_if_its_hand_is_rich() -> None:
    rich = knowing(at(*NINES), a="KD QD 4S 5S")
    assert slap_us(rich, 0, memory=1.0) == 400_000
    assert slap_us(rich, 0, memory=1.0, refuse_filler=1.0) is None
    assert slap_us(rich, 0, refuse_filler=1.0) == 400_000, "it recalls nothing of its hand"
    poor = knowing(at(*NINES), a="KD 6D 4S 5S")
    assert slap_us(poor, 0, memory=1.0, refuse_filler=1.0) == 400_000


def test_a_pile_with_a_letter_card_is_refused_by_nobody() -> None:
    kings = knowing(at("KS 2C 3C 4C 5C|KH 3D", Play(0), Play(1)), a="KD QD 4S 5S")
    assert slap_us(kings, 0, memory=1.0, refuse_filler=1.0) == 400_000


def test_without_cards_a_bot_with_focus_slaps_only_what_it_is_sure_of() -> None:
    itchy = replace(ALERT, false_alarm=1.0, lure_false_alarm=1.0)
    seen = at("4S|9H 3D 5D", Play(0))
    assert slap_us(seen, 0, reflexes=itchy) == 400_000
    assert slap_us(seen, 0, reflexes=itchy, focus=1.0) is None
    assert slap_us(seen, 1, reflexes=itchy, focus=1.0) == 400_000, "it has cards"


# Risks

JACK = "JS 2C 4C 7C 8C|9H 3D"
LOST = (Play(0), Play(1))
"""The 9 does not answer the jack."""


def test_a_bot_that_risks_it_slaps_what_decides_its_challenge_before_it_has_seen_it() -> None:
    assert slap_us(at(JACK, *LOST), 0) is None
    assert slap_us(at(JACK, *LOST), 0, risk=1.0) == 260_000
    answered = at("JS 2C 4C 7C 8C|QH 3D", *LOST)
    assert slap_us(answered, 0, risk=1.0) == 260_000, "it does not look"
    assert slap_us(at("KS 2C 4C 7C 8C|9H 3D", *LOST), 0, risk=1.0) is None, "a king leaves two chances more"


def test_only_who_leads_risks_a_card_for_it_would_be_lost_or_who_risks_nothing() -> None:
    behind = "JS 2C|9H 3D 4D"
    assert slap_us(at(behind, *LOST), 0, risk=1.0) is None
    assert slap_us(at(behind, *LOST, house="1;classic;final_card_slap=free"), 0, risk=1.0) == 260_000
    assert slap_us(at(JACK, *LOST, house="1;classic;wrong_slap.count=2"), 0, risk=1.0) is None
    assert slap_us(at(JACK, *LOST, house="1;classic;wrong_slap.kind=lockout"), 0, risk=1.0) is None


# Pretending


def test_a_slap_is_faked_the_more_often_the_more_somebody_slaps_wrongly() -> None:
    calm = at("2S 4C 6C|9H 3D 5D", Play(0))
    rash = at("2S 4C 6C|9H 3D 5D 6D 7D 8D", Play(0), slap(1), slap(1), slap(1), slap(1))
    assert does(calm, 0, 0.3, fake_slap=1.0) == []
    assert does(calm, 0, 0.04, fake_slap=1.0) == does(rash, 0, 0.3, fake_slap=1.0) == [Feint(0, "slap")]
    assert does(rash, 0, 0.3) == []


def test_where_nobody_may_pretend_no_bot_does() -> None:
    assert does(at("2S 4C|9H 3D", Play(0), house="1;classic;feints=false"), 0, 0.0, fake_slap=1.0, feint=1.0) == []


def test_a_bot_that_has_one_chance_left_feints_a_card_to_provoke_a_blind_slap() -> None:
    assert does(at(JACK, Play(0)), 1, feint=1.0) == [Feint(1, "card")]
    assert does(at("KS 2C|9H 3D", Play(0)), 1, feint=1.0) == []
    provoked = at(JACK, Play(0), Feint(1, "card"))
    assert slap_us(provoked, 0, risk=1.0) == 400_000
    assert slap_us(provoked, 0) is None
    assert slap_us(at(JACK, Play(0), Feint(1, "slap")), 0, risk=1.0) is None


def test_a_feint_makes_a_hand_twitch_but_not_ones_own() -> None:
    nervous = replace(ALERT, lure_false_alarm=1.0)
    assert slap_us(at("2S 4C|9H 3D", Play(0)), 1, reflexes=nervous) is None
    assert slap_us(at("2S 4C|9H 3D", Play(0), Feint(0, "slap")), 1, reflexes=nervous) == 400_000
    assert slap_us(at("2S 4C|9H 3D", Play(0), Feint(1, "slap")), 1, reflexes=nervous) is None
    assert slap_us(at("2S 4C|9H 3D", Play(0), Feint(0, "slap"), Play(1)), 1, reflexes=nervous) is None, "it is over"


def test_a_bluff_claims_what_is_nothing_where_slaps_are_on_ones_honour() -> None:
    pile = (Play(0), Play(1), Play(0))
    honour = at("2S 4C 8C|9H 3D", *pile, house="1;classic;judge=honour")
    assert slap_us(honour, 1, 0.05, bluff=1.0) == 400_000
    assert slap_us(honour, 1, 0.05) is None
    assert slap_us(at("2S 4C 8C|9H 3D", *pile), 1, 0.05, bluff=1.0) is None


def test_a_bot_that_does_not_care_contests_nothing() -> None:
    claimed = at("2S 4C|9H 3D", Play(0), slap(0), house="1;classic;judge=honour")
    assert does(claimed, 1) == [Contest(1)]
    assert does(claimed, 1, contest=0.4) == []


def test_a_cheat_takes_a_pile_that_is_not_theirs_and_is_noticed_at_once_or_later() -> None:
    split = "1;oxymoron"
    pile = at("2S 4C 8C|9H 3D 5D", Play(0), Play(1), Play(0), house=split)
    assert does(pile, 0, 0.01, cheat=1.0) == [Collect(0)]
    assert does(pile, 0, 0.01) == []
    stolen = at("2S 4C 8C|9H 3D 5D", Play(0), Play(1), Play(0), Collect(0), house=split)
    assert does(stolen, 1) == [Notice(1)]
    assert does(stolen, 1, notice=0.4) == []
    over = at("2S 4C 8C|9H 3D 5D", Play(0), Play(1), Play(0), Collect(0), Timeout(), house=split)
    assert does(over, 1, 0.2) == [Notice(1)]
    assert does(over, 1, 0.4) == []


# Burning on purpose


def answering(by: str, house: str = CLASSIC) -> tuple[View, Memory]:
    """Seat 1 has to answer this card of seat 0; three cards lie there."""
    return at(f"2S 5S {by} 7C|3H 6H 8H 9D TD JD QD", Play(0), Play(1), Play(0), Play(1), Play(0), house=house)


def test_a_bot_that_knows_that_it_has_no_answer_burns_a_card_to_reach_one_above_all_after_a_jack() -> None:
    jack = knowing(answering("JS"), b="8H KD TD")
    meant = plan(jack, 1, memory=1.0, burn_to_face=1.0)
    assert meant.slap_us == 400_000
    hasty = replace(ALERT, pace_us=300_000)
    assert plan(jack, 1, reflexes=hasty, memory=1.0, burn_to_face=1.0).turn_us == 600_000, "its card comes after that"
    assert slap_us(jack, 1, memory=1.0) is None
    assert slap_us(jack, 1, burn_to_face=1.0) is None, "it recalls nothing"
    assert slap_us(knowing(answering("JS"), b="? KD TD"), 1, memory=1.0, burn_to_face=1.0) is None
    assert slap_us(knowing(answering("JS"), b="AD KD TD"), 1, memory=1.0, burn_to_face=1.0) is None
    # after a queen the second card would come anyway
    assert slap_us(knowing(answering("QS"), b="8H KD TD"), 1, memory=1.0, burn_to_face=1.0) is None
    assert slap_us(knowing(answering("QS"), b="8H TD KD"), 1, memory=1.0, burn_to_face=1.0) == 400_000


def test_two_cards_are_burned_where_a_wrong_slap_costs_two() -> None:
    two = "1;classic;wrong_slap.count=2"
    assert slap_us(knowing(answering("JS", two), b="8H TD KD"), 1, memory=1.0, burn_to_face=1.0) == 400_000
    assert slap_us(knowing(answering("JS", two), b="8H KD TD"), 1, memory=1.0, burn_to_face=1.0) is None
    give = "1;classic;wrong_slap.kind=give"
    assert slap_us(knowing(answering("JS", give), b="8H KD TD"), 1, memory=1.0, burn_to_face=1.0) is None


def test_a_bot_that_recalls_that_a_challenge_comes_shifts_its_cards_before_it() -> None:
    quiet = at("2S 5S JS 7C|3H 6H 8H 9D TD KD QD", Play(0), Play(1), Play(0), Play(1))
    comes = knowing(quiet, a="JS", b="8H KD TD")
    assert slap_us(comes, 1, memory=1.0, burn_to_shift=1.0) == 400_000
    assert slap_us(comes, 1, memory=1.0, burn_to_face=1.0) is None
    assert slap_us(knowing(quiet, a="7S", b="8H KD TD"), 1, memory=1.0, burn_to_shift=1.0) is None
    assert slap_us(knowing(quiet, b="8H KD TD"), 1, memory=1.0, burn_to_shift=1.0) is None


def test_what_is_assumed_about_people_can_be_changed() -> None:
    """Of what a reaction takes beyond 200 ms, a bot with its own `simple_reaction` keeps its own part."""
    usual, half, none = (slap_us(foreseen(), 0, memory=1, simple_reaction=part) for part in (0.3, 0.5, 1.0))
    assert usual is not None
    assert half is not None
    assert none is not None
    assert (usual - 200_000) / 0.3 == pytest.approx((half - 200_000) / 0.5, abs=4)
    assert (usual - 200_000) / 0.3 == pytest.approx(none - 200_000, abs=4)


def test_a_shorter_memory_does_not_expect_the_card() -> None:
    """The cards were collected two cards ago: with a half-life of one card a quarter is left, less than a half."""
    expected, _, forgotten = (slap_us(foreseen(), 0, memory=1, half_life=cards) for cards in (200, 50, 1))
    assert expected is not None
    assert forgotten is not None
    assert expected < forgotten
