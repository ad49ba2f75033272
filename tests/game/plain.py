"""The rules of classic once more, with lists and text, from the rulebook and not from the engine: slow and plain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ratscrew.cards import text
from ratscrew.game.state import Game

Answer = list[str] | str
"""What happened, in the words of `scene.tell`, or the code of a refusal."""

SEATS = "ABCDEFGH"


class PlainTable:
    """One table. A card is its name; `pile` holds the live cards and `burned` those that lie under them."""

    def __init__(self, hands: Sequence[Sequence[str]], leader: int, step: int, chances: Mapping[str, int]) -> None:
        self.hands = [list(hand) for hand in hands]
        self.pile: list[str] = []
        self.burned: list[str] = []
        self.turn, self.last = leader, leader
        self.step, self.chances = step, chances
        self.challenger: int | None = None
        self.left = 0
        self.waits: str | None = None
        self.over = False
        self.strikes = [0] * len(hands)
        self.burn, self.limit = 1, 3
        self.patterns = {"double", "sandwich"}

    def play(self, seat: int) -> Answer:
        """A seat turns a card."""
        if self.over:
            return "game_over"
        if seat not in range(len(self.hands)):
            return "not_playing"
        if self.waits or seat != self.turn:
            return "not_your_turn"
        card = self.hands[seat].pop(0)
        self.pile.append(card)
        self.last = seat
        if chances := self.chances.get(card, self.chances.get(card[:-1], 0)):
            self.challenger, self.left = seat, chances
            self.pass_on(seat)
        elif self.challenger is not None and self.left == 1:
            self.win("challenge", self.challenger)
        elif self.challenger is not None:
            self.left -= 1
            self.pass_on_if_empty(seat)
        else:
            self.pass_on(seat)
        return [f"{SEATS[seat]} turns {card}"]

    def others(self, seat: int) -> list[int]:
        """All other seats, the next one first, that hold cards."""
        around = [(seat + self.step * k) % len(self.hands) for k in range(1, len(self.hands))]
        return [other for other in around if self.hands[other]]

    def pass_on_if_empty(self, seat: int) -> None:
        """A player who has to play and has nothing left is out."""
        if not self.hands[seat]:
            self.pass_on(seat)

    def pass_on(self, seat: int) -> None:
        """The next seat has to play; a challenger never answers their own card."""
        if self.challenger is not None:
            seats = len(self.hands)
            way = (self.challenger - seat) * self.step % seats or seats
            within = [other for other in self.others(seat) if (other - seat) * self.step % seats < way]
            if within:
                self.turn = within[0]
            else:
                self.win("challenge", self.challenger)
        elif self.others(seat):
            self.turn = self.others(seat)[0]
        elif self.hands[seat]:
            self.turn = seat
        else:
            self.win("stalemate", self.last)

    def win(self, why: str, seat: int) -> None:
        """The pile is won and waits."""
        self.waits, self.turn = why, seat

    def collect(self) -> Answer:
        """The wait is over."""
        if self.over:
            return "game_over"
        return self.take(self.turn, self.waits) if self.waits else "nothing_to_take"

    def take(self, seat: int, why: str) -> list[str]:
        """Everything on the table goes under a hand."""
        taken = [*self.burned, *self.pile]
        self.hands[seat] += taken
        self.pile, self.burned = [], []
        self.turn, self.challenger, self.left, self.waits = seat, None, 0, None
        happened = [f"{SEATS[seat]} takes {' '.join(taken)}: {why}"]
        if not self.others(seat):
            self.over = True
            happened.append(f"{SEATS[seat]} wins")
        return happened

    def pattern(self) -> str | None:
        """What lies on top."""
        ranks = [card[:2] if card.startswith("JK") else card[0] for card in self.pile]
        if "double" in self.patterns and len(ranks) > 1 and ranks[-1] == ranks[-2]:
            return "double"
        if "sandwich" in self.patterns and len(ranks) > 2 and ranks[-1] == ranks[-3] and ranks[-1] != ranks[-2]:
            return "sandwich"
        return None

    def slap(self, seat: int) -> Answer:
        """A hand comes down."""
        if self.over:
            return "game_over"
        if seat not in range(len(self.hands)):
            return "not_playing"
        if not self.pile:
            return "empty_pile"
        if self.strikes[seat] >= self.limit:
            return "locked_out"
        if pattern := self.pattern():
            return self.take(seat, f"slap:{pattern}")
        happened, name = [f"{SEATS[seat]} slaps wrong"], SEATS[seat]
        if not self.hands[seat]:
            self.strikes[seat] += 1
            barred = [f"{name} is barred"] if self.strikes[seat] >= self.limit else []
            return [*happened, f"{name} has strike {self.strikes[seat]}", *barred]
        lost = self.hands[seat][: self.burn]
        del self.hands[seat][: self.burn]
        for card in lost:
            self.burned.insert(0, card)
        if not self.waits and seat == self.turn:
            self.pass_on_if_empty(seat)
        return [*happened, f"{name} burns {' '.join(lost)}"]

    def agrees_with(self, game: Game) -> bool:
        """Whether the engine's game is this table."""
        to = game.standing
        phase = "over" if self.over else "won" if self.waits else "play"
        challenge = (self.challenger, self.left) if phase == "play" and self.challenger is not None else (None, 0)
        return (
            [" ".join(hand) for hand in self.hands] == [text(hand) for hand in game.hands]
            and " ".join([*(f"{card}*" for card in self.burned), *self.pile]) == text(game.pile)
            and (phase, self.turn, self.waits) == (to.phase, to.turn, to.reason)
            and (challenge == (to.challenger, to.chances_left) or phase != "play")
            and self.strikes == [person.strikes for person in game.seat_states]
            and [strikes >= self.limit for strikes in self.strikes]
            == [person.locked == "game" for person in game.seat_states]
        )
