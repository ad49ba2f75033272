"""The choices of a house that the oracle knows, and the cards and the deal that follow from them (clauses 1 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Choice: TypeAlias = tuple[Any, Sequence[Any] | None]
"""What a house plays without a word, and every value that is known; None where any value of its kind is."""

ANY = None

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
JOKERS = ["JKR", "JKB"]
YES_NO = (True, False)


class UnknownChoice(Exception):
    """A house has an option, or a value of one, that the oracle does not play; `option` is its name."""

    def __init__(self, option: str, value: Any) -> None:
        super().__init__(f"the oracle does not know {option} = {value!r}")
        self.option = option


OPTIONS: Mapping[str, Choice] = {
    "decks": (1, ANY),
    "pack": ("standard", ("standard", "pinochle")),
    "without": ([], ANY),
    "jokers": (0, ANY),
    "deal": ("one_by_one", ("one_by_one", "stacks")),
    "remainder": ("extras", ("extras", "jokers", "pile")),
    "direction": ("cw", ("cw", "ccw")),
    "chances": ({"J": 1, "Q": 2, "K": 3, "A": 4}, ANY),
    "stoppers": ([], ANY),
    "run_out": ("next_continues", ("next_continues", "challenger_takes")),
    "lead": ("taker", ("taker", "next", "loser")),
    "slap_window": ("always", ("always", "not_after_fail", "not_during_challenge")),
    "final_card_slap": ("normal", ("normal", "free")),
    "slaps": ({"double": True, "sandwich": True, "instant": ["JK"]}, ANY),
    "tie": ("earliest", ("earliest", "contact", "void")),
    "tie_window_ms": (0, ANY),
    "withdraw_ms": (0, ANY),
    "redneck": ("off", ("off", "convicted", "all")),
    "wrong_slap": ({"kind": "burn"}, ANY),
    "no_cards": ({"kind": "strikes"}, ANY),
    "max_streak": (0, ANY),
    "burn_face_up": (True, YES_NO),
    "out_of_turn": ("reject", ("reject", "dead")),
    "dead_place": ("bottom", ("bottom", "top")),
    "dead_pattern": ("block", ("block", "skip")),
    "out_of_turn_burn": (0, ANY),
    "slap_in": ("always", ("no", "while_two_active", "always")),
    "late_join": ("slap_in", ("no", "slap_in")),
    "join_seat": ("end", ("end", "choose")),
    "endgame": ("play_out", ("play_out", "sole_holder", "must_play")),
    "last_chance": (0, ANY),
    "last_chance_who": ("opponent", ("opponent", "anyone")),
    "stalemate": ("last_player", ("last_player", "draw", "redeal")),
    "limit_cards": (0, ANY),
    "pickup": ("keep", ("keep", "shuffle")),
    "judge": ("auto", ("auto",)),
    "cheat": ("off", ("off",)),
    # The rest is not seen by a dealt game of cards and slaps.
    "shuffle": ("uniform", ANY),
    "max_players": (8, ANY),
    "collect": ("auto", ANY),
    "slap_hand": ("any", ANY),
    "feints": (True, ANY),
    "hover": ("off", ANY),
    "triple_six_ban": (False, ANY),
    "turn_ms": (8000, ANY),
    "collect_delay_ms": (1500, ANY),
    "contest_ms": (3000, ANY),
    "hover_ms": (600, ANY),
}

SLAPS: Mapping[str, Mapping[str, Choice]] = {
    "triple_six": {"ends": ("all_lose", ("all_lose",))},
    "triple": {"ends": ("pile", ("pile", "win"))},
    "double": {},
    "sandwich": {},
    "hoagie": {},
    "run": {
        "len": (4, ANY),
        "step": ("consecutive", ("consecutive", "monotone", "any_order")),
        "ace": ("either", ("either", "low", "high", "wrap")),
    },
    "tens": {
        "addends": ("two", ("two", "many")),
        "faces": ("block", ("block", "skip_one", "skip")),
        "ace": (1, (0, 1)),
        "total": (10, ANY),
    },
    "marriage": {},
    "divorce": {},
    "scandal": {},
    "sixty_nine": {},
    "suit_run": {"len": (3, ANY)},
    "colour_run": {"len": (4, ANY)},
    "top_bottom": {
        "anchor": ("pile", ("pile", "game")),
        "match": ("rank", ("rank", "rank_colour", "rank_suit")),
        "after_burn": ("void", ("void", "ignore_burns", "burn_is_bottom")),
    },
    "count_match": {},
    "instant": {"cards": ([], ANY)},
}
"""Every pattern, in the order in which they are read (4.16), and its parameters."""

PENALTIES: Mapping[str, Mapping[str, Mapping[str, Choice]]] = {
    "wrong_slap": {
        "burn": {"count": (1, ANY), "place": ("bottom", ("bottom", "top")), "escalate": (False, YES_NO)},
        "pile_to_last": {"after_fail": ("stands", ("stands", "literal"))},
        "give": {"to": ("last_player", ("last_player", "everybody"))},
        "lockout": {"until": ("pile", ANY)},
        "none": {},
    },
    "no_cards": {"strikes": {"limit": (3, ANY)}, "ignore": {}, "burn_hand": {}, "debt": {}},
}


@dataclass(frozen=True)
class House:
    """All choices of a house. `slaps` has the parameters of each pattern that is on, in reading order."""

    options: Mapping[str, Any]
    slaps: Mapping[str, Mapping[str, Any]]
    wild: Sequence[str]
    wrong_slap: Mapping[str, Any]
    no_cards: Mapping[str, Any]

    def __getitem__(self, option: str) -> Any:
        """An option by its name."""
        return self.options[option]

    def chances(self, card: str) -> int:
        """How many chances a card leaves for an answer: its own, or those of its rank; 0 for no challenge."""
        found: int = self.options["chances"].get(card, self.options["chances"].get(rank(card), 0))
        return found

    def slappable(self) -> bool:
        """Whether the cards of the house can form any of its patterns (5.10)."""
        if set(self.slaps) != {"instant"}:
            return bool(self.slaps)
        listed = self.slaps["instant"]["cards"]
        return any(named(card, listed) or named(card, self.wild) for card in pack_of(self, 0))


def house_of(choices: Mapping[str, Any]) -> House:
    """The house of these choices, which are all that it changes of `classic`.

    Raises: UnknownChoice.
    """
    options = {name: default for name, (default, _) in OPTIONS.items()} | dict(choices)
    for name, value in choices.items():
        _check(name, value, OPTIONS.get(name, (None, ())))
    switches = dict(options["slaps"])
    wild = switches.pop("wild", [])
    for name in switches:
        _check(f"slaps.{name}", switches[name], (None, ANY if name in SLAPS else ()))
    slaps = {
        name: _slap(name, switches[name])
        for name in SLAPS
        if switches.get(name, False) not in (False, 0, "off") and switches.get(name) != []
    }
    penalties = [_penalty(option, options[option]) for option in PENALTIES]
    return House(options, slaps, wild, *penalties)


def _slap(name: str, switch: Any) -> Mapping[str, Any]:
    """The parameters of a pattern: by name, or the only one by its value."""
    known = SLAPS[name]
    if not known and not isinstance(switch, dict) and switch is not True:
        raise UnknownChoice(f"slaps.{name}", switch)
    given = switch if isinstance(switch, dict) else {} if switch is True else {next(iter(known)): switch}
    return _parameters(f"slaps.{name}", given, known)


def _penalty(option: str, choice: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = choice["kind"]
    _check(f"{option}.kind", kind, (None, list(PENALTIES[option])))
    given = {name: value for name, value in choice.items() if name != "kind"}
    return {"kind": kind, **_parameters(option, given, PENALTIES[option][kind])}


def _parameters(where: str, given: Mapping[str, Any], known: Mapping[str, Choice]) -> Mapping[str, Any]:
    for name, value in given.items():
        _check(f"{where}.{name}", value, known.get(name, (None, ())))
    return {name: default for name, (default, _) in known.items()} | dict(given)


def _check(option: str, value: Any, choice: Choice) -> None:
    if choice[1] is not ANY and value not in choice[1]:
        raise UnknownChoice(option, value)


def rank(card: str) -> str:
    """A card's rank; all jokers have one."""
    return "JK" if card.startswith("JK") else card[0]


