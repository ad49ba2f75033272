"""Houses by name: each has the rules of its source."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ratscrew.cards import RANKS
from ratscrew.errors import RulesError
from ratscrew.rules import presets
from ratscrew.rules.penalties import Burn, Lock, Offence, Strike
from ratscrew.rules.presets import PRESETS, SUMMARIES, house

TABLE = """
option | classic | blog | wiki | oxymoron | everything2 | stayandplay | chaos
decks | 1 | · | · | · | auto | · | auto
jokers | 0 | · | · | · | · | · | 2
deal | one_by_one | · | · | stacks | · | · | ·
remainder | extras | · | · | · | · | · | ·
shuffle | uniform | · | · | riffle7 | · | · | ·
direction | cw | · | · | · | · | · | ·
max_players | 8 | 0 | 0 | 0 | 0 | · | 0
chances | J=1, Q=2, K=3, A=4 | · | · | · | · | · | J=1, Q=2, K=3, A=4, JKB=13
run_out | next_continues | · | · | · | · | · | ·
collect | auto | · | · | manual | · | · | manual
slap_window | always | · | · | · | · | · | ·
final_card_slap | normal | · | · | · | · | · | ·
slaps.double | on | · | · | · | · | · | ·
slaps.triple | off | pile | · | win | · | · | win
slaps.triple_six | off | · | · | all_lose | · | · | all_lose
slaps.sandwich | on | · | · | off | off | · | ·
slaps.hoagie | off | · | on | · | · | · | on
slaps.top_bottom | off | match=rank, anchor=pile, after_burn=void | match=rank, anchor=pile, after_burn=ignore_burns \
| · | · | match=rank, anchor=pile, after_burn=ignore_burns | match=rank, anchor=pile, after_burn=ignore_burns
slaps.tens | off | addends=many, faces=skip, ace=1, total=10 | · | · | · \
| addends=two, faces=skip_one, ace=1, total=10 | addends=many, faces=skip, ace=1, total=10
slaps.run | off | len=4, step=monotone, ace=either | len=3, step=consecutive, ace=either \
| len=4, step=consecutive, ace=wrap | · | len=4, step=consecutive, ace=wrap | len=3, step=consecutive, ace=wrap
slaps.marriage | off | · | on | · | · | on | on
slaps.divorce | off | · | · | · | · | · | on
slaps.scandal | off | · | · | · | · | · | on
slaps.sixty_nine | off | · | · | · | · | · | on
slaps.suit_run | off | · | · | · | · | · | 3
slaps.colour_run | off | · | · | · | · | · | 4
slaps.count_match | off | · | · | · | · | · | challenge
slaps.instant | [JK] | off | · | · | off | · | [JKR]
slaps.wild | off | · | · | · | · | · | ·
judge | auto | · | · | · | · | · | ·
tie | earliest | · | contact | void | · | contact | contact
tie_window_ms | 0 | · | 30 | 30 | · | 30 | 30
withdraw_ms | 0 | · | 150 | · | · | · | 150
redneck | off | · | · | · | · | · | convicted
hover | off | · | · | slap_down | · | · | slap_down
wrong_slap | kind=burn, count=1, place=bottom, escalate=false | kind=burn, count=2, place=bottom, escalate=false | · \
| kind=pile_to_last, after_fail=stands | kind=none | kind=burn, count=2, place=bottom, escalate=false \
| kind=burn, count=2, place=top, escalate=false
no_cards | kind=strikes, limit=3 | kind=ignore | · | kind=ignore | kind=ignore | kind=strikes, limit=1 | kind=burn_hand
limit_cards | 0 | 3000 | 3000 | · | 3000 | · | 3000
max_streak | 0 | · | · | 5 | · | · | 5
out_of_turn | reject | · | dead | aside | · | · | dead
dead_place | bottom | · | · | · | · | · | top
out_of_turn_burn | 0 | · | · | · | · | · | 1
dead_pattern | block | · | · | · | · | · | ·
cheat | off | · | · | split | · | · | split
slap_in | always | · | while_two_active | · | · | · | ·
late_join | slap_in | · | no | · | · | no | ·
join_seat | end | · | · | choose | · | · | choose
endgame | play_out | · | sole_holder | · | · | · | ·
last_chance | 0 | · | 3 | · | · | · | 3
last_chance_who | opponent | · | · | · | · | · | anyone
triple_six_ban | false | · | · | on | · | · | on
"""
"""What the pages say from which the presets come; a point is the same as in the first column."""

PLAIN = {"pack": "standard", "stoppers": [], "slap_hand": "any", "feints": True, "burn_face_up": True}
PLAIN |= {"stalemate": "last_player", "pickup": "keep", "without": [], "lead": "taker"}
PLAIN |= {"turn_ms": 8000, "collect_delay_ms": 1500, "contest_ms": 3000, "hover_ms": 600}
"""What is the same in all of them."""

ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip().splitlines()]


def value(cell: str) -> Any:
    """The value of a cell."""
    if "=" in cell:
        return {name: value(inner) for name, inner in (part.split("=") for part in cell.split(", "))}
    if cell.startswith("["):
        return [cell[1:-1]]
    return int(cell) if cell.isdigit() else {"on": True, "false": False}.get(cell, cell)


@pytest.mark.parametrize("preset", ROWS[0][1:])
def test_a_preset_is_what_its_page_says(preset: str) -> None:
    column = ROWS[0].index(preset)
    cells = {row[0]: value(row[1] if row[column] == "·" else row[column]) for row in ROWS[1:]}
    slaps = {name.removeprefix("slaps."): cell for name, cell in cells.items() if "." in name and cell != "off"}
    options = {name: cell for name, cell in cells.items() if "." not in name}
    assert msgspec.structs.asdict(house(preset)) == {**PLAIN, **options, "slaps": slaps}


def test_in_beggar_my_neighbour_two_play_and_nobody_slaps() -> None:
    rules = house("beggar")
    assert (rules.max_players, rules.slaps, rules.slap_in, rules.late_join) == (2, {}, "no", "no")
    assert rules.endgame == "must_play"


def test_a_sprint_is_over_when_the_others_have_no_cards_and_nobody_comes_back() -> None:
    rules = house("sprint")
    assert (rules.slap_in, rules.late_join, rules.endgame) == ("no", "no", "sole_holder")
    assert [rules.chances_by_card[RANKS.index(rank) << 2] for rank in "2JQKA"] == [0, 2, 3, 4, 5]
    assert rules.penalty_for(Offence(9, 0, 0)) == [Burn(2, "bottom")]


def test_in_a_tournament_doubles_are_slapped_and_each_wrong_slap_costs_one_card_more() -> None:
    rules = house("tournament")
    assert [bound.pattern.name for bound in rules.patterns] == ["double"]
    assert [rules.penalty_for(Offence(9, 0, fouls)) for fouls in range(3)] == [[Burn(n, "bottom")] for n in (2, 3, 4)]
    assert rules.penalty_for(Offence(held=0, strikes=0, fouls=0)) == [Strike(), Lock("game")]
    assert (rules.max_players, rules.feints, rules.late_join, rules.slap_in) == (5, False, "no", "always")


def test_every_preset_is_described_in_a_sentence() -> None:
    assert SUMMARIES.keys() == PRESETS.keys()
    assert all(said[0].isupper() and said.endswith(".") for said in SUMMARIES.values())


def test_an_unknown_preset_is_named_with_those_that_are_there() -> None:
    with pytest.raises(RulesError, match="there is no preset 'clasic'; there are classic, sprint, blog"):
        house("clasic")


def test_a_preset_goes_before_the_defaults_and_an_option_before_the_preset(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"max_players": 3, "turn_ms": 5000, "slaps": {"sandwich": False}}
    monkeypatch.setattr(presets, "PRESETS", {"small": small, **PRESETS})
    assert house("small") == house(max_players=3, turn_ms=5000, slaps={"sandwich": False})
    assert house("small", max_players=4).max_players == 4
    assert house("small", slaps={"double": False}).slaps == {"instant": ["JK"]}
    assert house("small", slaps={"sandwich": True}).slaps == house().slaps


def test_a_wrong_option_of_a_preset_is_reported_like_any_other() -> None:
    with pytest.raises(RulesError) as caught:
        house("classic", slaps={"tripple": True}, colour="red")
    assert len(caught.value.problems) == 2
