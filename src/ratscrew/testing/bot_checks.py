"""A conformance test for bots, on whole games. Independent of how a bot decides.

    def test_my_bot_is_a_bot() -> None:
        check_bot(MyBot())

The AssertionError names the broken requirement and the view in which it was broken.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import product, repeat
from random import Random

from msgspec.structs import replace as changed

from ratscrew.bots.bot import Bot, Chance, Plan
from ratscrew.bots.memory import Memory, memory_from_events, remember
from ratscrew.errors import Refusal
from ratscrew.game.codec import Codec
from ratscrew.game.commands import Collect, Command, Contest, Notice, Play, Slap, Timeout, Touch
from ratscrew.game.decide.slap_eligibility import slap_bar
from ratscrew.game.engine import deal, decide, replay
from ratscrew.game.state import Game, SeatState
from ratscrew.game.view import View, view
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import PRESETS, house

MAX_SEATS = 8
"""The most players of a table if its house sets no limit."""

MAX_CARDS = 100
"""A game is checked up to this card."""

_CODEC = Codec[View](View)
EDGE_CHANCES = (0.0, 0.5, 1 - 2**-53)
"""Random numbers that a bot has to handle: the least, the middle and the greatest."""


def check_bot(bot: Bot, games: int = 3) -> None:
    """Check a bot in games of every preset, and of houses with honour and with a judge, from every seat.

    The same view, memory and chances must give the same plan, whatever the bot has seen in between. No time may be
    negative. The bot may plan to turn a card only in its turn, to slap only a pile and only while it may, and to make
    other moves only for itself.

    Raises: AssertionError that names the requirement and the view.
    """
    for rules in (*map(house, PRESETS), house("chaos", judge="honour", cheat="off"), house("everything2", tie="judge")):
        views = [seen for number in range(games) for seen in _views(rules, number)]
        plans = [_plans(bot, seen, memory, number) for number, (seen, memory) in enumerate(views)]
        for number, ((seen, memory), before) in reversed(list(enumerate(zip(views, plans, strict=True)))):
            again = _plans(bot, _CODEC.decode(_CODEC.encode(seen)), replace(memory), number)
            assert again == before, f"the same view, memory and chances, but {before} and then {again}: {seen}"
        for seen, memory in views[:: len(views) // 50]:
            for seat, edge in product(range(len(seen.cards_held)), EDGE_CHANCES):
                _check(bot.plan(seen, seat, repeat(edge).__next__, memory), seen, seat)


def _views(rules: Rules, number: int) -> list[tuple[View, Memory]]:
    """The views and memories of one game, mostly of cards, and some in which every seat is barred from slapping."""
    chance = Random(number)
    seats = 2 + number * 2 % ((rules.max_players or MAX_SEATS) - 1)
    dealt = deal(rules, seats, chance.randrange(seats), chance.randrange)
    game, memory = replay([dealt]), memory_from_events([dealt])
    views = [(view(game), memory)]
    while not game.over and game.n < MAX_CARDS:
        what = _random_command(seats, chance) if chance.random() < 0.1 else _next_command(game)
        with suppress(Refusal):
            game, events = decide(game, what, chance.randrange)
            memory = reduce(remember, events, memory)
            views.append((view(game), memory))
    barred_views = [
        (changed(seen, seat_states=(chance.choice(_barred_states(seen)),) * seats), memory)
        for seen, memory in views[::10]
    ]
    return views + barred_views


def _next_command(game: Game) -> Command:
    """The command that the game waits for."""
    to = game.standing
    return Play(to.turn) if to.phase == "play" or to.chances_left else Timeout()


def _random_command(seats: int, chance: Random) -> Command:
    """A command that a player may try: mostly two hands on the pile."""
    one, other = chance.sample(range(seats), 2)
    slap = Slap((Touch(one), Touch(other)))
    tries: list[Command] = [slap, slap, Collect(one), Notice(one), Contest(one)]
    return chance.choice(tries)


def _barred_states(seen: View) -> list[SeatState]:
    """Every state that bars a seat from slapping."""
    return [
        SeatState(locked="game"),
        SeatState(locked="pile"),
        SeatState(locked=seen.n + 1),
        SeatState(hand_burned=True),
        SeatState(playing=False, out=True),
    ]


def _plans(bot: Bot, seen: View, memory: Memory, number: int) -> list[Plan]:
    """The plans of a bot at each seat, with random numbers seeded by `number`."""
    plans = [bot.plan(seen, seat, _chance(number, seat), memory) for seat in range(len(seen.cards_held))]
    for seat, plan in enumerate(plans):
        _check(plan, seen, seat)
    return plans


def _chance(number: int, seat: int) -> Chance:
    return Random(number * 8 + seat).random


def _check(plan: Plan, seen: View, seat: int) -> None:
    where = f"seat {seat} means {plan}: {seen}"
    for us in (plan.turn_us, plan.slap_us, *(move.after_us for move in plan.moves)):
        assert us is None or (isinstance(us, int) and us >= 0), f"a time is a whole number and not negative; {where}"
    if plan.turn_us is not None:
        mine = seen.standing.turn == seat and (
            seen.standing.phase == "play" or (seen.standing.phase == "last_chance" and seen.standing.chances_left > 0)
        )
        assert mine, f"a card is turned in one's own turn only; {where}"
    if plan.slap_us is not None:
        why = slap_bar(seen, seat)
        assert why is None, f"a seat that may not slap ({why}) does not; {where}"
    for move in plan.moves:
        assert getattr(move.command, "seat", seat) == seat, f"a bot acts for itself alone; {where}"
