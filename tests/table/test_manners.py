"""Manners at a table: hands taken away, foreheads, hovering hands, and feints."""

from __future__ import annotations

import pytest

from ratscrew.bots.bot import Chance, Plan
from ratscrew.bots.memory import Memory
from ratscrew.game.events import Fouled
from ratscrew.game.view import View
from ratscrew.table.record.entries import Judged
from ratscrew.table.record.table_action import ActionName
from tests.table.driver import LiveTable, at_table
from tests.table.looks import awake, clock, hands, pile, refused, where

NINES = "Ana: 9S 2C 5D | {bo}: 9H 4H 6D | Cy: KC 3D 7D"


def nines(house: str, bo: str = "Bo", turns: tuple[int, ...] = (0, 1)) -> LiveTable:
    """Bo has turned the second nine."""
    live = at_table(NINES.format(bo=bo), house=f"1;classic;{house}")
    live.turn(*turns)
    return live


# Hands have to be taken away first


def test_who_has_just_turned_a_card_slaps_it_when_his_hand_has_been_away() -> None:
    live = nines("withdraw_ms=250")
    live.slap(1, after_ms=249)
    assert (pile(live), refused(live)) == ("9S 9H", ["withdraw"])
    live.slap(1, after_ms=250)
    assert hands(live) == "2C 5D | 4H 6D 9S 9H | KC 3D 7D"


@pytest.mark.parametrize(("arrives_ms", "counts"), [(299, False), (300, True)])
def test_of_who_is_far_away_it_counts_when_his_hand_came_down(arrives_ms: int, counts: bool) -> None:
    """Messages of this seat travel for 50 ms."""
    live = nines("withdraw_ms=250")
    live.far(1, 100)
    live.slap(1, after_ms=arrives_ms)
    assert refused(live) == ([] if counts else ["withdraw"])
    assert (pile(live) == "") is counts


@pytest.mark.parametrize("seat", [0, 2])
def test_everybody_else_slaps_it_as_soon_as_anybody_can(seat: int) -> None:
    live = nines("withdraw_ms=250")
    live.slap(seat, after_ms=150)
    assert (where(live), refused(live)) == (f"play {seat}", [])


@pytest.mark.parametrize(("arrives_ms", "lies"), [(299, "9S"), (300, "2C* 9S")])
def test_a_wrong_slap_with_that_hand_costs_nothing(arrives_ms: int, lies: str) -> None:
    """Messages of this seat, too, travel for 50 ms."""
    live = nines("withdraw_ms=250", turns=(0,))
    live.far(0, 100)
    live.slap(0, after_ms=arrives_ms)
    assert (pile(live), refused(live)) == (lies, [] if "*" in lies else ["withdraw"])


# Foreheads


def test_a_slap_without_a_hand_to_the_forehead_has_no_effect_and_costs_nothing() -> None:
    live = nines("redneck=all", turns=(0,))
    live.slap(2, after_ms=400)
    assert (hands(live), refused(live)) == ("2C 5D | 9H 4H 6D | KC 3D 7D", ["forehead"])


def test_a_slap_after_it_counts_on_the_same_card() -> None:
    live = nines("redneck=all")
    live.slap(2, after_ms=300)
    live.do(2, "forehead")
    live.slap(2, after_ms=400)
    assert where(live) == "play 2"


def test_each_slap_spends_the_touch() -> None:
    live = nines("redneck=all", turns=(0,))
    live.do(2, "forehead")
    live.slap(2, after_ms=400)
    assert live.told[-1] == "2 burns KC"
    live.turn(1)
    live.slap(2, after_ms=400)
    assert refused(live) == ["forehead"]


def test_each_card_of_ones_own_spends_it_too_and_other_peoples_do_not() -> None:
    live = nines("redneck=all", turns=(0,))
    live.do(1, "forehead")
    live.do(2, "forehead")
    live.turn(1)
    live.slap(1, after_ms=300)
    assert (pile(live), refused(live)) == ("9S 9H", ["forehead"])
    live.slap(2, after_ms=400)
    assert where(live) == "play 2"


def test_where_it_is_for_the_convicted_the_first_wrong_slap_convicts() -> None:
    live = nines("redneck=convicted", turns=(0,))
    live.slap(2, after_ms=400)
    live.turn(1)
    live.slap(2, after_ms=400)
    assert refused(live) == ["forehead"]
    live.slap(0, after_ms=450)
    assert where(live) == "play 0"


