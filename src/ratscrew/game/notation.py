"""A whole game as text, and back: for tests, bug reports, replays and people.

    ratscrew 1
    house classic
    name 1 Ana
    name 2 Thoth
    hand 1 9S 2C 4H
    hand 2 9H KC 3D
    lead 1
    1:9S 2:9H 1!double
    1:2C 2:KC 2?3D 1:4H

Seats count from 1. `1:9S` seat 1 turns the nine of spades; `1!double` seat 1 slaps a double and takes the pile;
`2?3D` seat 2 slaps wrongly and burns a card (without cards it is `2?`, a strike); `2+` seat 2 takes the pile it
has won; `2#` seat 2 has every card. A pile is a line. A house that is no preset is `house classic` and its
options as JSON. Reading plays the moves, so a text that is read is a game that can be played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import msgspec

from ratscrew.cards import Hand, cards, text
from ratscrew.errors import CardError, NotationError, Refusal, RulesError
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.decide import decide
from ratscrew.game.events import Burned, Dealt, Event, Fouled, Played, Standing, Struck, Taken, Won
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house

FORMAT = "ratscrew 1"


class Written(NamedTuple):
    """What a text tells: who played (nobody, if it does not say) and every event of the game."""

    names: tuple[str, ...]
    events: tuple[Event, ...]


def write(events: Iterable[Event], names: Sequence[str] = ()) -> str:
    """A game as text; `read` gives the same names and events back."""
    first, *rest = events
    if not isinstance(first, Dealt):
        raise ValueError("a game begins with Dealt")
    lines = [FORMAT, f"house {_house(first.rules)}"]
    if names:
        lines += [f"name {seat} {_name(name)}" for seat, name in enumerate(names, 1)]
    lines += [f"hand {seat} {text(hand)}".rstrip() for seat, hand in enumerate(first.hands, 1)]
    lines += [f"lead {first.to.turn + 1}", *_moves(rest)]
    return "\n".join(lines) + "\n"


def read(written: str) -> Written:
    """The game that a text tells of.

    Raises: NotationError with the line, what is wrong there and what would be right.
    """
    lines = [(number, line.strip()) for number, line in enumerate(written.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1] != FORMAT:
        raise NotationError(f"line 1: a game begins with the line {FORMAT!r}")
    rules, names, hands, lead = house(), list[str](), list[Hand](), None
    body = 1
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        match word:
            case "house":
                rules = _read_house(number, rest)
            case "name":
                names.append(_read_name(number, _numbered(number, word, rest, len(names) + 1)))
            case "hand":
                hands.append(_read_hand(number, _numbered(number, word, rest, len(hands) + 1)))
            case "lead":
                lead = _seat(number, rest, len(hands))
            case _:
                break
        body += 1
    if lead is None:
        raise NotationError(f"line {lines[body - 1][0]}: before the moves come the hands and a line such as 'lead 1'")
    if names and len(names) != len(hands):
        raise NotationError(f"line {lines[body - 1][0]}: there are {len(names)} names for {len(hands)} hands")
    if not hands[lead]:
        raise NotationError(f"line {lines[body - 1][0]}: seat {lead + 1} cannot lead, it holds no cards")
    events: list[Event] = [Dealt(rules, tuple(hands), Standing("play", lead))]
    game = evolve(None, events[0])
    for number, line in lines[body:]:
        for move in line.split():
            for event in _read_move(number, move, game):
                events.append(event)
                game = evolve(game, event)
    return Written(tuple(names), tuple(events))


def _moves(events: Sequence[Event]) -> list[str]:
    lines: list[list[str]] = [[]]
    for event in events:
        match event:
            case Played(seat, card):
                lines[-1].append(f"{seat + 1}:{card}")
            case Fouled(seat):
                lines[-1].append(f"{seat + 1}?")
            case Burned(_, burned):
                lines[-1][-1] += ",".join(map(str, burned))
            case Taken(seat, _, why):
                kind, _, pattern = why.partition(":")
                lines[-1].append(f"{seat + 1}!{pattern}" if kind == "slap" else f"{seat + 1}+")
                lines.append([])
            case Won(seat):
                lines[-1].append(f"{seat + 1}#")
            case Struck() | Dealt():
                pass
    return [" ".join(line) for line in lines if line]


def _read_move(number: int, move: str, game: Game) -> tuple[Event, ...]:
    """The events of one move, if the game goes so."""
    if move == f"{game.to.turn + 1}#" and game.winner is not None:
        return ()
    digits = len(move) - len(move.lstrip("0123456789"))
    sign, said = move[digits : digits + 1], move[digits + 1 :]
    command: Command
    match sign:
        case ":":
            command = Play(_seat(number, move[:digits], len(game.hands)))
        case "!" | "?":
            command = Slap(_seat(number, move[:digits], len(game.hands)))
        case "+":
            command = Collect()
        case _:
            _wrong(number, move, "a move is such as 1:9S, 1!double, 2?3D, 2+ or 2#")
    try:
        events = decide(game, command)
    except Refusal as refusal:
        _wrong(number, move, f"this cannot be done here ({refusal.why.value})")
    done = _moves(events)[0].split()[0]
    if done != move and (said or done[: digits + 1] != move):
        _wrong(number, move, f"here it is {done}")
    return events


def _house(rules: Rules) -> str:
    for preset in PRESETS:
        if rules == house(preset):
            return preset
    theirs, ours = msgspec.to_builtins(rules), msgspec.to_builtins(house())
    return "classic " + json.dumps({name: value for name, value in theirs.items() if value != ours[name]})


def _read_house(number: int, words: str) -> Rules:
    preset, _, options = words.partition(" ")
    try:
        choices: Any = json.loads(options or "{}")
        if not isinstance(choices, dict):
            raise ValueError("the options of a house are written {...}")
        return house(preset, **choices)
    except (RulesError, ValueError, RecursionError) as error:
        raise NotationError(f"line {number}: {error}") from error


def _name(name: str) -> str:
    """A name as it stands in a line: as it is, or as a JSON string if it would not read back so."""
    plain = name and name.isprintable() and name == name.strip() and not name.startswith('"')
    return name if plain else json.dumps(name)


def _read_name(number: int, words: str) -> str:
    if not words.startswith('"'):
        return words
    try:
        name = json.loads(words)
    except ValueError as error:
        raise NotationError(f"line {number}: {error}") from error
    return str(name)


def _numbered(number: int, word: str, words: str, expected: int) -> str:
    """What stands behind the number of a line such as `name 2 Thoth`."""
    seat, _, rest = words.partition(" ")
    if seat != str(expected):
        raise NotationError(f"line {number}: these lines come in order, and here '{word} {expected}' is expected")
    return rest.strip()


def _read_hand(number: int, words: str) -> Hand:
    try:
        return cards(words)
    except CardError as error:
        raise NotationError(f"line {number}: {error}") from error


def _seat(number: int, word: str, seats: int) -> int:
    if not word.isdecimal() or len(word) > 3 or not 1 <= int(word) <= seats:
        raise NotationError(f"line {number}: {word!r} is no seat; there are seats 1 to {seats}")
    return int(word) - 1


def _wrong(number: int, move: str, why: str) -> NoReturn:
    raise NotationError(f"line {number}, move {move!r}: {why}")
