"""Presets: houses by name, each as its differences from `classic`.

Sources: five pages about the game, each followed literally (what a page does not mention is off): a blog's rules;
the article "Egyptian Ratscrew" of Wikipedia (2021); Oxymoron's page; an everything2 write-up; stayandplay.cards. Only
the limits of cards are ours.
`tournament` is the result of simulations (docs/answers.md), and so is the length of `sprint`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratscrew.errors import RulesError
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules
from ratscrew.rules.words import say

_AN_HOUR = 3000
"""The limit of houses whose games may not end at full tables, in cards: about an hour (docs/answers.md)."""

_TOP_BOTTOM = {"match": "rank", "anchor": "pile", "after_burn": "ignore_burns"}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "classic": {},
    "sprint": {
        "max_players": 4,
        "chances": {"J": 2, "Q": 3, "K": 4, "A": 5},
        "wrong_slap": {"kind": "burn", "count": 2, "place": "bottom"},
        "slap_in": "no",
        "late_join": "no",
        "endgame": "sole_holder",
        "collect_delay_ms": 800,
    },
    "blog": {
        "max_players": 0,
        "limit_cards": _AN_HOUR,
        "slaps": {
            "triple": "pile",
            "top_bottom": {"match": "rank", "anchor": "pile", "after_burn": "void"},
            "tens": {"addends": "many", "faces": "skip", "ace": 1},
            "run": {"len": 4, "step": "monotone", "ace": "either"},
            "instant": [],
        },
        "wrong_slap": {"kind": "burn", "count": 2, "place": "bottom"},
        "no_cards": {"kind": "ignore"},
    },
    "wiki": {
        "max_players": 0,
        "limit_cards": _AN_HOUR,
        "slaps": {
            "hoagie": True,
            "run": {"len": 3, "step": "consecutive", "ace": "either"},
            "top_bottom": _TOP_BOTTOM,
            "marriage": True,
        },
        "tie": "contact",
        "tie_window_ms": 30,
        "withdraw_ms": 150,
        "out_of_turn": "dead",
        "dead_place": "bottom",
        "slap_in": "while_two_active",
        "late_join": "no",
        "endgame": "sole_holder",
        "last_chance": 3,
    },
    "oxymoron": {
        "max_players": 0,
        "deal": "stacks",
        "shuffle": "riffle7",
        "collect": "manual",
        "slaps": {
            "triple": "win",
            "triple_six": "all_lose",
            "sandwich": False,
            "run": {"len": 4, "step": "consecutive", "ace": "wrap"},
        },
        "wrong_slap": {"kind": "pile_to_last", "after_fail": "stands"},
        "no_cards": {"kind": "ignore"},
        "max_streak": 5,
        "out_of_turn": "aside",
        "cheat": "split",
        "hover": "slap_down",
        "tie": "void",
        "tie_window_ms": 30,
        "join_seat": "choose",
        "triple_six_ban": True,
    },
    "everything2": {
        "max_players": 0,
        "limit_cards": _AN_HOUR,
        "decks": "auto",
        "slaps": {"sandwich": False, "instant": []},
        "wrong_slap": {"kind": "none"},
        "no_cards": {"kind": "ignore"},
    },
    "stayandplay": {
        "slaps": {
            "top_bottom": _TOP_BOTTOM,
            "tens": {"addends": "two", "faces": "skip_one", "ace": 1},
            "run": {"len": 4, "step": "consecutive", "ace": "wrap"},
            "marriage": True,
        },
        "wrong_slap": {"kind": "burn", "count": 2, "place": "bottom"},
        "no_cards": {"kind": "strikes", "limit": 1},
        "tie": "contact",
        "tie_window_ms": 30,
        "late_join": "no",
    },
    "chaos": {
        "max_players": 0,
        "limit_cards": _AN_HOUR,
        "decks": "auto",
        "jokers": 2,
        "chances": {"J": 1, "Q": 2, "K": 3, "A": 4, "JKB": 13},
        "collect": "manual",
        "slaps": {
            "triple": "win",
            "triple_six": "all_lose",
            "hoagie": True,
            "top_bottom": _TOP_BOTTOM,
            "tens": {"addends": "many", "faces": "skip", "ace": 1},
            "run": {"len": 3, "step": "consecutive", "ace": "wrap"},
            "marriage": True,
            "divorce": True,
            "scandal": True,
            "sixty_nine": True,
            "suit_run": 3,
            "colour_run": 4,
            "count_match": True,
            "instant": ["JKR"],
        },
        "wrong_slap": {"kind": "burn", "count": 2, "place": "top"},
        "no_cards": {"kind": "burn_hand"},
        "max_streak": 5,
        "out_of_turn": "dead",
        "dead_place": "top",
        "out_of_turn_burn": 1,
        "cheat": "split",
        "tie": "contact",
        "tie_window_ms": 30,
        "withdraw_ms": 150,
        "redneck": "convicted",
        "hover": "slap_down",
        "join_seat": "choose",
        "last_chance": 3,
        "last_chance_who": "anyone",
        "triple_six_ban": True,
    },
    "beggar": {
        "max_players": 2,
        "slaps": {"double": False, "sandwich": False, "instant": []},
        "slap_in": "no",
        "late_join": "no",
        "endgame": "must_play",
    },
    "tournament": {
        "max_players": 5,
        "slaps": {"sandwich": False, "instant": []},
        "wrong_slap": {"kind": "burn", "count": 2, "place": "bottom", "escalate": True},
        "no_cards": {"kind": "strikes", "limit": 1},
        "feints": False,
        "late_join": "no",
        "endgame": "sole_holder",
        "collect_delay_ms": 1000,
    },
}

TITLES: Mapping[str, str] = {
    "classic": "Classic",
    "sprint": "Sprint",
    "blog": "Rows & Tens",
    "wiki": "Sandwich Shop",
    "oxymoron": "Three Sixes",
    "everything2": "No Penalties",
    "stayandplay": "Royal Weddings",
    "chaos": "Chaos",
    "beggar": "Beggar",
    "tournament": "Tournament",
}
"""What players call each preset. Links, files and the log have the preset's name instead, which never changes."""

