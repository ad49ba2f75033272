"""A whole game from Python: three players who turn their cards, and one of whom sees every double.

python examples/whole_game.py
"""

from __future__ import annotations

from random import Random

from ratscrew import commands, deal, decide, events, evolve, house, read_game, write_game

dealt = deal(house("classic"), seats=3, dealer=0, draw=Random(7).randrange)
game = evolve(None, dealt)
log: list[events.Event] = [dealt]

while game.winner is None:
    if game.rules.first_match(game.sight):
        command: commands.Command = commands.slap(2)
    elif game.standing.phase == "won":
        command = commands.Timeout()
    else:
        command = commands.Play(game.standing.turn)
    game, new = decide(game, command)
    log.extend(new)

text = write_game(log, ["Ana", "Bo", "Cleo"])
assert list(read_game(text).events) == log
print(text)
print(f"{['Ana', 'Bo', 'Cleo'][game.winner]} wins after {game.n} cards")