def named(card: str, listed: Sequence[str]) -> bool:
    """Whether a list of cards and ranks names a card."""
    return card in listed or rank(card) in listed


def pack_of(house: House, players: int) -> list[str]:
    """Every card of a game (1.2, 1.3, 1.5). For 0 players, with a joker of each colour where some could be added."""
    packs = house["decks"] if house["decks"] != "auto" else -(-players // 6) or 1
    one = PACK if house["pack"] == "standard" else 2 * [card for card in PACK if card[0] in "9TJQKA"]
    jokers = house["jokers"] * packs
    while True:
        cards = [*one * packs, *(JOKERS[number % 2] for number in range(jokers))]
        kept = [card for card in cards if not named(card, house["without"])]
        if house["remainder"] != "jokers" or not players or len(kept) % players == 0:
            return kept + JOKERS if house["remainder"] == "jokers" and not players else kept
        jokers += 1
        if jokers > 4 * packs + 2 * players:
            return kept


def dealt(house: House, deck: Sequence[str], players: int, dealer: int) -> tuple[list[list[str]], list[str]]:
    """The hands, top first, of a deck in its order (1.5), and the cards that are left to start the pile."""
    rest = len(deck) % players if house["remainder"] == "pile" else 0
    cards, left = list(deck[: len(deck) - rest]), list(deck[len(deck) - rest :])
    step = 1 if house["direction"] == "cw" else -1
    hands: list[list[str]] = [[] for _ in range(players)]
    order = [(dealer + step * (number + 1)) % players for number in range(players)]
    if house["deal"] == "one_by_one":
        for number, card in enumerate(cards):
            hands[order[number % players]].insert(0, card)
        return hands, left
    for place, seat in enumerate(order):
        size = len(cards) // (players - place) + (len(cards) % (players - place) > 0)
        hands[seat], cards = cards[:size], cards[size:]
    return hands, left
