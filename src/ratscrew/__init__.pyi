from ratscrew import cards as cards
from ratscrew.cards import Card as Card
from ratscrew.errors import CardError as CardError
from ratscrew.errors import NotationError as NotationError
from ratscrew.errors import RatscrewError as RatscrewError
from ratscrew.errors import Refusal as Refusal
from ratscrew.errors import RefusalReason as RefusalReason
from ratscrew.errors import RulesError as RulesError
from ratscrew.game import commands as commands
from ratscrew.game import events as events
from ratscrew.game.engine import Decision as Decision
from ratscrew.game.engine import deal as deal
from ratscrew.game.engine import decide as decide
from ratscrew.game.engine import evolve as evolve
from ratscrew.game.engine import legal as legal
from ratscrew.game.engine import replay as replay
from ratscrew.game.notation import ParsedGame as ParsedGame
from ratscrew.game.notation import read_game as read_game
from ratscrew.game.notation import write_game as write_game
from ratscrew.game.state import Game as Game
from ratscrew.game.view import View as View
from ratscrew.game.view import view as view
from ratscrew.rules.house import Rules as Rules
from ratscrew.rules.presets import house as house

__version__: str
