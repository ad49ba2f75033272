"""Writes a whole game as text and parses it, for tests, bug reports, replays and people. No rules here.

    ratscrew 1
    house 1;classic
    name 1 Ana
    name 2 Thoth
    hand 1 9S 2C 4H
    hand 2 9H KC 3D
    lead 1
    1:9S 2:9H 1!double
    1:2C 2:KC 2?3D 1:4H

A house is the text of its link, or a preset's name. Cards that could not be dealt evenly are `pile 2C 7D`. Each line of
moves is one pile. Seats count from 1. What follows from the cards may be left out (`1:`, `2?`). The moves:

- `1:9S` turns the nine of spades (`1@1200:9S` at 1200 ms, where that counts); `1;9S` shows it out of turn;
  `2/1:9S` seat 2 lays a card aside onto the pile for seat 1.
- `1!double` slaps a double and takes the pile; `1!` claims it under honour rules. `2?3D` slaps wrongly and loses
  the 3D (`2?` without cards). `1,2!double`: both, 1 was first; `1,2'!double`: 2 had more fingers on it;
  `1,2~`: a tie; `1,2|3~`: 3 came later. `3&1!double`: newcomer 3 will sit after seat 1. `1_!double`,
  `2_?3D`: at the pile before its newest card, which came too late and goes back if the slap is valid.
- `2+` takes the pile it has won, or claims it; `+`: the time is up. `1-` contests a claim; `2^` is named the first of a
  tie; `2.` puts away what it picked up; `$`: a player protests; `1<`, `1>` choose the top or bottom half.
- `2"` touches its forehead; `2(`, `2)` lets a hand hover or takes it away; `1\\2?3D` slaps down the hand of seat 2;
  `2{` feints a slap, `2}` a card; `*`: a newcomer arrives; `%900`: the game ends with the pile after card 900.
- `2#`: seat 2 has won the game; `#`: it is a draw, or everybody has lost.

If cards were shuffled, their new order ends the word: `1!double=9H,9S`. Parsing plays the moves, so a parsed game is a
valid game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ratscrew.cards import Hand, PileCard, cards, text
from ratscrew.errors import CardError, NotationError, Refusal, RulesError
from ratscrew.game.decide import Decision
from ratscrew.game.events import Dealt, Event
from ratscrew.game.evolve import evolve
from ratscrew.game.infer_commands import infer_command
from ratscrew.game.moves import command_of, move_of, seat_of
from ratscrew.game.recorded_shuffles import decide_with_orders
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.link import VERSION, from_link, to_link
from ratscrew.rules.presets import house

FORMAT = "ratscrew 1"


class ParsedGame(NamedTuple):
    """A parsed text: the names of the players (empty if not given) and every event of the game."""

    names: tuple[str, ...]
    events: tuple[Event, ...]


def write_game(events: Iterable[Event], names: Sequence[str] = ()) -> str:
    """A game as text; `read_game` returns the same names and events.

    Raises: ValueError if these events are not a game.
    """
    first, *rest = events
    if not isinstance(first, Dealt):
        raise ValueError("a game begins with Dealt")
    lines = [FORMAT, f"house {to_link(first.rules)}"]
    lines += [f"name {seat} {_name(name)}" for seat, name in enumerate(names, 1)]
    lines += [f"hand {seat} {text(hand)}".rstrip() for seat, hand in enumerate(first.hands, 1)]
    if first.pile:
        lines.append(f"pile {text(laid.card for laid in first.pile)}")
    lines += [f"lead {first.standing.turn + 1}", *_lines(evolve(None, first), rest)]
    return "\n".join(lines) + "\n"


def read_game(written: str) -> ParsedGame:
    """The game that a text tells of.

    Raises: NotationError with the line, what is wrong there and what would be right.
    """
    lines = [(number, line.strip()) for number, line in enumerate(written.splitlines(), 1) if line.strip()]
    if not lines or lines[0][1] != FORMAT:
        raise NotationError(f"line 1: a game begins with the line {FORMAT!r}")
    rules, names, hands, pile, lead = house(), list[str](), list[Hand](), Hand(), None
    body = 1
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        try:
            match word:
                case "house":
                    rules = _read_house(rest)
                case "name":
                    names.append(_read_name(_numbered(word, rest, len(names) + 1)))
                case "hand":
                    hands.append(cards(_numbered(word, rest, len(hands) + 1)))
                case "pile":
                    pile = cards(rest)
                case "lead":
                    lead = seat_of(rest, len(hands))
                case _:
                    break
        except (RulesError, CardError, ValueError, RecursionError) as error:
            raise NotationError(f"line {number}: {error}") from error
        body += 1
    where = f"line {lines[body - 1][0]}"
    if lead is None:
        raise NotationError(f"{where}: before the moves come the hands and a line such as 'lead 1'")
    if not hands[lead]:
        raise NotationError(f"{where}: seat {lead + 1} cannot lead, it holds no cards")
    laid = tuple(PileCard(card, "dead") for card in pile)
    events: list[Event] = [Dealt(rules, tuple(hands), Standing("play", lead), laid)]
    game = evolve(None, events[0])
    for number, line in lines[body:]:
        for word in line.split():
            game, more = _read_move(number, word, game)
            events += more
    if names and not len(hands) <= len(names) <= len(game.hands):
        raise NotationError(f"{where}: there are {len(names)} names for {len(hands)} hands")
    return ParsedGame(tuple(names), tuple(events))


def _lines(game: Game, rest: Sequence[Event]) -> Iterator[str]:
    """The moves, one line for each pile."""
    line: list[str] = []
    while rest:
        command, decision = infer_command(game, rest)
        line.append(str(move_of(game, command, decision.events)))
        before, game, rest = game, decision.game, rest[len(decision.events) :]
        if game.over:
            line.append(_end(game))
        if game.over or (before.pile and not game.pile):
            yield " ".join(line)
            line = []
    if line:
        yield " ".join(line)


def _end(game: Game) -> str:
    return "#" if game.winner is None else f"{game.winner + 1}#"


def _read_move(number: int, word: str, game: Game) -> Decision:
    """The decision on one move, if the game goes so; the sign at the end of a game has no events."""
    if game.over and word == _end(game):
        return Decision(game, ())
    said, mixed, chance = word.partition("=")
    try:
        command = command_of(game, said)
        orders = (cards(order.replace(",", " ")) for order in chance.split("/"))
        decision = decide_with_orders(game, command, orders if mixed else iter(()))
    except Refusal as refusal:
        raise _wrong(number, word, f"this cannot be done here ({refusal.reason.value})") from refusal
    except ValueError as error:
        raise _wrong(number, word, str(error)) from error
    move = move_of(game, command, decision.events)
    if said not in (move.command_text, move.command_text + move.outcome_text) or word != said + move.orders_text:
        raise _wrong(number, word, f"here it is {move}")
    return decision


def _read_house(words: str) -> Rules:
    return from_link(words) if words.startswith(f"{VERSION};") else house(words)


def _name(name: str) -> str:
    """A name as it stands in a line: as it is, or as a JSON string if it would not read back so."""
    plain = name and name.isprintable() and name == name.strip() and not name.startswith('"')
    return name if plain else json.dumps(name)


def _read_name(words: str) -> str:
    name = str(json.loads(words)) if words.startswith('"') else words
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise ValueError(f"{name!r} is no name: there is half a character in it")
    return name


def _numbered(word: str, words: str, expected: int) -> str:
    """What stands behind the number of a line such as `name 2 Thoth`."""
    seat, _, rest = words.partition(" ")
    if seat != str(expected):
        raise ValueError(f"these lines come in order, and here '{word} {expected}' is expected")
    return rest.strip()


def _wrong(number: int, word: str, why: str) -> NotationError:
    return NotationError(f"line {number}, move {word!r}: {why}")
