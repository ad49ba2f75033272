"""An experiment: a house, the bots that play in it, the number of games, and the seed.

No simulation here. Equal experiments have equal results, on any backend and in any chunks.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ratscrew.bots.bot import Bot
from ratscrew.bots.user_modules import load_all
from ratscrew.game.decide.deal import deal
from ratscrew.lab.lineup import fill_seats, module_of, parse_lineup
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link, to_link

PLAYERS = 4
"""How many play if neither the experiment nor the house says so."""


class Experiment(Struct, frozen=True):
    """A house as the text of a link, bots as words, seat by seat, and the games numbered from 0 of one seed.

    `modules` are modules of a user that declare slap patterns of the house.
    """

    house: str
    bots: tuple[str, ...]
    games: int
    seed: int
    modules: tuple[str, ...] = ()

    @property
    def rules(self) -> Rules:
        """The house."""
        return from_link(self.house)

    @property
    def lineup(self) -> list[Bot]:
        """The bots, seat by seat."""
        return parse_lineup(self.bots)

    @property
    def user_modules(self) -> tuple[str, ...]:
        """All modules of a user that it needs, those of bots too."""
        return tuple(sorted({*self.modules, *filter(None, map(module_of, self.bots))}))


def make_experiment(
    rules: Rules,
    bots: Sequence[str] | None,
    players: int | None,
    games: int,
    seed: int,
    modules: Sequence[str] = (),
) -> Experiment:
    """Make a valid experiment.

    Bots take the seats in turn until all are taken. Without a number of players there are as many as bots, or four if
    only one is named. If no bot is named they are `steady`, or `quiet` where there is nothing to slap.

    Raises: RulesError for an unknown bot, or more players than the house allows; RatscrewError if a module cannot be
    imported.
    """
    load_all(modules)
    words = resolve_lineup(rules, bots, players)
    parse_lineup(words)
    deal(rules, len(words), 0, lambda below: 0)
    return Experiment(to_link(rules), words, games, seed, tuple(modules))


def resolve_lineup(rules: Rules, bots: Sequence[str] | None, players: int | None) -> tuple[str, ...]:
    """The bots, seat by seat, with the defaults for what is not given.

    Raises: RulesError if more bots are named than there are seats.
    """
    named = bots or ["steady" if rules.patterns else "quiet"]
    usual = len(named) if len(named) > 1 else min(PLAYERS, rules.max_players or PLAYERS)
    return fill_seats(named, usual if players is None else players)
