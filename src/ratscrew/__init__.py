"""Egyptian Ratscrew, the slapping card game: any house rules, judged fairly, with anyone.

    from random import Random
    from ratscrew import commands, deal, decide, evolve, house

    game = evolve(None, deal(house("classic"), seats=3, dealer=0, draw=Random(7).randrange))
    game, events = decide(game, commands.Play(game.standing.turn))

A game is a value that never changes. `deal` gives its first event, `decide` turns a command into the game after it and
the events that led there, `evolve` and `replay` make a game from events, and `view` is what players may see of it.
Nothing here reads a clock, draws a random number or does I/O: times and random numbers are arguments. A command that
the game does not accept now raises `Refusal`.

The public names are those in `__all__` of `ratscrew`, `ratscrew.rules` (houses, and patterns, penalties and endgames of
your own), `ratscrew.bots`, `ratscrew.lab` and `ratscrew.testing`, and in the modules `cards`, `commands` and `events`.
Everything else is private and may change with any version.
"""

from __future__ import annotations

from ratscrew.lazy import lazy_exports

_load, __dir__, __all__ = lazy_exports(__name__, __file__)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("ratscrew")
    return _load(name)
