"""A whole game from Python: three players who turn their cards, and one of whom sees every double.

python examples/whole_game.py
"""

from __future__ import annotations

from random import Random

from ratscrew.game.commands import Play, Slap, Timeout, slap
from ratscrew.game.engine import deal, decide, evolve
from ratscrew.game.events import Event
from ratscrew.game.notation import read, write
from ratscrew.rules.presets import house

dealt = deal(house("classic"), seats=3, dealer=0, draw=Random(7).randrange)
game = evolve(None, dealt)
log: list[Event] = [dealt]

while game.winner is None:
    if game.rules.first_match(game.sight):
        command: Play | Slap | Timeout = slap(2)
    elif game.standing.phase == "won":
        command = Timeout()
    else:
        command = Play(game.standing.turn)
    game, events = decide(game, command)
    log.extend(events)

text = write(log, ["Ana", "Bo", "Cleo"])
assert list(read(text).events) == log
print(text)
print(f"{['Ana', 'Bo', 'Cleo'][game.winner]} wins after {game.n} cards")
