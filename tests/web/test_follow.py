"""The client follows a game by its public events alone, and after each has the view that the server would send."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from ratscrew.cards import PACK, cards
from ratscrew.errors import Refusal, RulesError
from ratscrew.game import commands as cmd
from ratscrew.game.commands import Command
from ratscrew.game.decide.valid_slap import find_pattern
from ratscrew.game.engine import deal, decide, evolve, uncovered
from ratscrew.game.events import Dealt, Event
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.game.view import Public, view
from ratscrew.game.view_changes import replayed
from ratscrew.rules.check import parse_rules
from ratscrew.rules.house import Rules, option_types
from ratscrew.rules.pattern import PATTERNS
from ratscrew.table.state.log_writer import numbered

CLIENT = Path(__file__).resolve().parents[2] / "client"
GAMES, MOVES = 350, 120

_COMPARE = """
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
const bundle = await rolldown({ input: 'src/room/public-view.ts' })
const { output } = await bundle.generate({ format: 'esm' })
const { viewAfter } = await import('data:text/javascript,' + encodeURIComponent(output[0].code))
const standing = (sparse) => sparse && { challenger: null, chances_left: 0, reason: null, ...sparse }
const whole = (view) => ({ ...view, standing: standing(view.standing), resume_state: standing(view.resume_state) })
for (const { rules, steps } of JSON.parse(readFileSync(0, 'utf8'))) {
  let before = null
  for (const { message, after } of steps) {
    after.rules = rules
    const view = viewAfter(before, message)
    assert.deepEqual(whole(view), whole(after), `${JSON.stringify(message)} after ${JSON.stringify(before)}`)
    before = view
  }
}
"""


def test_following_the_public_events_is_seeing_the_public_view() -> None:
    kinds: Counter[str] = Counter()
    games = [_told(seed, kinds) for seed in range(GAMES)]
    assert kinds.keys() == {_tag(kind) for kind in get_args(Public)} - {"dealt", "redealt"}, (
        "a kind of event is missing"
    )
    build("npm", "--version")  # fetches the client's packages, if they are missing
    command = [build("node"), "--input-type=module", "-e", _COMPARE]
    done = subprocess.run(command, cwd=CLIENT, input=json.dumps(games), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-6000:]


def build(*words: str) -> str:
    """What the script that builds the client prints; it finds node, or installs it."""
    command = [sys.executable, "hatch_build.py", *words]
    done = subprocess.run(command, cwd=CLIENT.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _told(seed: int, kinds: Counter[str]) -> dict[str, Any]:
    """A game under a house as its public events, each with the view after it."""
    games, events = zip(*_game(random.Random(seed)), strict=True)
    messages = numbered(events, 1, replayed(events, len(events))[1])
    steps = []
    rules: Any = None
    for game, message in zip(games, messages, strict=True):
        after = msgspec.to_builtins(view(game), enc_hook=str)
        rules = after.pop("rules")
        steps.append({"message": (told := msgspec.to_builtins(message, enc_hook=str)), "after": after})
        kinds[told["e"]["e"]] += 1
    return {"rules": rules, "steps": steps}


def _game(dice: random.Random) -> Iterator[tuple[Game, Event]]:
    """Every event of a game in which anybody does anything, with the game after it."""
    seats, rules = dice.randint(2, 5), _house(dice)
    if dice.random() < 0.3:
        dealt = deal(rules, seats, dice.randrange(seats), dice.randrange)
    else:  # so few cards that it soon comes to an end, and sixes among them
        few = [*cards("6C 6D 6H"), *dice.sample(PACK, seats * 3)]
        dealt = Dealt(rules, tuple(tuple(few[seat::seats]) for seat in range(seats)), Standing("play", 0))
    game = evolve(None, dealt)
    yield game, dealt
    for at_ms in range(0, MOVES * 100, 100):
        try:
            _, events = decide(game, _command(dice, game, at_ms), dice.randrange)
        except Refusal:
            continue
        for event in events:
            game = evolve(game, event)
            yield game, event
        if game.over:
            return


def _command(dice: random.Random, game: Game, at_ms: int) -> Command:
    seats = len(game.hands)
    seat, other = dice.randrange(seats), dice.randrange(seats)
    if dice.random() < 0.4:
        return (
            cmd.Timeout() if game.standing.phase not in ("play", "last_chance") else cmd.Play(game.standing.turn, at_ms)
        )
    if _covered(game) and dice.random() < 0.6:
        if dice.random() < 0.5:  # something falls onto the card that will be taken back
            return dice.choice((cmd.slap(seat, at_ms), cmd.Reveal(seat)))
        hands = dice.sample(range(seats), dice.randint(1, min(3, seats)))
        return cmd.Slap(tuple(cmd.Touch(hand, at_ms + dice.randrange(40), 1, other) for hand in hands), under=True)
    if view(game).first_match() and dice.random() < 0.6:
        hands = dice.sample(range(seats), dice.randint(1, min(3, seats)))
        return cmd.Slap(tuple(cmd.Touch(hand, at_ms + dice.randrange(40), 1, other) for hand in hands))
    manners: tuple[Command, ...] = (
        cmd.Forehead(seat),
        cmd.Hover(seat, dice.random() < 0.3),
        cmd.Feint(seat, "card"),
        cmd.SetLimit(game.n + 1 + dice.randrange(99)),
    )
    cheats: tuple[Command, ...] = (
        cmd.Collect(seat),
        cmd.Stow(seat),
        *[cmd.Notice(seat)] * 4,
        cmd.Choose(seat, "bottom"),
    )
    moves: tuple[Command, ...] = (cmd.Play(seat), cmd.Reveal(seat), cmd.Place(seat, other), cmd.Timeout())
    wrong = (*[cmd.slap(seat, at_ms)] * 6, cmd.slap(seat, at_ms, under=True))
    slaps: tuple[Command, ...] = (*wrong, cmd.SlapDown(seat, other), cmd.Award(seat))
    arrive: tuple[Command, ...] = (cmd.Arrive(),) if seats < 7 else ()
    anything: tuple[Command, ...] = (
        *manners,
        *cheats,
        *moves,
        *slaps,
        cmd.Contest(seat),
        cmd.Contest(other),
        *arrive,
    )
    return dice.choice(anything)


def _covered(game: Game) -> bool:
    """Whether the newest card covers what could be slapped."""
    try:
        return find_pattern(uncovered(game))[0] is not None
    except Refusal:
        return False


def _house(dice: random.Random) -> Rules:
    """Any house, by throwing dice for each option that has a few values."""
    slaps: dict[str, Any] = {name: dice.random() < 0.4 for name in PATTERNS}
    slaps |= {
        "family": dice.choice((False, {"cards": ["K", "Q"]})),
        "suit_run": dice.choice((0, 3)),
        "colour_run": dice.choice((0, 3)),
        "run": {"len": 3},
    }
    choices: dict[str, Any] = {
        "slaps": {**slaps, "double": True, "triple_six": True, "instant": dice.choice(([], ["Q", "6"]))},
        "wrong_slap": dice.choice(_WRONG_SLAP),
        "no_cards": {"kind": dice.choice(("strikes", "ignore", "burn_hand", "debt"))},
        "max_streak": dice.choice((0, 1)),
        "last_chance": dice.choice((0, 3)),
        "out_of_turn_burn": dice.choice((0, 1)),
        "withdraw_ms": dice.choice((0, 150)),
        "tie_window_ms": dice.choice((0, 30, 30)),
        "stoppers": dice.choice(([], ["T"])),
        "max_players": 0,
        "jokers": dice.choice((0, 2)),
    }
    for _ in range(100):
        for name, kind in option_types().items():
            if get_origin(kind) is Literal:
                choices[name] = dice.choice(get_args(kind))
        try:
            return parse_rules(choices | {"burn_face_up": dice.random() < 0.7, "triple_six_ban": False})
        except RulesError as error:
            _settle(choices, error)
    raise AssertionError(f"no house of {choices}")


_WRONG_SLAP = (
    {"kind": "burn", "count": 2, "place": "top"},
    {"kind": "burn", "count": 1, "place": "bottom"},
    {"kind": "pile_to_last", "after_fail": "literal"},
    {"kind": "give", "to": "last_player"},
    {"kind": "lockout", "until": 3},
    {"kind": "lockout", "until": "pile"},
)


def _settle(choices: dict[str, Any], error: RulesError) -> None:
    """Give up the choices of numbers that do not go with the others."""
    for name in ("out_of_turn_burn", "tie_window_ms", "withdraw_ms"):
        if any(problem.startswith(name) for problem in error.problems):
            choices[name] = 0


def _tag(kind: type[Any]) -> str:
    return str(msgspec.inspect.type_info(kind).tag)  # type: ignore[attr-defined]
