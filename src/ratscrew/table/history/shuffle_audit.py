"""Verifies that a game was dealt as its commitment says, by dealing it again. Works on logs only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ratscrew.cards import Hand
from ratscrew.deck import Draw
from ratscrew.errors import RulesError
from ratscrew.game.decide.deal import deal
from ratscrew.game.events import Burned, Dealt, Event, Exposed, Given, Misplayed, Played
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.table.record.commit_reveal import NO_NONCE, commitment, draws, promise
from ratscrew.table.record.entries import Committed, NonceGiven, Promised, Recorded, Sat, TableEvent
from ratscrew.table.state.rejudge import FRESH


class AuditStep(NamedTuple):
    """One check: its name, what was found, and whether it holds."""

    what: str
    says: str
    holds: bool


class AuditedGame(NamedTuple):
    """A game to verify, with the events of the room's game before it."""

    game: str
    sealed: Committed
    seed: str
    dealt: Dealt
    events: Sequence[Recorded]
    before: Sequence[Recorded]

    @property
    def first(self) -> bool:
        """Whether it is the room's first game."""
        return self.game.endswith("-1")

    @property
    def dealer(self) -> int:
        """The seat that dealt: the one before the seat that led."""
        return (self.dealt.standing.turn - self.dealt.rules.step) % len(self.dealt.hands)


def audit(game: str, events: Sequence[Recorded], before: Sequence[Recorded]) -> list[AuditStep] | None:
    """Run every check on a game that is over; None if it was dealt without a commitment.

    `before` are the events of the room's game before, or of game 0, in which players gathered for the first.
    """
    sealed = next((event for event in events if isinstance(event, Committed)), None)
    if sealed is None:
        return None
    dealt = next(event for event in events if isinstance(event, Dealt))
    audited = AuditedGame(game, sealed, sealed.seed or "", dealt, events, before)
    return [check(audited) for check in _CHECKS]


def _check_promise(audited: AuditedGame) -> AuditStep:
    told = [event.hash for event in audited.before if isinstance(event, Promised)][-1:]
    if audited.sealed.promise is None and not told:
        return AuditStep("promise", "the game began at once, so no seed was promised before it", True)
    if told != [audited.sealed.promise]:
        return AuditStep("promise", "this is not the promise that was published after the deal before", False)
    if promise(audited.game, audited.seed) != audited.sealed.promise:
        return AuditStep("promise", "the seed does not match its promise", False)
    return AuditStep(
        "promise", f"the seed was promised before any player gave a number: {audited.sealed.promise}", True
    )


def _check_numbers(audited: AuditedGame) -> AuditStep:
    nonces = audited.sealed.nonces
    some = f"{len(nonces) - nonces.count(NO_NONCE)} of {len(nonces)} players gave a number"
    if audited.sealed.promise is None:
        return AuditStep("numbers", some, True)
    given, people = _given(audited.before), _people(audited.events)
    expected = [given.get(sat.player_id, NO_NONCE) for sat in people]
    wrong = [sat.name for sat, nonce, own in zip(people, nonces, expected, strict=False) if nonce != own]
    if len(people) != len(nonces):
        return AuditStep(
            "numbers", f"{len(nonces)} numbers were committed, but there were {len(people)} players", False
        )
    if wrong:
        return AuditStep("numbers", f"the committed number is not the one given by {', '.join(wrong)}", False)
    return AuditStep("numbers", f"{some}, and these were committed", True)


def _check_commitment(audited: AuditedGame) -> AuditStep:
    if commitment(audited.game, audited.seed, audited.sealed.nonces) != audited.sealed.commitment:
        return AuditStep("commitment", "seed and numbers do not match the hash published at the deal", False)
    text = f"seed and numbers match the hash published at the deal: {audited.sealed.commitment}"
    return AuditStep("commitment", text, True)


