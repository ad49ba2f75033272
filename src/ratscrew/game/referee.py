"""Plays worked examples against the engine and says where they differ. It reads values, not files.

Kinds: `deal` (counts, who begins), `pattern` (a pile as it lies), `scenario` (actions, events, state), `playout` (a whole
game without slaps). The form of each is in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ratscrew.cards import Card, cards, pile, text
from ratscrew.errors import Refusal, RulesError
from ratscrew.game.actions import command_of
from ratscrew.game.decide.deal import deal
from ratscrew.game.engine import apply, evolve
from ratscrew.game.playout import play_out
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game, Person
from ratscrew.game.telling import tell
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

Example = Mapping[str, Any]

COMPLETE = {"take", "win", "burn", "dead"}
"""Where an example names one of these, it names all of them."""


def faults(example: Example) -> list[str]:
    """Where the engine differs from an example: a sentence each with the expected and the seen; none if it agrees.

    Raises: KeyError, TypeError or ValueError (CardError, RulesError) if the example is not in the form.
    """
    rules = _house(example)
    match example["kind"]:
        case "deal":
            return list(_deal(rules, example))
        case "pattern":
            return list(_pattern(rules, example))
        case "scenario":
            return list(_scenario(rules, example))
        case "playout":
            return list(_playout(rules, example))
    raise ValueError(f"kind = {example['kind']!r}: it can be deal, pattern, scenario or playout")


def _house(example: Example) -> Rules:
    return house(example.get("preset", "classic"), **example.get("options", {}))


def _differs(what: str, expected: Any, seen: Any) -> Iterator[str]:
    if expected != seen:
        yield f"{what}: expected {expected!r}, seen {seen!r}"


def _deal(rules: Rules, example: Example) -> Iterator[str]:
    names = [name if isinstance(name, str) else name["name"] for name in example["players"]]
    expect = example["expect"]
    if expect.get("error"):
        try:
            deal(rules, len(names), names.index(example["dealer"]), lambda n: 0)
        except RulesError:
            return
        yield "deal: expected a refusal, seen none"
        return
    dealt = deal(rules, len(names), names.index(example["dealer"]), lambda n: 0)
    counts = {name: len(hand) for name, hand in zip(names, dealt.hands, strict=True)}
    yield from _differs("counts", {name: expect["counts"][name] for name in counts}, counts)
    yield from _differs("first", expect["first"], names[dealt.to.turn])
    yield from _differs("pile", expect.get("pile", 0), len(dealt.pile))


def _pattern(rules: Rules, example: Example) -> Iterator[str]:
    lies = example["pile"]
    table = pile(lies if isinstance(lies, str) else " ".join(lies))
    context = example.get("context", {})
    opening = Card.parse(context["first_card"]) if "first_card" in context else None
    seen = [p.pattern.name for p in rules.slaps_on(rules.sees(table, opening, context.get("chance_no", 0)))]
    expect = example["expect"]
    if "slappable" in expect:
        yield from _differs("slappable", expect["slappable"], bool(seen))
    for name in expect.get("include", []):
        if name not in seen:
            yield f"patterns: expected {name} among them, seen {seen}"
    for name in expect.get("exclude", []):
        if name in seen:
            yield f"patterns: expected no {name}, seen {seen}"


def _start(rules: Rules, example: Example) -> tuple[Game, list[str]]:
    players = example["players"]
    names = [player["name"] for player in players] + list(example.get("spectators", []))
    hands = tuple(_cards(player.get("deck", [])) for player in players)
    watching = len(names) - len(players)
    people = (Person(),) * len(players) + (Person(playing=False),) * watching
    lies = example.get("pile", "")
    return Game(
        rules,
        hands + ((),) * watching,
        Standing("play", names.index(example["turn"])),
        tuple(range(len(players))),
        people,
        ((),) * len(names),
        pile(lies if isinstance(lies, str) else " ".join(lies)),
    ), names


def _cards(deck: str | Sequence[str]) -> tuple[Card, ...]:
    return cards(deck if isinstance(deck, str) else " ".join(deck))


def _scenario(rules: Rules, example: Example) -> Iterator[str]:
    game, names = _start(rules, example)
    told: list[list[Any]] = []
    for action in example["actions"]:
        command = command_of(action, names)
        try:
            after, events = apply(game, command, lambda n: 0)
        except Refusal as refusal:
            told.append(["ignored", action.get("p"), refusal.why.value])
            continue
        step = game
        for event in events:
            now = evolve(step, event)
            told += tell(step, event, now, names)
            step = now
        game = after
    yield from _events(example["expect"].get("events", []), told)
    yield from _state(example["expect"].get("state", {}), game, names)


def _events(expected: Sequence[list[Any]], told: Sequence[list[Any]]) -> Iterator[str]:
    """The expected events come in this order; others may lie between, but for those that are always complete."""
    rest = iter(told)
    for event in expected:
        if event not in rest:
            yield f"events: expected {event!r} (in order), seen {list(told)!r}"
            return
    if any(event[0] in COMPLETE for event in expected):
        ours, theirs = ([e for e in events if e[0] in COMPLETE] for events in (told, expected))
        yield from _differs("events", theirs, ours)


def _state(expected: Mapping[str, Any], game: Game, names: Sequence[str]) -> Iterator[str]:
    by = {name: seat for seat, name in enumerate(names)}
    now = game.to
    for field, value in expected.items():
        match field:
            case "turn":
                yield from _differs(field, value, names[now.turn])
            case "phase":
                yield from _differs(field, value, now.phase)
            case "hands":
                yield from _differs(field, value, {name: game.held(by[name]) for name in value})
            case "decks":
                yield from _differs(field, _each(value), {name: text(game.hands[by[name]]) for name in value})
            case "asides":
                yield from _differs(field, _each(value), {name: text(game.asides[by[name]]) for name in value})
            case "pile":
                yield from _differs(field, _line(value), text(game.pile))
            case "challenge":
                yield from _differs(field, value, _challenge(now, names))
            case "slappable":
                seen = [] if game.voided else [p.pattern.name for p in game.rules.slaps_on(game.sight)]
                yield from _differs(field, value, seen)
            case "order":
                yield from _differs(field, value, [names[seat] for seat in game.circle])
            case "status":
                status = {name: "eliminated" if game.people[by[name]].out else "in" for name in value}
                yield from _differs(field, value, status)
            case "winner":
                yield from _differs(field, value, None if game.winner is None else names[game.winner])
            case "all_lose":
                yield from _differs(field, value, game.all_lose)
            case _:
                yield f"state.{field}: there is no such field"


def _line(cards: str | Sequence[str]) -> str:
    return cards if isinstance(cards, str) else " ".join(cards)


def _each(decks: Mapping[str, str | Sequence[str]]) -> dict[str, str]:
    return {name: _line(deck) for name, deck in decks.items()}


def _challenge(now: Standing, names: Sequence[str]) -> dict[str, Any] | None:
    if now.phase != "play" or now.by is None:
        return None
    return {"by": names[now.by], "to": names[now.turn], "left": now.left}


def _playout(rules: Rules, example: Example) -> Iterator[str]:
    game, names = _start(rules, example)
    seen = play_out(game)
    expect = example["expect"]
    yield from _differs("outcome", expect["outcome"], seen.outcome)
    if "winner" in expect:
        yield from _differs("winner", expect["winner"], None if seen.winner is None else names[seen.winner])
    for field in ("cards", "tricks", "entered_after_cards", "cycle_cards", "cycle_tricks"):
        if field in expect:
            yield from _differs(field, expect[field], getattr(seen, field))
