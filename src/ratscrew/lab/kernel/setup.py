"""Convert a house and its bots into the kernel's tables, or say why the kernel does not support them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from msgspec.json import decode, encode

from ratscrew.bots.bot import Bot
from ratscrew.bots.reflex_bot import ReflexBot, scan_count
from ratscrew.bots.risk_slapper import RiskSlapper
from ratscrew.cards import Card
from ratscrew.game.card_timing import MIN_CARD_GAP_US, REVEAL_DELAY_US
from ratscrew.game.decide.deal import check_players, deal_out, deck_for
from ratscrew.game.decide.slap_penalty import ints_of
from ratscrew.game.penalty_logic import OWE
from ratscrew.game.repetition import effects, forced
from ratscrew.game.slap_logic import ONCE, REDNECKS, SLAP_INS, SLAP_WINDOWS, UNTIL_TURN
from ratscrew.lab import tables
from ratscrew.lab.kernel import layout
from ratscrew.lab.kernel.layout import CONFIG, Record
from ratscrew.lab.tables import FACES
from ratscrew.rules.endgames import AT_ONCE, ends_alone
from ratscrew.rules.example import slappable
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, BoundPattern
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Offence, Penalty
from ratscrew.rules.ranks import ADDENDS, ENDS, GAPS, WILD
from ratscrew.rules.slaps import places_of

_ORDERS = {
    "slap_window": SLAP_WINDOWS,
    "slap_in": SLAP_INS,
    "redneck": REDNECKS,
    "stalemate": ("last_player", "draw", "redeal"),
    "lead": ("taker", "next", "loser"),
}
"""The values of options in the order of their ints."""

BotModel: TypeAlias = ReflexBot | RiskSlapper
"""The bots that the kernel supports."""

_ROWS = {
    "consecutive": layout.CONSECUTIVE,
    "monotone": layout.MONOTONE,
    "any_order": layout.ANY_ORDER,
    "suit": layout.ONE_SUIT,
    "colour": layout.ONE_COLOUR,
    "card": layout.FAMILY,
}

_COUNTED = ("challenge", "pile", "game")
_PICKUPS = ("keep", "reverse", "shuffle", "shuffle_hand")

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
    if len(deck_for(rules, len(bots))) > (most := layout.CARDS - layout.STRETCH):
        yield f"more than {most} cards"
    yield from filter(None, map(tables.unsupported_reason, rules.patterns))
    if len(rules.patterns) > layout.PATTERNS:
        yield f"{len(rules.patterns)} patterns: at most {layout.PATTERNS}"
    for costs in (_wrong_slap(rules), _no_cards(rules)):
        if costs.most > layout.COSTS:
            yield f"a wrong slap costs more than {layout.COSTS} things"
    if not _in_tables(rules, len(deck_for(rules, len(bots)))):
        yield "what a wrong slap costs depends on more than the wrong slaps before it, or the strikes without cards"


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
    config["wrong_slap"], config["no_cards"] = _wrong_slap(rules).table, _no_cards(rules).table
    cards = int(config["cards"])
    config["ends_alone"][: cards + 1] = [ends_alone(rules.endgame, pile) for pile in range(cards + 1)]
    _bot_models(config, bots)
    return config


def _options(config: Record, rules: Rules, seats: int) -> None:
    for name, words in _ORDERS.items():
        config[name] = words.index(getattr(rules, name))
    for name in ("step", "tie_window_ms", "withdraw_ms", "max_streak", "last_chance", "limit_cards"):
        config[name] = getattr(rules, name)
    config["seats"], config["tie"] = seats, _TIES[rules.tie]
    config["riffle"] = rules.shuffle == "riffle7"
    config["skip"] = rules.dead_pattern == "skip"
    config["challenger_takes"] = rules.run_out == "challenger_takes"
    config["final_free"] = rules.final_card_slap == "free"
    config["face_down"] = not rules.burn_face_up
    config["last_chance_anyone"] = rules.last_chance_who == "anyone"
    config["pickup"] = _PICKUPS.index(rules.pickup)
    config["at_once"] = rules.endgame in AT_ONCE
    config["manual"] = rules.collect == "manual"
    config["collect_delay_us"] = rules.collect_delay_ms * 1000
    config["contest_us"], config["turn_us"] = rules.contest_ms * 1000, rules.turn_ms * 1000
    config["forced"], config["effects"] = forced(rules), effects(rules)
    config["chances"] = rules.chances_by_card
    config["stops"] = [-(card in rules.stops and not rules.chances_by_card[card]) for card in FACES]


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
    config["slappable"] = slappable(rules)
    config["around"] = any(bound.pattern.sights for bound in patterns)
    for number, bound in enumerate(patterns):
        bit, pattern = 1 << number, bound.pattern
        config["deep_enough"][depths[number] :] |= bit
        config["ends"][number] = _ENDS.index(bound.ends)
        config["size"][number] = max(0, scan_count(bound) - 2)
        if pattern.name == tables.SUMS:
            config["sums"], config["total"], config["ace"] = bit, bound.given["total"], bound.given["ace"]
            config["addends"], config["gap"] = ADDENDS[bound.given["addends"]], GAPS[bound.given["faces"]]
        elif bound.is_pair:
            config["pairs"][bound.gap] |= tables.pair(bound) * np.int32(bit)
            config["gaps"] |= 1 << bound.gap
        elif tables.is_long_row(bound):
            _long_row(config, bound, bit)
        elif "chance_no" in pattern.sights:
            config["answers"] |= tables.answers(bound) * np.int32(bit)
            config["counted"] = _COUNTED.index(bound.given.get("count", "challenge"))
        elif pattern.sights:
            config["beside"] |= tables.beside(bound) * np.int32(bit)
        elif bound.depth == 1:
            config["faces"] |= tables.top(bound) * np.int32(bit)
        else:
            _window(config, "ranks" if pattern.feature == "rank" else "suits", tables.window(bound), bit)
    config["others"] = config["suits"].any() or config["faces"].any()
    config["some_ranks"] = config["ranks"] != 0


def _long_row(config: Record, bound: BoundPattern, bit: int) -> None:
    """A row without a table: its kind and length."""
    number = int(config["long_rows"])
    config["long_rows"] = number + 1
    config["row_of"][number] = _ROWS[bound.given.get("step", bound.pattern.feature)]
    config["row_bit"][number], config["row_length"][number] = bit, bound.depth
    config["row_ends"][number] = ENDS[bound.given.get("ace", "either")]
    if config["row_of"][number] == layout.FAMILY:
        config["family_cards"], config["family_ranks"] = places_of(tuple(bound.given["cards"]))


def _window(config: Record, name: str, table: tables.Truth, bit: int) -> None:
    """Add a table to the masks of windows, where the newest card is the lowest digit."""
    codes = table.shape[0]
    config["rank_mask" if name == "ranks" else "suit_mask"] |= codes**table.ndim - 1
    masks = config[name].reshape(-1, codes**table.ndim)
    masks |= table.transpose().reshape(1, -1) * np.int32(bit)


class Costs(NamedTuple):
    """What wrong slaps cost: a row for each as in `CONFIG`, and the most consequences that one of them has."""

    table: Any
    most: int


def _wrong_slap(rules: Rules) -> Costs:
    """The penalties for a player with cards, by the number of earlier wrong slaps."""
    choice = rules.wrong_slap
    return _costs(WRONG_SLAP[choice["kind"]], encode(choice), True)


def _no_cards(rules: Rules) -> Costs:
    """The penalties for a player without cards, by the number of earlier strikes."""
    choice = rules.no_cards
    return _costs(NO_CARDS[choice["kind"]], encode(choice), False)


@lru_cache(maxsize=64)
def _costs(penalty: Penalty, choice: bytes, held: bool) -> Costs:
    """The costs of a penalty with the parameters of a choice, as JSON. Houses share them: most of a set-up's time."""
    given = {name: value for name, value in decode(choice).items() if name != "kind"}
    offences = [Offence(1, 0, fouls) for fouls in range(layout.FOULS)]
    if not held:
        offences = [Offence(0, strikes, 0) for strikes in range(layout.STRIKES)]
    rows = [penalty(offence, **given) for offence in offences]
    table = np.zeros((len(rows), layout.COSTS, 3), np.int64)
    for number, costs in enumerate(rows):
        for place, cost in enumerate(costs[: layout.COSTS]):
            table[number, place] = ints_of(cost)
    table.flags.writeable = False
    return Costs(table, max(map(len, rows)))