def _draw(audited: AuditedGame) -> tuple[Draw, int]:
    """The draws for the deck, and the dealer by them."""
    draw = draws(audited.game, audited.seed, audited.sealed.nonces)
    return draw, draw(len(audited.sealed.nonces)) if audited.first else audited.dealer


def _check_dealer(audited: AuditedGame) -> AuditStep:
    if not audited.first:
        return AuditStep("dealer", f"seat {audited.dealer + 1} dealt, in turn", True)
    _, dealer = _draw(audited)
    if dealer != audited.dealer:
        return AuditStep("dealer", f"seat {dealer + 1} should have dealt, but seat {audited.dealer + 1} did", False)
    return AuditStep("dealer", f"seat {dealer + 1} was drawn to deal", True)


def _check_deck(audited: AuditedGame) -> AuditStep:
    dealt = audited.dealt
    draw, dealer = _draw(audited)
    try:
        again = deal(dealt.rules, len(audited.sealed.nonces), dealer, draw)
    except RulesError as error:
        return AuditStep("deck", f"the deck cannot be dealt again: {error}", False)
    if len(again.hands) != len(dealt.hands):
        return AuditStep("deck", f"{len(again.hands)} hands should have been dealt, but {len(dealt.hands)} were", False)
    names = [sat.name for sat in _people(audited.events)]
    wrong = [name for name, mine, had in zip(names, again.hands, dealt.hands, strict=False) if mine != had]
    if wrong:
        return AuditStep("deck", f"shuffled again, the cards of {', '.join(wrong)} are different", False)
    if again.pile != dealt.pile:
        return AuditStep("deck", "shuffled again, the cards left over are different", False)
    cards = sum(map(len, dealt.hands)) + len(dealt.pile)
    return AuditStep("deck", f"shuffled and dealt again, all {cards} cards are the same", True)


def _check_cards(audited: AuditedGame) -> AuditStep:
    seen = 0
    for wrong, count in _turned([event for event in audited.events if not isinstance(event, TableEvent)]):
        if wrong:
            return AuditStep("cards", f"after {seen} cards, one was not on top of its hand: {wrong}", False)
        seen += count
    return AuditStep("cards", f"all {seen} cards taken from a hand were on top of it", True)


_CHECKS: tuple[Callable[[AuditedGame], AuditStep], ...] = (
    _check_promise,
    _check_numbers,
    _check_commitment,
    _check_dealer,
    _check_deck,
    _check_cards,
)


def _given(events: Sequence[Recorded]) -> Mapping[int | None, str]:
    """The nonce that each player gave for the newest promise, by player id."""
    given, ledger = dict[int | None, str](), FRESH
    for event in events:
        ledger = ledger.after(event)
        if isinstance(event, Promised):
            given.clear()
        elif isinstance(event, NonceGiven):
            given.setdefault(ledger.player_id(event.seat), event.nonce)
    return given


def _people(events: Sequence[Recorded]) -> list[Sat]:
    """The players who were dealt cards: those seated before the deal."""
    until = next(place for place, event in enumerate(events) if isinstance(event, Dealt))
    return [event for event in events[:until] if isinstance(event, Sat)]


def _turned(events: Sequence[Event]) -> Iterator[tuple[str, int]]:
    """For each event that takes cards from a hand: those that were not on top of it, as text, and how many it took."""
    game: Game | None = None
    for event in events:
        if game and (out := _out(game, event)):
            lay, came = out
            yield "" if lay[: len(came)] == came else " ".join(map(str, came)), len(came)
        game = evolve(game, event)


def _out(game: Game, event: Event) -> tuple[Hand, Hand] | None:
    """The hand from which an event takes cards, and these cards; None if it takes none."""
    match event:
        case Played(seat, card, aside=True):
            return game.asides[seat], (card,)
        case Played(seat, card) | Misplayed(seat, card) | Exposed(seat, card):
            return game.hands[seat], (card,)
        case Burned(seat, cards=cards):
            return game.hands[seat], cards
        case Given(seat, card=card) if card is not None:
            return game.hands[seat], (card,)
    return None
