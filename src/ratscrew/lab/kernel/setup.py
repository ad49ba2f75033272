"""Convert a house and its bots into the kernel's tables, or say why the kernel does not support them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from ratscrew.bots.bot import Bot
from ratscrew.bots.reflex_bot import ReflexBot, scan_count
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.cards import Card
from ratscrew.game.card_timing import MIN_CARD_GAP_US, REVEAL_DELAY_US
from ratscrew.game.decide.deal import check_players, deal_out, deck_for
from ratscrew.lab import tables
from ratscrew.lab.kernel import layout
from ratscrew.lab.kernel.layout import CONFIG, Record
from ratscrew.lab.tables import FACES
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, BoundPattern
from ratscrew.rules.penalties import Burn, BurnHand, Consequence, Give, Lock, Offence, Owe, PileToLast, Strike
from ratscrew.rules.ranks import ADDENDS, ENDS, GAPS, WILD

_ORDERS = {
    "endgame": ("play_out", "sole_holder", "must_play"),
    "slap_window": ("always", "not_after_fail", "not_during_challenge"),
    "slap_in": ("no", "while_two_active", "always"),
    "redneck": ("off", "convicted", "all"),
    "stalemate": ("last_player", "draw", "redeal"),
}
"""The values of options in the order of the kernel's constants."""

BotModel: TypeAlias = ReflexBot | RiskSlapper
"""The bots that the kernel supports."""

_ROWS = {
    "consecutive": layout.CONSECUTIVE,
    "monotone": layout.MONOTONE,
    "suit": layout.ONE_SUIT,
    "colour": layout.ONE_COLOUR,
}

_TIES = {"earliest": 0, "contact": 0, "void": 1, "judge": 2}
_ENDS = ("pile", "win", "all_lose")


def unsupported_reason(rules: Rules, bots: Sequence[Bot]) -> str | None:
    """Why the kernel does not support this house with these bots; None if it does."""
    return next(_obstacles(rules, bots), None)


def _obstacles(rules: Rules, bots: Sequence[Bot]) -> Iterator[str]:
    if rules.judge != "auto":
        yield "slaps are on one's honour (judge = honour)"
    if any(type(bot) not in (ReflexBot, RiskSlapper) for bot in bots):
        yield "a bot has more than reflexes and risk traits"
    if len({*bots}) > layout.KINDS:
        yield f"{len({*bots})} kinds of bots: at most {layout.KINDS}"
    if len(bots) > layout.SEATS:
        yield f"{len(bots)} players: at most {layout.SEATS}"
    if len(deck_for(rules, len(bots))) > layout.CARDS:
        yield f"more than {layout.CARDS} cards"
    yield from filter(None, map(tables.unsupported_reason, rules.patterns))
    if len(rules.patterns) > layout.PATTERNS:
        yield f"{len(rules.patterns)} patterns: at most {layout.PATTERNS}"
    for costs in (_wrong_slap(rules), _no_cards(rules)):
        if max(map(len, costs)) > layout.COSTS:
            yield f"a wrong slap costs more than {layout.COSTS} things"


def tabulate(rules: Rules, bots: Sequence[BotModel], limit: int) -> Record:
    """A house and its bots as a record.

    Raises: RulesError if the house does not allow so many players.
    """
    check_players(rules, len(bots))
    config = np.zeros(1, CONFIG)[0]
    config["limit"], config["flight_us"], config["gap_us"] = limit, REVEAL_DELAY_US, MIN_CARD_GAP_US
    _options(config, rules, len(bots))
    _deck(config, rules, len(bots))
    _patterns(config, rules)
    for table, rows in (("wrong_slap", _wrong_slap(rules)), ("no_cards", _no_cards(rules))):
        for number, costs in enumerate(rows):
            for place, cost in enumerate(costs):
                config[table][number, place] = _cost(cost)
    _bot_models(config, bots)
    return config


def _options(config: Record, rules: Rules, seats: int) -> None:
    for name, words in _ORDERS.items():
        config[name] = words.index(getattr(rules, name))
    for name in ("step", "tie_window_ms", "withdraw_ms", "max_streak", "last_chance"):
        config[name] = getattr(rules, name)
    config["seats"], config["tie"] = seats, _TIES[rules.tie]
    config["riffle"] = rules.shuffle == "riffle7"
    config["skip"] = rules.dead_pattern == "skip"
    config["challenger_takes"] = rules.run_out == "challenger_takes"
    config["final_free"] = rules.final_card_slap == "free"
    config["face_down"] = not rules.burn_face_up
    config["last_chance_opponent"] = rules.last_chance_who == "opponent"
    config["shuffle"] = rules.pickup == "shuffle"
    config["manual"] = rules.collect == "manual"
    config["collect_delay_us"] = rules.collect_delay_ms * 1000
    config["contest_us"], config["turn_us"] = rules.contest_ms * 1000, rules.turn_ms * 1000
    config["chances"] = rules.chances_by_card
    config["stops"] = [card in rules.stops for card in FACES]