def _in_tables(rules: Rules, cards: int) -> bool:
    """Whether the tables are right whatever else an offence has: any number of cards, and any other count."""
    usual, broke = rules.penalty_for(Offence(1, 0, 0)), rules.penalty_for(Offence(0, 0, 0))
    others = [rules.penalty_for(Offence(held, strikes, 0)) for held in range(1, cards + 1) for strikes in (0, 1, 5)]
    return others.count(usual) == len(others) and all(
        rules.penalty_for(Offence(0, 0, fouls)) == broke for fouls in (1, 2, 5)
    )


def _bot_models(config: Record, bots: Sequence[BotModel]) -> None:
    """The parameters of the bots, and two rows of quantiles for each kind: reactions and pauses."""
    kinds = list(dict.fromkeys(bot.reflexes for bot in bots))
    for seat, bot in enumerate(bots):
        some = bot.reflexes
        config["stake"][seat] = layout.NEVER
        if isinstance(bot, RiskSlapper):
            config["stake"][seat], config["stake_face_cards"][seat] = bot.pile, bot.face_cards
            config["stake_last"][seat], config["risk"][seat] = bot.last_chance, _bits(bot.risk)
            config["simple_reaction"][seat] = 1 - 1.0 * (1 - bot.simple_reaction)  # rounded as in `anticipated_us`
        config["miss"][seat], config["false_alarm"][seat] = _bits(some.miss), _bits(some.false_alarm)
        config["lure_false_alarm"][seat], config["scan_time_us"][seat] = _bits(some.lure_false_alarm), some.scan_time_us
        config["rows"][seat] = 2 * kinds.index(some)
    config["small"] = config["false_alarm"].max(), config["lure_false_alarm"].max()
    plain = not config["redneck"] and not config["manual"] and all(type(bot) is ReflexBot for bot in bots)
    config["calm"] = plain and len(bots) + 1 < layout.WORDS  # a random number for each, and one for the pause
    debts = (config["wrong_slap"][..., 0] == OWE).any() or (config["no_cards"][..., 0] == OWE).any()
    config["quick"] = config["calm"] and not (
        config["tie"]
        or config["slap_window"]
        or config["withdraw_ms"]
        or config["ends"].any()
        or debts
        or config["final_free"]
        or config["lead"]
        or config["at_once"]
        or config["slap_in"] in (ONCE, UNTIL_TURN)
    )
    config["windows"] = not (config["around"] or config["sums"] or config["long_rows"] or config["gaps"])
    for number, some in enumerate(kinds):
        config["knots"][2 * number : 2 * number + 2] = some.reactions, some.pauses


def _bits(probability: float) -> int:
    """A probability scaled to 53 bits."""
    return math.ceil(probability * 2**53)