def test_a_bot_touches_its_forehead_and_then_slaps() -> None:
    live = nines("redneck=all", bo="Thoth*", turns=(0,))
    awake(live, 1)
    live.turn(1)
    live.pass_ms(174)
    assert "Touched seat=1" not in live.told
    live.pass_ms(1)
    assert live.told[-1] == "Touched seat=1"
    live.pass_ms(124)
    assert pile(live) == "9S 9H"
    live.pass_ms(1)
    assert (where(live), pile(live)) == ("play 1", "")


# Hovering hands


def test_a_hovering_hand_that_is_slapped_down_is_a_wrong_slap_of_its_owner() -> None:
    live = nines("hover=slap_down", turns=(0,))
    live.do(2, "hover")
    live.do(1, "slap_down", target=2)
    assert (where(live), pile(live), hands(live)) == ("play 1", "KC* 9S", "2C 5D | 9H 4H 6D | 3D 7D")


def test_or_his_good_one() -> None:
    live = nines("hover=slap_down")
    live.do(2, "hover")
    live.do(1, "slap_down", target=2)
    assert (where(live), hands(live)) == ("play 2", "2C 5D | 4H 6D | KC 3D 7D 9S 9H")


def test_where_no_card_lies_it_is_nothing() -> None:
    live = nines("hover=slap_down", turns=())
    live.do(2, "hover")
    live.do(1, "slap_down", target=2)
    assert live.told[-1] == "SlappedDown seat=1 target=2"
    assert hands(live) == "9S 2C 5D | 9H 4H 6D | KC 3D 7D"


@pytest.mark.parametrize("target", [1, 2, 7, None])
def test_a_hand_that_does_not_hover_and_ones_own_cannot_be_slapped_down(target: int | None) -> None:
    live = nines("hover=slap_down", turns=(0,))
    live.do(1, "hover")
    live.do(2, "hover")
    live.do(2, "unhover")
    live.do(1, "slap_down", target=target)
    assert (pile(live), refused(live)) == ("9S", ["not_hovering"])


# Feints


@pytest.mark.parametrize(("deed", "told"), [("fake_slap", "slap"), ("feint", "card")])
def test_who_pretends_is_seen_and_changes_nothing(deed: ActionName, told: str) -> None:
    live = nines("turn_ms=5000", turns=(0,))
    live.pass_ms(1000)
    before = clock(live)
    live.do(1, deed)
    assert live.told[-1] == f"Feinted seat=1 feint_type={told}"
    assert (where(live), pile(live), clock(live)) == ("play 1", "9S", before)
    assert hands(live) == "2C 5D | 9H 4H 6D | KC 3D 7D"


def test_a_card_on_its_way_flies_on_whatever_is_pretended() -> None:
    live = nines("turn_ms=5000", turns=(0,))
    live.pass_ms(1000)
    live.play(1)
    live.pass_ms(100)
    live.do(2, "fake_slap")
    live.pass_ms(60)
    assert pile(live) == "9S 9H"


# Rules without manners


class Gullible:
    """A bot that slaps patterns after a while, and every feint after a moment."""

    def plan(self, view: View, seat: int, chance: Chance, memory: Memory) -> Plan:
        """See `Bot`."""
        lured = memory.feint is not None and memory.feint.n == view.n
        slap_us = 300_000 if lured else 900_000 if view.first_match() else None
        return Plan(turn_us=5_000_000 if view.standing.turn == seat else None, slap_us=slap_us)


@pytest.mark.parametrize(("turns", "fouls"), [((0,), 1), ((0, 1), 0)])
def test_a_feint_lures_a_bot_unless_it_means_to_slap_anyway(turns: tuple[int, ...], fouls: int) -> None:
    live = at_table(NINES.format(bo="Bo").replace("Cy:", "Cy*:"))
    live.table.seats[2].bot = Gullible()
    live.turn(*turns)
    live.do(0, "fake_slap")
    live.pass_ms(400)
    assert len(live.when_ms(Fouled)) == fouls
    live.pass_ms(2000)
    reactions = [entry.event.order[0].us for entry in live.entries if isinstance(entry.event, Judged)]
    assert reactions == ([] if fouls else [900_000]), "what it has seen it slaps in its own time"


@pytest.mark.parametrize("deed", ["forehead", "hover", "unhover", "slap_down", "fake_slap", "feint"])
def test_a_house_without_such_manners_knows_nothing_of_them(deed: ActionName) -> None:
    live = nines("feints=false", turns=(0,))
    live.do(1, deed, target=2)
    assert (live.told[-1], refused(live)) == ("0 turns 9S", ["not_so_here"])
