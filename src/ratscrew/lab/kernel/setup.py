"""A house and its bots as numbers, for the kernel; or why it cannot play them, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from ratscrew.bots.bot import Bot
from ratscrew.bots.reflex_bot import ReflexBot, glances
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.cards import Card
from ratscrew.game.decide.deal import check_players, deal_out, deck_for
from ratscrew.game.tempo import FLIGHT_US, GAP_US
from ratscrew.lab import tables
from ratscrew.lab.kernel import layout
from ratscrew.lab.kernel.layout import HOUSE, Record
from ratscrew.lab.tables import FACES
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, Bound
from ratscrew.rules.penalties import Burn, BurnHand, Consequence, Give, Lock, Offence, Owe, PileToLast, Strike
from ratscrew.rules.ranks import ADDENDS, ENDS, GAPS, WILD

_ORDERS = {
    "endgame": ("play_out", "sole_holder", "must_play"),
    "slap_window": ("always", "not_after_fail", "not_during_challenge"),
    "slap_in": ("no", "while_two_active", "always"),
    "redneck": ("off", "convicted", "all"),
    "stalemate": ("last_player", "draw", "redeal"),
}
"""Options that are the same words in the kernel, as numbers."""

Mind: TypeAlias = ReflexBot | RiskSlapper
"""The bots whose minds the kernel has."""

_ROWS = {
    "consecutive": layout.CONSECUTIVE,
    "monotone": layout.MONOTONE,
    "suit": layout.ONE_SUIT,
    "colour": layout.ONE_COLOUR,
}

_TIES = {"earliest": 0, "contact": 0, "void": 1, "judge": 2}
_ENDS = ("pile", "win", "all_lose")


def why_not(rules: Rules, bots: Sequence[Bot]) -> str | None:
    """Why the kernel cannot play this house with these bots, in words; None if it can."""
    return next(_obstacles(rules, bots), None)


def _obstacles(rules: Rules, bots: Sequence[Bot]) -> Iterator[str]:
    if rules.judge != "auto":
        yield "slaps are on one's honour (judge = honour)"
    if any(type(bot) not in (ReflexBot, RiskSlapper) for bot in bots):
        yield "somebody has more than reflexes and nerve"
    if len({*bots}) > layout.KINDS:
        yield f"{len({*bots})} kinds of bots: at most {layout.KINDS}"
    if len(bots) > layout.SEATS:
        yield f"{len(bots)} players: at most {layout.SEATS}"
    if len(deck_for(rules, len(bots))) > layout.CARDS:
        yield f"more than {layout.CARDS} cards"
    yield from filter(None, map(tables.why_not, rules.patterns))
    if len(rules.patterns) > layout.PATTERNS:
        yield f"{len(rules.patterns)} patterns: at most {layout.PATTERNS}"
    for costs in (_wrong_slap(rules), _no_cards(rules)):
        if max(map(len, costs)) > layout.COSTS:
            yield f"a wrong slap costs more than {layout.COSTS} things"


def tabulate(rules: Rules, bots: Sequence[Mind], limit: int) -> Record:
    """A house and its bots as a record.

    Raises: RulesError if the house does not allow so many players.
    """
    check_players(rules, len(bots))
    house = np.zeros(1, HOUSE)[0]
    house["limit"], house["flight_us"], house["gap_us"] = limit, FLIGHT_US, GAP_US
    _options(house, rules, len(bots))
    _deck(house, rules, len(bots))
    _patterns(house, rules)
    for table, rows in (("wrong_slap", _wrong_slap(rules)), ("no_cards", _no_cards(rules))):
        for number, costs in enumerate(rows):
            for place, cost in enumerate(costs):
                house[table][number, place] = _cost(cost)
    _minds(house, bots)
    return house


def _options(house: Record, rules: Rules, seats: int) -> None:
    for name, words in _ORDERS.items():
        house[name] = words.index(getattr(rules, name))
    for name in ("step", "tie_window_ms", "withdraw_ms", "max_streak", "last_chance"):
        house[name] = getattr(rules, name)
    house["seats"], house["tie"] = seats, _TIES[rules.tie]
    house["riffle"] = rules.shuffle == "riffle7"
    house["skip"] = rules.dead_pattern == "skip"
    house["challenger_takes"] = rules.run_out == "challenger_takes"
    house["final_free"] = rules.final_card_slap == "free"
    house["face_down"] = not rules.burn_face_up
    house["last_chance_opponent"] = rules.last_chance_who == "opponent"
    house["shuffle"] = rules.pickup == "shuffle"
    house["manual"] = rules.collect == "manual"
    house["collect_delay_us"] = rules.collect_delay_ms * 1000
    house["contest_us"], house["turn_us"] = rules.contest_ms * 1000, rules.turn_ms * 1000
    house["chances"] = rules.chances_by_card
    house["stops"] = [card in rules.stops for card in FACES]


def _deck(house: Record, rules: Rules, seats: int) -> None:
    """Every card, and where each place of the shuffled deck is dealt to; `deal_out` says it, of numbers for cards."""
    deck = deck_for(rules, seats)
    house["cards"] = len(deck)
    house["deck"][: len(deck)] = deck
    dealt = deal_out(rules, tuple(map(Card, range(len(deck)))), seats, -rules.step % seats)
    for seat, hand in enumerate(dealt.hands):
        house["dealt"][seat] = len(hand)
        for lies, place in enumerate(hand):
            house["place"][place] = seat, lies
    for lies, laid in enumerate(dealt.pile):
        house["place"][laid.card] = -1, lies


def _patterns(house: Record, rules: Rules) -> None:
    """The masks of all patterns, one bit each."""
    patterns = rules.patterns
    wild = patterns[0].wild if patterns else frozenset()
    house["rank_code"] = [tables.rank_code(card, wild) for card in FACES]
    house["suit_code"] = [tables.suit_code(card, wild) for card in FACES]
    house["colour_code"] = [WILD if card in wild else card.colour for card in FACES]
    depths = [1 if bound.depth == ALL else bound.depth for bound in patterns]
    house["depth"] = max(depths, default=0)
    house["slappable"] = len(patterns) > 0
    house["around"] = any(bound.pattern.sights for bound in patterns)
    for number, bound in enumerate(patterns):
        bit, pattern = 1 << number, bound.pattern
        house["deep_enough"][depths[number] :] |= bit
        house["ends"][number] = _ENDS.index(bound.ends)
        house["size"][number] = max(0, glances(bound) - 2)
        if pattern.name == tables.SUMS:
            house["sums"], house["total"], house["ace"] = bit, bound.given["total"], bound.given["ace"]
            house["addends"], house["gap"] = ADDENDS[bound.given["addends"]], GAPS[bound.given["faces"]]
        elif tables.is_long_row(bound):
            _long_row(house, bound, bit)
        elif "chance_no" in pattern.sights:
            house["answers"] |= tables.answers(bound) * np.int32(bit)
        elif pattern.sights:
            house["beside"] |= tables.beside(bound) * np.int32(bit)
        elif bound.depth == 1:
            house["faces"] |= tables.top(bound) * np.int32(bit)
        else:
            _window(house, "ranks" if pattern.lens == "rank" else "suits", tables.window(bound), bit)


def _long_row(house: Record, bound: Bound, bit: int) -> None:
    """A row for which there is no table: what it is a row of, and how long."""
    number = int(house["long_rows"])
    house["long_rows"] = number + 1
    house["row_of"][number] = _ROWS[bound.given.get("step", bound.pattern.lens)]
    house["row_bit"][number], house["row_length"][number] = bit, bound.depth
    house["row_ends"][number] = ENDS[bound.given.get("ace", "either")]


def _window(house: Record, name: str, table: tables.Truth, bit: int) -> None:
    """Put a table into the masks of windows, where the newest card is the lowest digit."""
    codes = table.shape[0]
    masks = house[name].reshape(-1, codes**table.ndim)
    masks |= table.transpose().reshape(1, -1) * np.int32(bit)


def _wrong_slap(rules: Rules) -> list[list[Consequence]]:
    """What a wrong slap costs whoever holds cards, by his wrong slaps before it."""
    return [rules.cost(Offence(held=1, strikes=0, fouls=fouls)) for fouls in range(layout.FOULS)]


def _no_cards(rules: Rules) -> list[list[Consequence]]:
    """What it costs whoever holds none, by his strikes before it."""
    return [rules.cost(Offence(held=0, strikes=strikes, fouls=0)) for strikes in range(layout.STRIKES)]


def _cost(cost: Consequence) -> tuple[int, int, int]:
    """Something that a wrong slap costs, as numbers: what, how much, and where."""
    match cost:
        case Burn(count, place):
            return layout.BURN, count, int(place == "top")
        case PileToLast(literal):
            return layout.PILE_TO_LAST, int(literal), 0
        case Give(to):
            return layout.GIVE_LAST if to == "last_player" else layout.GIVE_ALL, 0, 0
        case Lock(int(cards)):
            return layout.LOCK, cards, 0
        case Lock(until):
            return layout.LOCK, layout.LOCKED_PILE if until == "pile" else layout.LOCKED_GAME, 0
        case Strike():
            return layout.STRIKE, 0, 0
        case BurnHand():
            return layout.BURN_HAND, 0, 0
        case Owe(count):
            return layout.OWE, count, 0


def _minds(house: Record, bots: Sequence[Mind]) -> None:
    """What the bots are like; two rows of quantiles for each kind of them, reactions and pauses."""
    kinds = list(dict.fromkeys(bot.reflexes for bot in bots))
    for seat, bot in enumerate(bots):
        some = bot.reflexes
        house["stake"][seat] = layout.NEVER
        if isinstance(bot, RiskSlapper):
            house["stake"][seat], house["stake_letters"][seat] = bot.pile, bot.letters
            house["stake_last"][seat], house["risk"][seat] = bot.last_chance, _bits(bot.risk)
        house["miss"][seat], house["twitch"][seat] = _bits(some.miss), _bits(some.twitch)
        house["fooled"][seat], house["glance_us"][seat] = _bits(some.fooled), some.glance_us
        house["rows"][seat] = 2 * kinds.index(some)
    house["small"] = house["twitch"].max(), house["fooled"].max()
    plain = not house["redneck"] and not house["manual"] and all(type(bot) is ReflexBot for bot in bots)
    house["calm"] = plain and len(bots) + 1 < layout.WORDS  # a chance for each, and one for the pause
    for number, some in enumerate(kinds):
        house["knots"][2 * number : 2 * number + 2] = some.reactions, some.pauses


def _bits(share: float) -> int:
    """The whole number of 53 bits below which a chance is below a share."""
    return math.ceil(share * 2**53)
