"""Formats one move of a written game (a command and its outcome) as a word, and parses the command of a word.

`notation` documents the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ratscrew.cards import Card
from ratscrew.game import commands as cmd
from ratscrew.game import events as ev
from ratscrew.game.commands import Command, Slap, Touch
from ratscrew.game.decide.uncover import slapped_game
from ratscrew.game.decide.valid_slap import find_pattern
from ratscrew.game.events import Event
from ratscrew.game.infer_commands import protester, with_tie_times
from ratscrew.game.recorded_shuffles import shuffled_orders
from ratscrew.game.state import Game

SIGNS: Mapping[str, Callable[[int], Command]] = {
    ";": cmd.Reveal,
    "+": cmd.Collect,
    "-": cmd.Contest,
    "^": cmd.Award,
    ".": cmd.Stow,
    "<": lambda seat: cmd.Choose(seat, "top"),
    ">": lambda seat: cmd.Choose(seat, "bottom"),
    '"': cmd.Forehead,
    "(": cmd.Hover,
    ")": lambda seat: cmd.Hover(seat, off=True),
    "{": lambda seat: cmd.Feint(seat, "slap"),
    "}": lambda seat: cmd.Feint(seat, "card"),
}
"""The commands that have no argument but the seat."""

_WORD = re.compile(r"""([\d,|'&@_-]*)([][:;!?~+^.$<>"(){}/\\*%-])(.*)""")
_HAND = re.compile(r"(\d+)('?)(?:&(\d+))?")


class WrittenMove(NamedTuple):
    """A word: the command, what followed from the cards, and the new order of shuffled cards."""

    command_text: str
    outcome_text: str = ""
    orders_text: str = ""

    def __str__(self) -> str:
        return self.command_text + self.outcome_text + self.orders_text


def move_of(game: Game, command: Command, events: Sequence[Event]) -> WrittenMove:
    """A command and its events as a word."""
    mixed = [_cards(order) for order in shuffled_orders(game, events)]
    return WrittenMove(*_written(game, command, events), "=" + "/".join(mixed) if mixed else "")


def command_of(game: Game, word: str) -> Command:
    """Parse the command of a word (without the orders of shuffled cards).

    Raises: ValueError with what is wrong; Refusal if it slaps at a pile that has been taken meanwhile.
    """
    parts = _WORD.fullmatch(word)
    if not parts:
        raise ValueError("a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#")
    who, sign, said = parts.groups()
    match sign:
        case ":":
            seat, at, at_ms = who.partition("@")
            return cmd.Play(_seat(game, seat), _number(at_ms) if at else None)
        case "!" | "?" | "~":
            under = who.endswith("_")
            return Slap(_hands(slapped_game(game, under), who.removesuffix("_")), under)
        case "+" if not who:
            return cmd.Timeout()
        case "*" if not who:
            return cmd.Arrive()
        case "%" if not who:
            return cmd.SetLimit(_number(said))
        case "$" if not who and game.theft:
            return cmd.Notice(protester(game))
        case "/":
            return cmd.Place(_seat(game, who), _seat(game, said.partition(":")[0]))
        case "\\":
            return cmd.SlapDown(_seat(game, who), _seat(game, re.split("[!?]", said)[0]))
    if sign not in SIGNS:
        raise ValueError("a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#")
    return SIGNS[sign](_seat(game, who))


def seat_of(word: str, seats: int) -> int:
    """The seat with this number, counted from 1.

    Raises: ValueError if there is none.
    """
    if not word.isdecimal() or len(word) > 3 or not 1 <= int(word) <= seats:
        raise ValueError(f"{word!r} is no seat; there are seats 1 to {seats}")
    return int(word) - 1


def _written(game: Game, command: Command, events: Sequence[Event]) -> tuple[str, str]:
    match command:
        case cmd.Play(seat, at_ms):
            return f"{seat + 1}:" if at_ms is None else f"{seat + 1}@{at_ms}:", _turned(events)
        case Slap(touches, under):
            sign, told = _outcome(slapped_game(game, under), events)
            return _written_hands(game, touches) + "_" * under + sign, told
        case cmd.Timeout():
            return "+", ""
        case cmd.Arrive():
            return "*", ""
        case cmd.SetLimit(cards):
            return f"%{cards}", ""
        case cmd.Notice():
            return "$", ""
        case cmd.Place(seat, owner):
            return f"{seat + 1}/{owner + 1}", ":" + _turned(events)
        case cmd.SlapDown(seat, target):
            return f"{seat + 1}\\{target + 1}", "".join(_outcome(game, events)) if len(events) > 1 else ""
    sign = next(sign for sign, make in SIGNS.items() if make(command.seat) == command)
    return f"{command.seat + 1}{sign}", _turned(events)


def _outcome(game: Game, events: Iterable[Event]) -> tuple[str, str]:
    """The sign and the text for the outcome of slaps at this pile."""
    lost: list[Card] = []
    for event in events:
        match event:
            case ev.Taken(reason=why) if why.startswith("slap:"):
                return "!", why.removeprefix("slap:")
            case ev.Won() | ev.Lost() if pattern := find_pattern(game)[0]:
                return "!", pattern.pattern.name
            case ev.Claimed():
                return "!", ""
            case ev.Voided() | ev.Tied():
                return "~", ""
            case ev.Burned(cards=cards) | ev.Eliminated(cards=cards):
                lost += cards
            case ev.Given(card=Card() as card):
                lost.append(card)
    return "?", _cards(lost)


def _turned(events: Iterable[Event]) -> str:
    """The cards that were turned, as text."""
    turned: list[Card] = []
    for event in events:
        match event:
            case ev.Played(card=card) | ev.Misplayed(card=card) | ev.Exposed(card=card):
                turned.append(card)
            case ev.Burned(cards=cards):
                turned += cards
    return _cards(turned)


def _cards(cards: Iterable[Card]) -> str:
    return ",".join(map(str, cards))


def _written_hands(game: Game, touches: Sequence[Touch]) -> str:
    last = (touches[0].at_ms or 0) + game.rules.tie_window_ms
    text = ""
    for touch in touches:
        between = "" if not text else "|" if (touch.at_ms or 0) > last and "|" not in text else ","
        beside = "" if touch.after is None else f"&{touch.after + 1}"
        text += f"{between}{touch.seat + 1}{chr(39) * (touch.contact > 1)}{beside}"
    return text


def _hands(game: Game, who: str) -> tuple[Touch, ...]:
    near, _, late = who.partition("|")
    return with_tie_times(game, _read_hands(game, near), _read_hands(game, late) if late else [])


def _read_hands(game: Game, who: str) -> list[Touch]:
    touches = []
    for word in who.split(","):
        parts = _HAND.fullmatch(word)
        if not parts:
            raise ValueError(f"{word!r} is no seat; there are seats 1 to {len(game.hands)}")
        seat, more, beside = parts.groups()
        after = None if beside is None else _seat(game, beside)
        touches.append(Touch(_seat(game, seat), None, 2 if more else 1, after))
    return touches


def _seat(game: Game, word: str) -> int:
    return seat_of(word, len(game.hands))


def _number(word: str) -> int:
    if not re.fullmatch(r"-?\d{1,15}", word):
        raise ValueError(f"{word!r} is no time in milliseconds")
    return int(word)
