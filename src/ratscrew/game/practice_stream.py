"""A stream of practice cards: about every third can be slapped, and many others look as if they could.

The engine plays the piles, so the same cards can be slapped as at a real table. A pile ends with the pattern that it
was made for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Card, Hand, PileCard
from ratscrew.deck import Draw, shuffle
from ratscrew.errors import RulesError
from ratscrew.game.commands import Play
from ratscrew.game.decide.deal import deck_for
from ratscrew.game.engine import decide
from ratscrew.game.events import Dealt
from ratscrew.game.evolve import evolve
from ratscrew.game.missed_slaps import slappable
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.pattern import ALL, BoundPattern
from ratscrew.rules.sight import Sight
from ratscrew.rules.words import say

SEATS = 2
ONE_IN = 3
"""One card in this many can be slapped."""

TRIES = 12
"""Attempts per pattern in each of three ways: without an earlier pattern, with any, and like the pattern's example."""

LOOKED_AT = 4
"""A card similar to one of this many below it looks like a pattern."""


class PracticeCard(Struct, frozen=True):
    """A practice card: the patterns for which it can be slapped, if any, and whether it begins a new pile."""

    card: Card
    slaps: tuple[str, ...]
    fresh: bool


def practice_stream(rules: Rules, cards: int, draw: Draw) -> tuple[PracticeCard, ...]:
    """This many practice cards for a house. Every pattern that its deck can show occurs if there is room.

    Raises: RulesError if nothing can be slapped with these rules.
    """
    return tuple(islice(_PileMaker(rules, draw).cards(), cards))


class _PileMaker:
    """Makes one pile after the other."""

    def __init__(self, rules: Rules, draw: Draw) -> None:
        self._rules, self._draw = rules, draw
        self._deck = deck_for(rules, SEATS)

    def cards(self) -> Iterator[PracticeCard]:
        """An endless stream: every pattern in turn, in the first round only those that have not occurred by chance."""
        laid = slaps = 0
        seen = set[str]()
        wanted, again = list(self._rules.patterns), False
        while wanted:
            order, wanted = self._mixed(wanted), []
            for bound in order:
                known = bound.pattern.name in seen
                more = ONE_IN * (slaps + 1) - laid - _length(bound)
                pile = [] if known and not again else self._pile(bound, max(0, more + self._draw(5) - 2))
                yield from pile
                laid, slaps = laid + len(pile), slaps + sum(bool(each.slaps) for each in pile)
                seen.update(name for each in pile for name in each.slaps)
                if known or pile:
                    wanted.append(bound)
            again = True
        raise RulesError([say("Nothing can be slapped with these rules, so there is nothing to practise")])

    def _mixed(self, patterns: Sequence[BoundPattern]) -> list[BoundPattern]:
        order = shuffle([Card(place) for place in range(len(patterns))], self._draw)
        return [patterns[place] for place in order]

    def _pile(self, bound: BoundPattern, before: int) -> list[PracticeCard]:
        """A pile that ends with a pattern, with this many cards before it; empty if none was found."""
        for clean, example in ((True, False), (False, False), (False, True)):
            for _ in range(TRIES):
                like = self._example(bound) if example else ()
                if pile := self._try(bound, before, clean, like):
                    return pile
        return []

    def _try(self, bound: BoundPattern, before: int, clean: bool, like: Hand) -> list[PracticeCard]:
        game, row, pile = self._begin(), list[Card](), list[PracticeCard]()
        last = before + (len(like) or _length(bound)) - 1
        for place in range(last + 1):
            inside = place >= before
            rest = self._rest(game)
            fitting: Iterator[Card]
            if inside and like:
                rest = [card for card in rest if card.rank == like[place - before].rank]
            if place == last:
                fitting = (card for card in rest if bound.matches(_sight(game, card)))
            elif inside and "len" in bound.pattern.choices:
                fitting = (card for card in rest if not row or bound.matches_prefix((card, *row)))
            else:
                fitting = self._likely(game, rest)
            card = next(fitting, None)
            if card is None or game.standing.phase != "play":
                return []
            row = [card, *row] if inside else row
            game = _laid(game, card)
            slaps = slappable(game)
            pile.append(PracticeCard(card, slaps, fresh=not pile))
            if bound.pattern.name in slaps:
                return pile
            if slaps and (clean or not inside):
                return []
        return []

    def _rest(self, game: Game) -> list[Card]:
        """The cards that are not in the pile, shuffled."""
        rest = list(self._deck)
        for laid in game.pile:
            rest.remove(laid.card)
        return list(shuffle(rest, self._draw))

    def _likely(self, game: Game, rest: list[Card]) -> Iterator[Card]:
        """Three times of four, only cards that look as if they could be slapped."""
        near = [laid.card.rank for laid in game.pile[-LOOKED_AT:]]
        if not near or not self._draw(4):
            return iter(rest)
        return (card for card in rest if any(abs(card.rank - rank) < 2 for rank in near))

    def _example(self, bound: BoundPattern) -> Hand:
        """One of the pattern's own example piles."""
        examples = bound.pattern.yes
        return tuple(laid.card for laid in examples[self._draw(len(examples))].pile)

    def _begin(self) -> Game:
        return evolve(None, Dealt(self._rules, ((Card(0),),) * SEATS, Standing("play", self._draw(SEATS))))


def _length(bound: BoundPattern) -> int:
    """The least number of cards of a pattern; two for one of variable length, or one that looks elsewhere."""
    return 2 if bound.depth in (1, ALL) else bound.depth


def _laid(game: Game, card: Card) -> Game:
    """The game after the next player has turned this card; every player still holds one."""
    hands = tuple((card, card) if seat == game.standing.turn else (card,) for seat in range(SEATS))
    return decide(replace(game, hands=hands), Play(game.standing.turn))[0]


def _sight(game: Game, card: Card) -> Sight:
    """What a slap would see of the pile with this card on it."""
    chance = 0 if game.rules.chances_by_card[card] else game.next_answer_number(game.standing)
    return game.rules.sight_of((*game.pile, PileCard(card)), game.opening, chance, game.n + 1 - game.withdrawn)
