"""How slap patterns are declared and matched; `slaps` has the patterns.

A pattern is a function, and its signature is the declaration:

- each positional parameter is one card of the view, from the top downwards; `*cards` are as many as the house's
  `len` says, or as many as it names in `cards`, or all of them if it has neither (it sees a wild card as `WILD`);
- a keyword-only parameter named as a field of `Sight` is that sight (`first`, `opening`, `chance_no`, ...);
- any other keyword-only parameter is chosen by the house; its annotation says what may be chosen. With a `gap`, so
  many cards lie between the first card and the others.

A house switches a pattern on with `true`, with the value of its only parameter, or with all of them by name.
The docstring says what the pattern is in its first line, and below it the words of each parameter (see `words`). A
pattern with many parameters can be declared several times, so that a house may choose it as often.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, Literal, TypeAlias, get_type_hints

from ratscrew.cards import JOKER, JOKERS, NO_COLOUR, NO_SUIT, PACK, Card, Pile
from ratscrew.cards import pile as read_pile
from ratscrew.rules.ranks import WILD
from ratscrew.rules.sight import Sight
from ratscrew.rules.words import Words, read_words

Feature: TypeAlias = Literal["rank", "suit", "colour", "card"]
"""The feature of a card that a pattern sees: its rank, suit or colour as a small int, or the whole card."""

Ends: TypeAlias = Literal["pile", "win", "all_lose"]
"""What a valid slap brings: the pile, the game, or a loss for everybody."""

PATTERNS: dict[str, Pattern] = {}
"""Every pattern by name, in reading order: if several match, the slap is named after the first."""

ALL = 99
"""A window as deep as the pile: the pattern itself decides where it stops."""

FEATURES: Mapping[Feature, Callable[[Card], int]] = {
    "rank": lambda card: card.rank,
    "suit": lambda card: card.suit,
    "colour": lambda card: card.colour,
    "card": lambda card: card,
}
_FACES: Mapping[Feature, Sequence[int]] = {
    "rank": range(JOKER + 1),
    "suit": (*range(4), NO_SUIT),
    "colour": (*range(2), NO_COLOUR),
    "card": (*PACK, *JOKERS),
}
"""What a wild card may stand for: itself is among it."""
_SIGHTS = set(Sight._fields)
_CARD_SIGHTS = frozenset({"first", "lowest", "opening"})
_KNOWN_MOST = 256
"""For how many views with wild cards a pattern remembers whether it lies there: some take thousands of tests."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One slap pattern: a test of the topmost cards, with examples that show it.

    Shape: `size` is the number of cards in its window (without those of a `gap`), None if it is the house's, `ALL` if
    variable; `choices` has the type of each parameter that a house may choose, `words` its texts; `yes` and `no` are
    piles, bottom first, each with the parameters it was made for. `special`: few houses have it, so a form shows it
    after the others. `number` counts the patterns that were declared together, and `base` is the first of them.
    """

    name: str
    says: str
    test: Callable[..., bool]
    feature: Feature
    size: int | None
    sights: tuple[str, ...]
    choices: Mapping[str, Any]
    defaults: Mapping[str, Any]
    yes: tuple[Example, ...]
    no: tuple[Example, ...]
    words: Mapping[str, Words]
    special: bool = False
    number: int = 1
    base: str = ""

    @property
    def label(self) -> str:
        """Its name as a heading."""
        return self.name.replace("_", " ").capitalize()

    @property
    def only(self) -> str | None:
        """The name of the only parameter, whose value alone may stand for the switch."""
        return next(iter(self.choices)) if len(self.choices) == 1 else None


@dataclass(frozen=True, slots=True)
class Example:
    """A pile that matches a pattern, or does not, under some choices of a house and some sights."""

    pile: Pile
    given: Mapping[str, Any]
    sights: Mapping[str, Any]


def slap(
    *,
    yes: Sequence[str | tuple[str, Any]],
    no: Sequence[str | tuple[str, Any]],
    feature: Feature = "rank",
    special: bool = False,
    times: int = 1,
) -> Callable[[Callable[..., bool]], Pattern]:
    """Decorator that declares a slap pattern; its name, docstring and examples are used everywhere.

    An example is a pile, or a pile with parameters of the house and sights (`("5S 6H 7D", {"len": 3})`). `times` is how
    often a house may choose it: as `name`, `name_2`, ...

    A module that is loaded again, or a cell of a notebook that is run again, declares its patterns anew.

    Raises: TypeError for a name that is taken, or a window of no known size.
    """

    def declare(test: Callable[..., bool]) -> Pattern:
        base = test.__name__
        taken = PATTERNS.get(base)
        if taken and taken.test.__module__ != test.__module__:
            raise TypeError(f"slap pattern {base}: there is one of that name already")
        signature, hints = inspect.signature(test), get_type_hints(test, include_extras=True)
        named = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
        given = [p for p in named if p.name not in _SIGHTS]
        first = Pattern(
            base,
            (inspect.getdoc(test) or "").partition("\n")[0],
            test,
            feature,
            _size(signature),
            tuple(p.name for p in named if p.name in _SIGHTS),
            {p.name: hints[p.name] for p in given},
            {p.name: p.default for p in given if p.default is not p.empty},
            tuple(map(_example, yes)),
            tuple(map(_example, no)),
            read_words(inspect.getdoc(test) or ""),
            special,
            base=base,
        )
        PATTERNS[base] = first
        for number in range(2, times + 1):
            PATTERNS[f"{base}_{number}"] = replace(first, name=f"{base}_{number}", number=number)
        return first

    return declare


@dataclass(frozen=True, slots=True)
class BoundPattern:
    """A pattern with a house's choices."""

    pattern: Pattern
    given: Mapping[str, Any]
    wild: frozenset[Card] = frozenset()
    depth: int = field(init=False)
    """How many cards of the view it may look at."""
    _test: Callable[..., bool] = field(init=False, repr=False, compare=False)
    _faces: Sequence[int] = field(init=False, repr=False, compare=False)
    _known: dict[Hashable, bool] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", self.size + self.gap)
        object.__setattr__(self, "_test", partial(self.pattern.test, **self.given))
        object.__setattr__(self, "_faces", tuple(map(FEATURES[self.pattern.feature], (*PACK, *JOKERS))))

    @property
    def size(self) -> int:
        """How many cards it takes, without those that lie between them."""
        size = self.pattern.size
        return size if size is not None else int(self.given["len"]) if "len" in self.given else len(self.given["cards"])

    @property
    def gap(self) -> int:
        """How many cards lie between its first card and the others."""
        gap: int = self.given.get("gap", 0)
        return gap

    @property
    def is_pair(self) -> bool:
        """Whether it is one of two whole cards, with or without others between them."""
        return self.pattern.size == 2 and self.pattern.feature == "card" and not self.pattern.sights

    @property
    def ends(self) -> Ends:
        """What a valid slap brings."""
        ends: Ends = self.given.get("ends", "pile")
        return ends

    def matches(self, seen: Sight) -> bool:
        """Whether the pattern lies on top of the pile."""
        depth, pattern, view = self.depth, self.pattern, seen.view
        if len(view) < (1 if depth == ALL else depth):
            return False
        window = view[:depth]
        if gap := self.given.get("gap"):
            window = (window[0], *window[gap + 1 :])
        faces = list(map(self._faces.__getitem__, window))
        more = {name: getattr(seen, name) for name in pattern.sights} if pattern.sights else {}
        if not self.wild:
            return self._test(*faces, **more)
        free = {place for place, card in enumerate(window) if card in self.wild}
        if pattern.size is None or pattern.size == ALL:
            return self._test(*(WILD if place in free else face for place, face in enumerate(faces)), **more)
        around = {name for name in _CARD_SIGHTS.intersection(more) if more[name] in self.wild}
        if not free and not around:
            return self._test(*faces, **more)
        key = (
            *(WILD if place in free else face for place, face in enumerate(faces)),
            *(WILD if name in around else value for name, value in more.items()),
        )
        if key not in self._known:
            if len(self._known) >= _KNOWN_MOST:
                self._known.clear()
            self._known[key] = self._matches_somehow(faces, free, more, around)
        return self._known[key]

    def _matches_somehow(
        self, faces: Sequence[int], free: Container[int], more: Mapping[str, Any], around: Container[str]
    ) -> bool:
        """Whether it lies there if the wild cards at these places, and one of these sights, stand for any others."""
        every = _FACES[self.pattern.feature]
        ways = [every if place in free else (face,) for place, face in enumerate(faces)]
        sights = [more, *({**more, name: card} for name in more if name in around for card in _FACES["card"])]
        return any(self._test(*laid, **seen) for seen in sights for laid in product(*ways))

    def matches_prefix(self, cards: Sequence[Card]) -> bool:
        """Whether cards, newest first, could be the upper part of a row: the test of a row takes fewer cards too."""
        return self._test(*(WILD if card in self.wild else self._faces[card] for card in cards))


def _size(signature: inspect.Signature) -> int | None:
    """The size of the window: the positional parameters, or None for `*cards`, if the house says how many."""
    kinds = [p.kind for p in signature.parameters.values()]
    chosen = {p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY}
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return None if chosen & {"len", "cards"} else ALL
    return kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _example(given: str | tuple[str, Any]) -> Example:
    text, choices = (given, {}) if isinstance(given, str) else given
    sights = {name: value for name, value in choices.items() if name in _SIGHTS}
    return Example(read_pile(text), {name: choices[name] for name in choices.keys() - sights.keys()}, sights)