def _deck(config: Record, rules: Rules, seats: int) -> None:
    """Every card, and where each index of the shuffled deck is dealt to, by dealing the indices with `deal_out`."""
    deck = deck_for(rules, seats)
    config["cards"] = len(deck)
    config["deck"][: len(deck)] = deck
    dealt = deal_out(rules, tuple(map(Card, range(len(deck)))), seats, -rules.step % seats)
    for seat, hand in enumerate(dealt.hands):
        config["dealt"][seat] = len(hand)
        for lies, place in enumerate(hand):
            config["place"][place] = seat, lies
    for lies, laid in enumerate(dealt.pile):
        config["place"][laid.card] = -1, lies


def _patterns(config: Record, rules: Rules) -> None:
    """The masks of the patterns, one bit each."""
    patterns = rules.patterns
    wild = patterns[0].wild if patterns else frozenset()
    config["rank_code"] = [tables.rank_code(card, wild) for card in FACES]
    config["suit_code"] = [tables.suit_code(card, wild) for card in FACES]
    config["colour_code"] = [WILD if card in wild else card.colour for card in FACES]
    depths = [1 if bound.depth == ALL else bound.depth for bound in patterns]
    config["depth"] = max(depths, default=0)
    config["slappable"] = len(patterns) > 0
    config["around"] = any(bound.pattern.sights for bound in patterns)
    for number, bound in enumerate(patterns):
        bit, pattern = 1 << number, bound.pattern
        config["deep_enough"][depths[number] :] |= bit
        config["ends"][number] = _ENDS.index(bound.ends)
        config["size"][number] = max(0, scan_count(bound) - 2)
        if pattern.name == tables.SUMS:
            config["sums"], config["total"], config["ace"] = bit, bound.given["total"], bound.given["ace"]
            config["addends"], config["gap"] = ADDENDS[bound.given["addends"]], GAPS[bound.given["faces"]]
        elif tables.is_long_row(bound):
            _long_row(config, bound, bit)
        elif "chance_no" in pattern.sights:
            config["answers"] |= tables.answers(bound) * np.int32(bit)
        elif pattern.sights:
            config["beside"] |= tables.beside(bound) * np.int32(bit)
        elif bound.depth == 1:
            config["faces"] |= tables.top(bound) * np.int32(bit)
        else:
            _window(config, "ranks" if pattern.feature == "rank" else "suits", tables.window(bound), bit)


def _long_row(config: Record, bound: BoundPattern, bit: int) -> None:
    """A row without a table: its kind and length."""
    number = int(config["long_rows"])
    config["long_rows"] = number + 1
    config["row_of"][number] = _ROWS[bound.given.get("step", bound.pattern.feature)]
    config["row_bit"][number], config["row_length"][number] = bit, bound.depth
    config["row_ends"][number] = ENDS[bound.given.get("ace", "either")]


def _window(config: Record, name: str, table: tables.Truth, bit: int) -> None:
    """Add a table to the masks of windows, where the newest card is the lowest digit."""
    codes = table.shape[0]
    masks = config[name].reshape(-1, codes**table.ndim)
    masks |= table.transpose().reshape(1, -1) * np.int32(bit)


def _wrong_slap(rules: Rules) -> list[list[Consequence]]:
    """The penalties for a player with cards, by the number of earlier wrong slaps."""
    return [rules.penalty_for(Offence(held=1, strikes=0, fouls=fouls)) for fouls in range(layout.FOULS)]


def _no_cards(rules: Rules) -> list[list[Consequence]]:
    """The penalties for a player without cards, by the number of earlier strikes."""
    return [rules.penalty_for(Offence(held=0, strikes=strikes, fouls=0)) for strikes in range(layout.STRIKES)]


def _cost(cost: Consequence) -> tuple[int, int, int]:
    """A consequence as integers: its kind, amount and place."""
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


def _bot_models(config: Record, bots: Sequence[BotModel]) -> None:
    """The parameters of the bots, and two rows of quantiles for each kind: reactions and pauses."""
    kinds = list(dict.fromkeys(bot.reflexes for bot in bots))
    for seat, bot in enumerate(bots):
        some = bot.reflexes
        config["stake"][seat] = layout.NEVER
        if isinstance(bot, RiskSlapper):
            config["stake"][seat], config["stake_face_cards"][seat] = bot.pile, bot.face_cards
            config["stake_last"][seat], config["risk"][seat] = bot.last_chance, _bits(bot.risk)
        config["miss"][seat], config["false_alarm"][seat] = _bits(some.miss), _bits(some.false_alarm)
        config["lure_false_alarm"][seat], config["scan_time_us"][seat] = _bits(some.lure_false_alarm), some.scan_time_us
        config["rows"][seat] = 2 * kinds.index(some)
    config["small"] = config["false_alarm"].max(), config["lure_false_alarm"].max()
    plain = not config["redneck"] and not config["manual"] and all(type(bot) is ReflexBot for bot in bots)
    config["calm"] = plain and len(bots) + 1 < layout.WORDS  # a random number for each, and one for the pause
    for number, some in enumerate(kinds):
        config["knots"][2 * number : 2 * number + 2] = some.reactions, some.pauses


def _bits(probability: float) -> int:
    """A probability scaled to 53 bits."""
    return math.ceil(probability * 2**53)
