"""The format of worked examples, and the command for each of their actions.

People write examples by hand, so the format is lenient: cards are a list or a line, players have names, and fields have
the usual defaults. Fields are strict: an unknown one is an error, or a misspelt one would change what is compared.
Source: the last clauses of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command, Slap, Touch

CardText: TypeAlias = str | list[str]
"""Cards as a line (`9S 2C`) or as a list."""


class ExamplePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player and their hand, top first."""

    name: str
    deck: CardText = ""


class ExampleSlap(Struct, frozen=True, forbid_unknown_fields=True):
    """One slap: whose, when (in ms), with how many fingers, and after which player a newcomer would sit."""

    p: str
    t: float | None = None
    contact: int = 1
    seat_after: str | None = None


class ExampleAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action; `p` is the player."""

    do: str
    p: str | None = None
    t: float | None = None
    contact: int = 1
    seat_after: str | None = None
    slaps: tuple[ExampleSlap, ...] = ()
    half: Literal["top", "bottom"] = "top"
    owner: str | None = None
    target: str | None = None
    off: bool = False
    under: bool = False

    @property
    def who(self) -> tuple[str, ...]:
        """Every player who acts in it."""
        return tuple(hand.p for hand in self.slaps) if self.slaps else (self.p,) if self.p else ()


class PileContext(Struct, frozen=True, forbid_unknown_fields=True):
    """What the pile alone does not show: which answer the newest card is, which card of the game, and its first."""

    chance_no: int = 0
    card_no: int = 0
    first_card: str | None = None


class ExpectedState(Struct, frozen=True, forbid_unknown_fields=True):
    """The expected state after the last action; only the given fields are compared."""

    turn: str | UnsetType = UNSET
    phase: Literal["play", "won", "claim", "last_chance", "over"] | UnsetType = UNSET
    hands: dict[str, int] | UnsetType = UNSET
    decks: dict[str, CardText] | UnsetType = UNSET
    asides: dict[str, CardText] | UnsetType = UNSET
    pile: CardText | UnsetType = UNSET
    challenge: dict[Literal["by", "to", "left"], str | int] | UnsetType | None = UNSET
    slappable: list[str] | bool | UnsetType = UNSET
    order: list[str] | UnsetType = UNSET
    status: dict[str, Literal["in", "eliminated"]] | UnsetType = UNSET
    winner: str | UnsetType | None = UNSET
    all_lose: bool | UnsetType = UNSET


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """What an example expects; only the given fields are compared."""

    counts: dict[str, int] | UnsetType = UNSET
    first: str | UnsetType = UNSET
    pile: int | UnsetType = UNSET
    error: bool | str = False
    slappable: bool | UnsetType = UNSET
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    events: tuple[list[Any], ...] = ()
    state: ExpectedState = ExpectedState()
    outcome: Literal["win", "cycle", "draw"] | UnsetType = UNSET
    winner: str | UnsetType | None = UNSET
    cards: int | UnsetType = UNSET
    tricks: int | UnsetType = UNSET
    entered_after_cards: int | UnsetType = UNSET
    cycle_cards: int | UnsetType = UNSET
    cycle_tricks: int | UnsetType = UNSET


NOTES = ("rule", "why", "source", "seed", "pattern", "needs", "note")
"""Fields of an example that are for people."""


class WorkedExample(Struct, frozen=True, forbid_unknown_fields=True):
    """One worked example, without its notes."""

    kind: Literal["deal", "pattern", "scenario", "playout"]
    expect: Expectation
    id: str | int = ""
    preset: str = "classic"
    options: dict[str, Any] = field(default_factory=dict)
    players: tuple[str | ExamplePlayer, ...] = ()
    spectators: tuple[str | ExamplePlayer, ...] = ()
    dealer: str | None = None
    turn: str | None = None
    pile: CardText = ""
    context: PileContext = PileContext()
    actions: tuple[ExampleAction, ...] = ()

    @property
    def names(self) -> list[str]:
        """The players in the order in which they sit, then the spectators."""
        return [who if isinstance(who, str) else who.name for who in (*self.players, *self.spectators)]


def seat_of(name: str | None, names: Sequence[str]) -> int:
    """The seat of a player.

    Raises: ValueError if there is no player of that name.
    """
    if name is None or name not in names:
        raise ValueError(f"{name!r} is nobody here; there are {', '.join(names)}")
    return names.index(name)


def command_of(action: ExampleAction, names: Sequence[str]) -> Command:
    """The command that an action asks for.

    Raises: ValueError if there is no such action, or no player of that name.
    """

    def seat(name: str | None = action.p) -> int:
        return seat_of(name, names)

    match action.do:
        case "play":
            return cmd.Play(seat(), _ms(action.t))
        case "slap":
            hand = ExampleSlap(action.p or "", action.t, action.contact, action.seat_after)
            return Slap((_touch(hand, names),), action.under)
        case "slaps":
            return Slap(tuple(_touch(hand, names) for hand in action.slaps), action.under)
        case "timeout":
            return cmd.Timeout()
        case "collect":
            return cmd.Collect(seat())
        case "stow":
            return cmd.Stow(seat())
        case "notice":
            return cmd.Notice(seat())
        case "choose":
            return cmd.Choose(seat(), action.half)
        case "reveal":
            return cmd.Reveal(seat())
        case "place":
            return cmd.Place(seat(), seat(action.owner))
        case "contest":
            return cmd.Contest(seat())
        case "award":
            return cmd.Award(seat())
        case "forehead":
            return cmd.Forehead(seat())
        case "hover":
            return cmd.Hover(seat(), action.off)
        case "slap_down":
            return cmd.SlapDown(seat(), seat(action.target))
        case "fake_slap":
            return cmd.Feint(seat(), "slap")
        case "feint":
            return cmd.Feint(seat(), "card")
    raise ValueError(f"do = {action.do!r}: there is no such action")


def _touch(hand: ExampleSlap, names: Sequence[str]) -> Touch:
    after = None if hand.seat_after is None else seat_of(hand.seat_after, names)
    return Touch(seat_of(hand.p, names), _ms(hand.t), hand.contact, after)


def _ms(t: float | None) -> int | None:
    return None if t is None else round(t)
