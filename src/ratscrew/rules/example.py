"""Example piles: finds one that shows a pattern as a house plays it, from cards of its deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, product

from ratscrew.cards import JOKERS, Card, Pile, PileCard, full_deck
from ratscrew.rules.house import Rules
from ratscrew.rules.once import once
from ratscrew.rules.pattern import ALL, FEATURES, BoundPattern, Example
from ratscrew.rules.sight import Sight

_ENOUGH = 3_000
"""Windows longer than a pattern needs are tried as long as there are fewer than this."""

_MOST = 20_000
"""How many cards are laid in search of an example: a row of 13 ranks of which one is missing has billions of
beginnings, and houses come from anybody."""


def example(rules: Rules, bound: BoundPattern) -> Pile | None:
    """A pile that may be slapped as this pattern, or None if the cards of the house form none that is soon found.

    Wild cards stand only for themselves in it.
    """
    deck, plain = Counter(_deck(rules)), BoundPattern(bound.pattern, bound.given)
    shown = sorted((some for some in bound.pattern.yes if _suits(some, bound, deck)), key=lambda some: -len(some.given))
    tried = chain((some.pile for some in shown), _piles(plain, deck))
    return next((pile for pile in tried if _lies(rules, plain, pile)), None)


@once
def slappable(rules: Rules) -> bool:
    """Whether anything can be slapped in a house; unlike `example`, at the cost of one look at each card.

    A pattern of more than one card counts as possible: of a whole pack, hardly any is not.
    """
    cards = {*_deck(rules)}
    return any(
        bound.depth > 1 or bound.pattern.sights or any(bound.matches(Sight((card,))) for card in cards)
        for bound in rules.patterns
    )


def may_join(rules: Rules) -> bool:
    """Whether newcomers may slap their way into a running game: there is something that they can slap."""
    return rules.late_join == "slap_in" and slappable(rules)


def _suits(shown: Example, bound: BoundPattern, deck: Counter[Card]) -> bool:
    """Whether an example fits these parameters and uses only cards of the deck."""
    cards = Counter(laid.card for laid in shown.pile)
    return cards <= deck and all(bound.given[name] == value for name, value in shown.given.items())


def _deck(rules: Rules) -> tuple[Card, ...]:
    decks = 1 if rules.decks == "auto" else rules.decks
    more = JOKERS if rules.remainder == "jokers" else ()
    return (*full_deck(rules.pack, decks, rules.jokers * decks, rules.missing), *more)


def _lies(rules: Rules, bound: BoundPattern, pile: Pile) -> bool:
    return bound.matches(rules.sight_of(pile, pile[0].card, _answer(rules, pile), len(pile)))


def _answer(rules: Rules, pile: Pile) -> int:
    """Which answer to a challenge the top card would be in play, 0 if none."""
    for number, laid in enumerate(reversed(pile[:-1]), start=1):
        if chances := rules.chances_by_card[laid.card]:
            return number if number <= chances else 0
        if laid.card in rules.stops:
            return 0
    return 0


def _piles(bound: BoundPattern, deck: Counter[Card]) -> Iterator[Pile]:
    """Candidate piles, shortest first: longer than the window if a pattern has no fixed length or looks elsewhere."""
    look = FEATURES[bound.pattern.feature]
    alike: dict[int, list[Card]] = {}
    for card in sorted(deck.elements(), key=lambda card: (card.suit + look(card)) % 4):
        alike.setdefault(look(card), []).append(card)
    if bound.is_pair:
        yield from _apart(bound, alike)
        return
    size, longer = 1 if bound.depth == ALL else bound.depth, bound.depth == ALL or bound.pattern.sights
    tries = iter(range(_MOST))
    while size == bound.depth or (longer and len(alike) ** size <= _ENOUGH):
        yield from _grown((), size, bound, alike, tries)
        size += 1


def _apart(bound: BoundPattern, alike: Mapping[int, list[Card]]) -> Iterator[Pile]:
    """Every two cards that match, with others between them, of other ranks if there are such.

    Copies of a card are tried once, or eight decks would take seconds.
    """
    copies = [card for some in alike.values() for card in some[: 2 + bound.gap]]
    for one, other in product(dict.fromkeys(copies), repeat=2):
        if one == other and copies.count(one) < 2:
            continue
        if not bound.matches(Sight((other, *(one,) * bound.gap, one))):
            continue
        between = sorted(copies, key=lambda card: card.rank in (one.rank, other.rank))
        for used in (one, other):
            between.remove(used)
        yield tuple(map(PileCard, (one, *between[: bound.gap], other)))


def _grown(
    window: tuple[Card, ...], size: int, bound: BoundPattern, alike: Mapping[int, list[Card]], tries: Iterator[int]
) -> Iterator[Pile]:
    """Every window of a size that extends this one, as a pile; the upper part of a row must be a shorter row.

    One card is tried of those with the same feature, until there are no `tries` left.
    """
    if len(window) == size:
        yield tuple(map(PileCard, reversed(window)))
        return
    for cards in alike.values():
        for card in cards[sum(card in cards for card in window) :][:1]:
            if next(tries, None) is None:
                return
            longer = (*window, card)
            if bound.pattern.size is not None or bound.matches_prefix(longer):
                yield from _grown(longer, size, bound, alike, tries)
