"""Rules: the choices of one house. The engine plays them.

Option names and values are the same in Python, JSON, on the wire, in the rule editor and in the docs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import fields

from ratscrew.cards import NAMES, RANKS, Card, Pile
from ratscrew.rules import slaps as _slaps
from ratscrew.rules.endgames import ENDGAMES, endgame_type
from ratscrew.rules.pattern import PATTERNS, BoundPattern
from ratscrew.rules.penalties import NO_CARDS, WRONG_SLAP, Consequence, Offence, parameters
from ratscrew.rules.sight import Sight, sight

CardName: TypeAlias = _slaps.CardName
Ms: TypeAlias = Annotated[int, Meta(ge=0, le=600_000)]


_BURN = {"count": 1, "place": "bottom", "escalate": False}


def _chances() -> dict[str, int]:
    return {"J": 1, "Q": 2, "K": 3, "A": 4}


class Rules(Struct, frozen=True, kw_only=True, dict=True, weakref=True, forbid_unknown_fields=True):
    """The choices of one house; without arguments, those of `classic`. `check.parse_rules` validates.

    Unit: the `_ms` options are milliseconds. Source: docs/rules.md.
    """

    decks: Annotated[int, Meta(ge=1, le=8)] | Literal["auto"] = 1
    pack: Literal["standard", "pinochle"] = "standard"
    without: list[CardName] = field(default_factory=list)
    jokers: Annotated[int, Meta(ge=0, le=4)] = 0
    deal: Literal["one_by_one", "stacks"] = "one_by_one"
    remainder: Literal["extras", "jokers", "pile"] = "extras"
    shuffle: Literal["uniform", "riffle7"] = "uniform"
    direction: Literal["cw", "ccw"] = "cw"
    max_players: Annotated[int, Meta(ge=0, le=52)] = 8

    chances: dict[CardName, Annotated[int, Meta(ge=1, le=52)]] = field(default_factory=_chances)
    stoppers: list[CardName] = field(default_factory=list)
    run_out: Literal["next_continues", "challenger_takes"] = "next_continues"
    collect: Literal["auto", "manual"] = "auto"
    lead: Literal["taker", "next", "loser"] = "taker"
    slap_window: Literal["always", "not_after_fail", "not_during_challenge"] = "always"
    final_card_slap: Literal["normal", "free"] = "normal"

    slaps: dict[str, Any] = field(default_factory=lambda: {"double": True, "sandwich": True, "instant": ["JK"]})

    judge: Literal["auto", "honour"] = "auto"
    tie: Literal["earliest", "contact", "void", "judge"] = "earliest"
    tie_window_ms: Annotated[int, Meta(ge=0, le=500)] = 0
    withdraw_ms: Annotated[int, Meta(ge=0, le=2000)] = 0
    redneck: Literal["off", "convicted", "all"] = "off"
    hover: Literal["off", "slap_down"] = "off"
    slap_hand: Literal["any", "other"] = "any"
    feints: bool = True

    wrong_slap: dict[str, Any] = field(default_factory=lambda: {"kind": "burn", **_BURN})
    no_cards: dict[str, Any] = field(default_factory=lambda: {"kind": "strikes", "limit": 3})
    max_streak: Annotated[int, Meta(ge=0, le=52)] = 0
    burn_face_up: bool = True

    out_of_turn: Literal["reject", "dead", "aside"] = "reject"
    dead_place: Literal["bottom", "top"] = "bottom"
    dead_pattern: Literal["block", "skip"] = "block"
    out_of_turn_burn: Annotated[int, Meta(ge=0, le=52)] = 0

    cheat: Literal["off", "split"] = "off"

    slap_in: Literal["no", "while_two_active", "always", "once", "until_turn"] = "always"
    late_join: Literal["no", "slap_in"] = "slap_in"
    join_seat: Literal["end", "choose"] = "end"

    endgame: str = "play_out"
    last_chance: Annotated[int, Meta(ge=0, le=52)] = 0
    last_chance_who: Literal["opponent", "anyone"] = "opponent"
    stalemate: Literal["last_player", "draw", "redeal"] = "last_player"
    limit_cards: Annotated[int, Meta(ge=0, le=10_000)] = 0
    triple_six_ban: bool = False
    pickup: Literal["keep", "reverse", "shuffle", "shuffle_hand"] = "keep"

    turn_ms: Annotated[int, Meta(ge=1000, le=600_000)] = 8000
    collect_delay_ms: Ms = 1500
    contest_ms: Ms = 3000
    hover_ms: Ms = 600

    def __post_init__(self) -> None:
        """Raises: ValueError for what this program does not know and cannot play, as in the log of another one."""
        _check_known("endgame", [self.endgame], ENDGAMES)
        on = {name: switch for name, switch in self.slaps.items() if is_on(switch)}
        _check_known("slaps", on, (*PATTERNS, "wild"))
        for name, switch in on.items():
            if isinstance(switch, dict) and name in PATTERNS:
                _check_known(f"slaps.{name}", switch, PATTERNS[name].choices)
        for option, choice, table in (
            ("wrong_slap", self.wrong_slap, WRONG_SLAP),
            ("no_cards", self.no_cards, NO_CARDS),
        ):
            kind = str(choice.get("kind"))
            _check_known(option, [kind], table)
            _check_known(f"{option}.{kind}", choice, ("kind", *parameters(table[kind])))

    @cached_property
    def step(self) -> int:
        """+1 when play goes to the next seat, -1 when it goes to the one before."""
        return 1 if self.direction == "cw" else -1

    @cached_property
    def chances_by_card(self) -> tuple[int, ...]:
        """How many chances each card leaves for an answer, by card; 0 for a card that is no challenge."""
        return tuple(self.chances.get(name, self.chances.get(RANKS[i >> 2], 0)) for i, name in enumerate(NAMES))

    @cached_property
    def missing(self) -> frozenset[Card]:
        """The cards that are taken out of each pack."""
        return cards_named(self.without)

    @cached_property
    def stops(self) -> frozenset[Card]:
        """The cards that stop a challenge when they answer it."""
        return cards_named(self.stoppers)

    @cached_property
    def patterns(self) -> tuple[BoundPattern, ...]:
        """The patterns of this house with their parameters, in reading order."""
        wild = cards_named(self.slaps.get("wild", []))
        return tuple(
            BoundPattern(pattern, {**pattern.defaults, **parameters_of(name, self.slaps[name])}, wild)
            for name, pattern in PATTERNS.items()
            if is_on(self.slaps.get(name, False))
        )

    @cached_property
    def _depth(self) -> int:
        return max((pattern.depth for pattern in self.patterns), default=0)

    @cached_property
    def _looks_around(self) -> bool:
        return any(
            {"first", "lowest", "burned", "pile_no"}.intersection(bound.pattern.sights) for bound in self.patterns
        )

    def sight_of(self, pile: Pile, opening: Card | None = None, chance_no: int = 0, game_no: int = 0) -> Sight:
        """What a slap may see of a pile in this house."""
        return sight(pile, self._depth, self.dead_pattern == "skip", opening, chance_no, self._looks_around, game_no)

    def all_matches(self, seen: Sight) -> tuple[BoundPattern, ...]:
        """Every pattern on top of the pile, in reading order; none if a slap is wrong."""
        return tuple([pattern for pattern in self.patterns if pattern.matches(seen)])

    def first_match(self, seen: Sight) -> BoundPattern | None:
        """The first pattern on top of the pile, or None: then a slap is wrong."""
        for pattern in self.patterns:
            if pattern.matches(seen):
                return pattern
        return None

    def penalty_for(self, offence: Offence) -> list[Consequence]:
        """The consequences of a wrong slap."""
        if offence.held:
            return WRONG_SLAP[self.wrong_slap["kind"]](offence, **self._wrong_slap_parameters)
        return NO_CARDS[self.no_cards["kind"]](offence, **self._no_cards_parameters)

    @cached_property
    def _wrong_slap_parameters(self) -> Mapping[str, Any]:
        return _without_kind(self.wrong_slap)

    @cached_property
    def _no_cards_parameters(self) -> Mapping[str, Any]:
        return _without_kind(self.no_cards)


def _without_kind(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a choice between penalties."""
    return {name: value for name, value in choice.items() if name != "kind"}


