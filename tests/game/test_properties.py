"""What is true of every game at every moment, whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import event as note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import Struct
from msgspec.structs import replace

from ratscrew.cards import Card, Hand
from ratscrew.errors import Refusal, Why
from ratscrew.game.commands import Collect, Command, Play, Slap
from ratscrew.game.engine import apply, deal, decide, evolve, legal, replay
from ratscrew.game.events import Burned, Dealt, Event, Played, Standing, Struck, Taken
from ratscrew.game.state import Game
from ratscrew.game.view import public, view
from ratscrew.rules.house import Rules
from ratscrew.testing.strategies import commands, decks, houses


def cards_in(value: object) -> Iterator[Card]:
    """Every card in a value, however deep."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from cards_in(getattr(value, name))
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from cards_in(item)


def everything(game: Game) -> list[int]:
    """Every card of a game, in order of value."""
    return sorted([card for hand in game.hands for card in hand] + [card for card, _ in game.pile])


def stands(game: Game) -> bool:
    """Whether the standing of a game can be: checked line by line, so that a failure shows which."""
    to, held, seats = game.to, game.held, range(len(game.hands))
    assert to.turn in seats
    assert (to.left >= 1) == (to.phase == "play" and to.by is not None)
    assert (to.why is not None) == (to.phase == "won")
    assert (game.last is not None) == bool(game.pile)
    assert len(game.strikes) == len(game.barred) == len(seats)
    match to.phase:
        case "play":
            assert held[to.turn] > 0
            assert to.by is None or (to.by in seats and to.by != to.turn and game.pile)
        case "won":
            assert game.pile
            assert to.by is None
        case "over":
            assert to.by is None
            assert held[to.turn] == sum(held)
            assert not game.pile
    return True


class Table(RuleBasedStateMachine):
    """A table at which anybody does anything."""

    @initialize(rules=houses(), deck=decks(), seats=st.integers(2, 8), dealer=st.integers(0, 7))
    def begin(self, rules: Rules, deck: Hand, seats: int, dealer: int) -> None:
        self.deck = sorted(deck)
        self.log: list[Event] = [deal(rules, deck, seats, dealer)]
        self.game = evolve(None, self.log[0])
        self.asked: list[Command] = []

    @rule(cards=st.integers(1, 5))
    def play_goes_on(self, cards: int) -> None:
        for _ in range(cards):
            if self.game.winner is None:
                self.ask(Play(self.game.to.turn) if self.game.to.phase == "play" else Collect())

    @rule(seat=st.integers(0, 7))
    def somebody_slaps(self, seat: int) -> None:
        self.ask(Slap(seat % len(self.game.hands)))

    @precondition(lambda self: self.game.rules.slap_on(self.game.pile))
    @rule(seat=st.integers(0, 7))
    def somebody_slaps_what_can_be_slapped(self, seat: int) -> None:
        self.ask(Slap(seat % len(self.game.hands)))

    @rule(command=commands())
    def anything_is_asked(self, command: Command) -> None:
        self.ask(command)

    def ask(self, command: Command) -> None:
        """A command: done as decided, or refused with a code and nothing changed."""
        before, was = self.game, repr(self.game)
        self.asked.append(command)
        events: tuple[Event, ...] = ()
        why: Why | None = None
        try:
            after, events = apply(before, command)
        except Refusal as refusal:
            after, why = before, refusal.why
        for event in events:
            self.game = evolve(self.game, event)
            self.log.append(event)
            assert everything(self.game) == self.deck
            assert stands(self.game)
            note(type(event).__name__)
        if why is None:
            assert events == decide(before, command)
            assert events
        else:
            assert why in Why
            note(why)
        assert self.game == after
        assert repr(before) == was
        assert (command in legal(before)) == (why is None)

    @invariant()
    def no_card_is_lost_or_found(self) -> None:
        assert everything(self.game) == self.deck

    @invariant()
    def the_standing_can_be(self) -> None:
        assert stands(self.game)

    @invariant()
    def the_log_tells_the_game(self) -> None:
        assert replay(self.log) == self.game
        assert self.game.version == len(self.log)
        assert self.game.n == sum(isinstance(event, Played) for event in self.log)

    @invariant()
    def who_takes_a_pile_leads_and_with_every_card_has_won(self) -> None:
        taken = [event for event in self.log if isinstance(event, Taken)]
        assert all(event.to == Standing("play", event.seat) for event in taken)
        alone = sum(map(bool, self.game.hands)) == 1 and not self.game.pile
        assert (self.game.winner is not None) == (alone and bool(taken))

    @invariant()
    def strikes_are_counted_and_who_is_barred_stays_so(self) -> None:
        struck = [event for event in self.log if isinstance(event, Struck)]
        for seat, (strikes, barred) in enumerate(zip(self.game.strikes, self.game.barred, strict=True)):
            own = [event for event in struck if event.seat == seat]
            assert [event.strikes for event in own] == list(range(1, strikes + 1))
            assert [event.barred for event in own] == [False] * (strikes - 1) + [barred] * (strikes > 0)

    @invariant()
    def what_is_accepted_is_legal_and_somebody_can_go_on(self) -> None:
        open_to = legal(self.game)
        assert len(set(open_to)) == len(open_to)
        over = self.game.to.phase == "over"
        assert over == (not open_to)
        assert over or any(isinstance(command, (Play, Collect)) for command in open_to)

    @invariant()
    def the_public_sees_only_cards_that_were_turned_or_burned(self) -> None:
        assert set(cards_in(view(self.game))) <= self.shown()
        assert set(cards_in([public(event) for event in self.log])) <= self.shown()

    @invariant()
    def the_view_is_the_same_whatever_order_the_hands_are_in(self) -> None:
        hidden = iter(sorted(card for hand in self.game.hands for card in hand))
        other = tuple(tuple(next(hidden) for _ in hand) for hand in self.game.hands)
        assert view(replace(self.game, hands=other)) == view(self.game)

    def shown(self) -> set[Card]:
        """The cards that everybody has seen so far."""
        played = {event.card for event in self.log if isinstance(event, Played)}
        return played | {card for event in self.log if isinstance(event, Burned) for card in event.cards}

    def teardown(self) -> None:
        """The same commands at a table where the cards that nobody has seen lie in another order."""
        if not hasattr(self, "log"):
            return
        first = self.log[0]
        assert isinstance(first, Dealt)
        seen = self.shown()
        unseen = iter([card for hand in first.hands for card in hand if card not in seen][::-1])
        hands = tuple(tuple(card if card in seen else next(unseen) for card in hand) for hand in first.hands)
        other: Event = replace(first, hands=hands)
        log, game = [other], evolve(None, other)
        for command in self.asked:
            try:
                game, events = apply(game, command)
            except Refusal:
                continue
            log += events
        assert list(map(public, log)) == list(map(public, self.log))
        assert view(game) == view(self.game)


TestTable = Table.TestCase
