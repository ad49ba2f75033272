"""The form of worked examples, and their actions as commands. Nothing in this file knows what comes of them.

The form is for people to write, so it is forgiving: cards are a list or a line, people are called by their names, and
what an example leaves out is as it mostly is. What it is to be compared with is not: an expectation that we do not know
is refused. Source: the last clauses of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType, field

from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command, Slap, Touch

CardText: TypeAlias = str | list[str]
"""Cards as people write them: `9S 2C`, or one by one."""


class Player(Struct, frozen=True):
    """Somebody at the table, with his hand, top first."""

    name: str
    deck: CardText = ""


class ExampleSlap(Struct, frozen=True):
    """One hand on the pile: whose, when (in ms), with how many fingers, and behind whom a newcomer would sit."""

    p: str
    t: float | None = None
    contact: int = 1
    seat_after: str | None = None


class ExampleAction(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does; `p` is who."""

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
        """Everybody who acts in it."""
        return tuple(hand.p for hand in self.slaps) if self.slaps else (self.p,) if self.p else ()


class PileContext(Struct, frozen=True):
    """What a pile alone does not tell: which answer the newest card is, and the first card of the game."""

    chance_no: int = 0
    first_card: str | None = None


class ExpectedState(Struct, frozen=True, forbid_unknown_fields=True):
    """How it stands after the last action; each field by itself may be left out."""

    turn: str | UnsetType = UNSET
    phase: Literal["play", "won", "claim", "last", "over"] | UnsetType = UNSET
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
    """What an example expects; only what it names is compared."""

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


class Example(Struct, frozen=True):
    """One worked example. What else it carries (`rule`, `why`, where it comes from) is for people."""

    kind: Literal["deal", "pattern", "scenario", "playout"]
    expect: Expectation
    id: str | int = ""
    preset: str = "classic"
    options: dict[str, Any] = field(default_factory=dict)
    players: tuple[str | Player, ...] = ()
    spectators: tuple[str | Player, ...] = ()
    dealer: str | None = None
    turn: str | None = None
    pile: CardText = ""
    context: PileContext = PileContext()
    actions: tuple[ExampleAction, ...] = ()

    @property
    def names(self) -> list[str]:
        """Who plays, in the order in which they sit, and then who looks on."""
        return [who if isinstance(who, str) else who.name for who in (*self.players, *self.spectators)]


def seat_of(name: str | None, names: Sequence[str]) -> int:
    """The seat of somebody.

    Raises: ValueError if nobody of that name is there.
    """
    if name is None or name not in names:
        raise ValueError(f"{name!r} is nobody here; there are {', '.join(names)}")
    return names.index(name)


def command_of(action: ExampleAction, names: Sequence[str]) -> Command:
    """The command that an action asks for.

    Raises: ValueError if there is no such action, or nobody of that name.
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