SUMMARIES: Mapping[str, str] = {
    "classic": "The game as most people know it: doubles, sandwiches, and one burned card for a wrong slap.",
    "sprint": "About five minutes: face cards win bigger piles, and without cards you're out.",
    "blog": "Lots of slaps, including tens and runs with gaps; a wrong slap burns two cards. From a blog.",
    "wiki": "Hoagies, marriages, short runs and top-bottoms, dead cards, and a last chance at the end. From Wikipedia.",
    "oxymoron": (
        "Just doubles and runs, but a triple wins the game, three sixes lose it, and cheats may get away. "
        "From Oxymoron's page."
    ),
    "everything2": "Nothing but doubles, and no penalty at all: for beginners and big tables. From everything2.",
    "stayandplay": (
        "Tens, marriages, runs and top-bottoms; one wrong slap without cards, and you're out. From stayandplay.cards."
    ),
    "chaos": "Every slap and every trick there is, with jokers: for people who know them all.",
    "beggar": "Beggar-my-neighbour for two: no slapping, the cards alone decide.",
    "tournament": "Just doubles, and each wrong slap costs more than the last: the faster eye wins, and soon.",
}
"""A description of each preset, in a sentence."""


def house(preset: str = "classic", /, **options: Any) -> Rules:
    """The rules of a preset, with some options changed (see `merge`).

    Raises: RulesError if there is no such preset, or with every problem of the options.
    """
    if preset not in [*PRESETS]:  # a list of names: what a file says need not be hashable
        raise RulesError(
            [say("there is no preset {preset!r}; there are {known}", preset=preset, known=", ".join(PRESETS))]
        )
    base = parse_rules(PRESETS[preset])
    return parse_rules(options, over=base) if options else base