def _check_known(option: str, chosen: Iterable[object], known: Collection[str]) -> None:
    """Check that every name that an option has is known.

    Raises: ValueError with the first that is not, and those that are.
    """
    for name in chosen:
        if name not in known:
            raise ValueError(f"{option}: there is no {name!r} here; there are {', '.join(known)}")


def option_types() -> Mapping[str, Any]:
    """The type of each option; that of `endgame` has the names of all that are declared."""
    return _types_with(endgame_type())


@cache
def _types_with(endgames: Any) -> Mapping[str, Any]:
    return {option.name: option.type for option in fields(Rules)} | {"endgame": endgames}


def is_on(switch: object) -> bool:
    """Whether the value of a slap's switch switches it on."""
    return switch not in (False, None, 0, "off") and switch != []


def parameters_of(name: str, switch: Any) -> Mapping[str, Any]:
    """The parameters that the value of a slap's switch chooses: all by name, or the only one by its value."""
    if isinstance(switch, dict):
        return switch
    only = PATTERNS[name].only
    return {} if switch is True or only is None else {only: switch}


def cards_named(names: list[str]) -> frozenset[Card]:
    """The cards of a list of ranks and cards."""
    return frozenset(Card(i) for i, name in enumerate(NAMES) if name in names or RANKS[i >> 2] in names)
