"""Which options have an effect in a house: the sheet leaves out the others, so that it never contradicts itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ratscrew.cards import JOKERS
from ratscrew.rules.endgames import AT_ONCE
from ratscrew.rules.example import slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.options import has_effect

Condition: TypeAlias = Callable[[Rules], bool]


def _challenges(rules: Rules) -> bool:
    return any(rules.chances_by_card)


def _judged(rules: Rules) -> bool:
    """Wrong slaps are penalised, and ties resolved: under honour rules slaps are claims."""
    return rules.judge == "auto"


def _final_card_open(rules: Rules) -> bool:
    """The last card of a challenge can be slapped: always, or only if it's an answer."""
    return rules.slap_window != "not_during_challenge"


def _slaps_without_cards(rules: Rules) -> bool:
    return rules.slap_in != "no" or rules.late_join == "slap_in"


def _pays_when_won(rules: Rules) -> bool:
    return rules.slap_window == "always" and rules.final_card_slap == "normal"


def _ends_with_a_pile(rules: Rules) -> bool:
    """The last challenge takes its pile: where players are out at once, it is over before."""
    return rules.endgame not in AT_ONCE


def _jokers(rules: Rules) -> bool:
    """Jokers are not taken out of the packs."""
    return not set(JOKERS) <= rules.missing


_NEEDS: Mapping[str, Sequence[Condition]] = {
    "jokers": (_jokers,),
    "remainder": (lambda rules: rules.remainder != "jokers" or _jokers(rules),),
    "run_out": (_challenges,),
    "stoppers": (_challenges,),
    "slap_window": (slappable, _challenges),
    "final_card_slap": (slappable, _challenges, _judged, _final_card_open),
    "slaps.wild": (slappable,),
    "dead_pattern": (slappable,),
    "tie": (slappable, _judged),
    "tie_window_ms": (slappable, _judged),
    "wrong_slap": (slappable, _judged),
    "wrong_slap.pile_to_last.after_fail": (_challenges, _pays_when_won),
    "no_cards": (slappable, _judged, _slaps_without_cards),
    "max_streak": (slappable, _judged),
    "slap_in": (slappable,),
    "late_join": (slappable,),
    "join_seat": (slappable,),
    "last_chance": (slappable, _challenges, _ends_with_a_pile),
    "last_chance_who": (slappable, _challenges, _ends_with_a_pile),
    "withdraw_ms": (slappable,),
    "redneck": (slappable,),
    "hover": (slappable,),
    "hover_ms": (slappable,),
    "slap_hand": (slappable,),
    "feints": (slappable,),
    "collect_delay_ms": (lambda rules: rules.collect == "auto",),
    "manners.rings": (slappable,),
    "manners.taps": (slappable,),
}
"""What must hold for an option, or a parameter of a penalty, to have an effect."""


def is_relevant(path: str, rules: Rules) -> bool:
    """Whether an option, a parameter or a reminder has an effect in a house."""
    return has_effect(path, rules) and all(holds(rules) for holds in _NEEDS.get(path, ()))
