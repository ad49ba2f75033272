"""Plays worked examples against the engine and reports the differences. Takes values; reads no files.

Kinds: `deal` (counts, who begins), `pattern` (a pile as it lies), `scenario` (actions, events, state), `playout` (a
whole game without slaps). The form of each is in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from ratscrew.cards import Card, Pile, cards, text
from ratscrew.cards import pile as read_pile
from ratscrew.errors import Refusal, RefusalReason, RulesError
from ratscrew.game.commands import Command, Slap
from ratscrew.game.decide.deal import deal
from ratscrew.game.decide.slap_eligibility import slap_refusal
from ratscrew.game.decide.uncover import slapped_game
from ratscrew.game.engine import decide, evolve
from ratscrew.game.example_format import (
    NOTES,
    CardText,
    ExampleAction,
    ExpectedState,
    WorkedExample,
    command_of,
    seat_of,
)
from ratscrew.game.narration import narrate
from ratscrew.game.playout import play_out
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game, SeatState
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

COMPLETE_KINDS = ("take", "win", "burn", "dead")
"""If an example names one event of such a kind, it must name all of that kind."""

REASON_NAMES = {
    RefusalReason.GAME_OVER: "too_late",
    RefusalReason.TWICE: "too_late",
    RefusalReason.NOTHING_TO_TAKE: "not_yours",
    RefusalReason.NOTHING_ASIDE: "not_yours",
    RefusalReason.NO_CARDS: "not_playing",
}
"""Refusal reasons that have another name in examples."""


def read(value: object) -> WorkedExample:
    """Parse an example from JSON values.

    Raises: ValueError with what is wrong, and where.
    """
    if isinstance(value, dict):
        known = (*WorkedExample.__struct_fields__, *NOTES)
        if unknown := [str(name) for name in value if name not in known]:
            raise ValueError(f"there is no field {unknown[0]!r}; there are {', '.join(known)}")
        value = {name: inner for name, inner in value.items() if name not in NOTES}
    try:
        return msgspec.convert(value, WorkedExample)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error


def differences(example: WorkedExample) -> list[str]:
    """The differences between the engine and an example, one sentence each with the expected and the actual value.

    Raises: ValueError (RulesError, CardError) if the example is invalid.
    """
    rules = house(example.preset, **example.options)
    match example.kind:
        case "deal":
            return list(_deal(rules, example))
        case "pattern":
            return list(_pattern(rules, example))
        case "scenario":
            return list(_scenario(rules, example))
        case "playout":
            return list(_playout(rules, example))


def _differs(what: str, expected: object, seen: object) -> Iterator[str]:
    if expected is not UNSET and expected != seen:
        yield f"{what}: expected {_show(expected)}, seen {_show(seen)}"


def _show(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _deal(rules: Rules, example: WorkedExample) -> Iterator[str]:
    names, expect = example.names, example.expect
    if not names:
        raise ValueError("players: there is nobody")
    dealer = seat_of(example.dealer or names[-1], names)
    try:
        dealt = deal(rules, len(names), dealer, lambda n: 0)
    except RulesError as error:
        if not expect.error:
            yield f"deal: expected cards for everybody, seen {_show(str(error))}"
        return
    if expect.error:
        yield "deal: expected a refusal, seen none"
    counts = {name: len(hand) for name, hand in zip(names, dealt.hands, strict=True)}
    yield from _differs("counts", expect.counts, counts)
    yield from _differs("first", expect.first, names[dealt.standing.turn])
    yield from _differs("pile", expect.pile, len(dealt.pile))


def _pattern(rules: Rules, example: WorkedExample) -> Iterator[str]:
    context, expect = example.context, example.expect
    opening = Card.parse(context.first_card) if context.first_card else None
    pile = _pile(example.pile)
    sight = rules.sight_of(pile, opening, context.chance_no, context.card_no or len(pile))
    seen = [bound.pattern.name for bound in rules.all_matches(sight)]
    yield from _differs("slappable", expect.slappable, bool(seen))
    for name in expect.include:
        if name not in seen:
            yield f"patterns: expected {name} among them, seen {_show(seen)}"
    for name in expect.exclude:
        if name in seen:
            yield f"patterns: expected no {name}, seen {_show(seen)}"


def _line(some: CardText) -> str:
    return some if isinstance(some, str) else " ".join(some)


def _pile(some: CardText) -> Pile:
    return read_pile(_line(some))


def _start(rules: Rules, example: WorkedExample) -> tuple[Game, list[str]]:
    """The game before the first action. An initial pile counts as turned by the seat before, or the seats before."""
    names, seats, watching = example.names, len(example.players), len(example.spectators)
    if not seats:
        raise ValueError("players: there is nobody")
    hands = tuple(() if isinstance(who, str) else cards(_line(who.deck)) for who in example.players)
    first = 0 if example.turn is None else seat_of(example.turn, names[:seats])
    round_it = ((first + step * rules.step) % seats for step in range(seats))
    turn = next((seat for seat in round_it if hands[seat]), None)
    if turn is None:
        raise ValueError("players: nobody holds a card")
    pile = _pile(example.pile)
    live = [laid.card for laid in pile if laid.live]
    return Game(
        rules,
        hands + ((),) * watching,
        Standing("play", turn),
        tuple(range(seats)),
        (SeatState(),) * seats + (SeatState(playing=False),) * watching,
        ((),) * len(names),
        pile,
        (turn - rules.step) % seats if live else None,
        len(live),
        opening=live[0] if live else None,
    ), names


def _scenario(rules: Rules, example: WorkedExample) -> Iterator[str]:
    game, names = _start(rules, example)
    told: list[list[Any]] = []
    for action in example.actions:
        command = command_of(action, names)
        try:
            told += _ignored(game, command, names)
            after, events = decide(game, command, lambda n: 0)
        except Refusal as refusal:
            told += _refused(action, refusal)
            continue
        step = game
        for event in events:
            now = evolve(step, event)
            told += narrate(step, event, now, names)
            step = now
        game = after
    yield from _events(example.expect.events, told)
    yield from _state(example.expect.state, game, names)


def _ignored(game: Game, command: Command, names: Sequence[str]) -> Iterator[list[Any]]:
    """Those of several simultaneous slaps that do not count.

    Raises: Refusal if the pile that they are at has been taken meanwhile.
    """
    if isinstance(command, Slap) and len(command.touches) > 1:
        lay = slapped_game(game, command.under)
        for touch in command.touches:
            if why := slap_refusal(lay, touch):
                yield ["ignored", names[touch.seat], why.value]


def _refused(action: ExampleAction, refusal: Refusal) -> Iterator[list[Any]]:
    for name in action.who:
        yield ["ignored", name, REASON_NAMES.get(refusal.reason, refusal.reason.value)]


def _events(expected: Sequence[list[Any]], told: Sequence[list[Any]]) -> Iterator[str]:
    """Expected events must come in this order; others may be between them, except of kinds that must be complete."""
    rest = iter(told)
    for event in expected:
        if event not in rest:
            yield f"events: expected {_show(event)} (in this order), seen {_show(told)}"
            return
    for word in COMPLETE_KINDS:
        named = [event for event in expected if event[0] == word]
        if named:
            yield from _differs("events", named, [event for event in told if event[0] == word])


def _state(expected: ExpectedState, game: Game, names: Sequence[str]) -> Iterator[str]:
    back = game.resume_state or game.standing
    now = back if game.standing.phase in ("tie", "grab", "split") else game.standing
    found = _slappable(game)
    seen: dict[str, Any] = {
        "turn": names[back.turn],
        "phase": now.phase,
        "hands": {name: game.cards_held(seat) for seat, name in enumerate(names)},
        "decks": {name: text(hand) for name, hand in zip(names, game.hands, strict=True)},
        "asides": {name: text(aside) for name, aside in zip(names, game.asides, strict=True)},
        "pile": text(game.pile),
        "challenge": _challenge(back, names),
        "slappable": bool(found) if isinstance(expected.slappable, bool) else found,
        "order": [names[seat] for seat in game.circle],
        "status": {
            name: "eliminated" if person.out else "in" for name, person in zip(names, game.seat_states, strict=True)
        },
        "winner": None if game.winner is None else names[game.winner],
        "all_lose": game.all_lose,
    }
    for field, value in msgspec.structs.asdict(expected).items():
        theirs, ours = value, seen[field]
        if field == "pile" and value is not UNSET:
            theirs = _line(value)
        elif isinstance(value, dict):
            theirs = {key: _line(line) for key, line in value.items()} if field in ("decks", "asides") else value
            ours = {key: ours.get(key) for key in value} if ours else ours
        yield from _differs(field, theirs, ours)


def _challenge(now: Standing, names: Sequence[str]) -> dict[str, Any] | None:
    if now.phase != "play" or now.challenger is None:
        return None
    return {"by": names[now.challenger], "to": names[now.turn], "left": now.chances_left}


def _slappable(game: Game) -> list[str]:
    """The patterns that a slap would find, on the pile or with a card aside counted as turned, in reading order."""
    if game.voided:
        return []
    sights = [game.sight, game.sight_with_aside()]
    return [
        bound.pattern.name
        for bound in game.rules.patterns
        if any(seen is not None and bound.matches(seen) for seen in sights)
    ]


def _playout(rules: Rules, example: WorkedExample) -> Iterator[str]:
    game, names = _start(rules, example)
    seen, expect = play_out(game), example.expect
    yield from _differs("outcome", expect.outcome, seen.outcome)
    yield from _differs("winner", expect.winner, None if seen.winner is None else names[seen.winner])
    for field in ("cards", "tricks", "entered_after_cards", "cycle_cards", "cycle_tricks"):
        yield from _differs(field, getattr(expect, field), getattr(seen, field))
