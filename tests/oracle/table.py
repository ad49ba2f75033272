"""A table that plays by docs/rules.md alone: lists and text, slow and plain, and nothing of the program is used.

Seats are numbers. What happened is a tuple: its word, mostly the seat, and what belongs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from tests.oracle.house import House, named
from tests.oracle.patterns import find

Happened: TypeAlias = tuple[Any, ...]

PILE, GAME = "pile", "game"
"""What ends a lock that no number of cards does."""


class Refused(Exception):
    """A command that has no effect and costs nothing."""


class Laid(NamedTuple):
    """A card on the pile: live, burned or dead."""

    card: str
    state: str = "live"


class Hand(NamedTuple):
    """A hand on the pile: whose, when, with how many fingers, and after whom a newcomer would like to sit."""

    seat: int
    at_ms: int
    fingers: int = 1
    after: int | None = None


class Player:
    """One player's cards, top first, and what is held against them."""

    def __init__(self, cards: Sequence[str], dealt_in: bool = True) -> None:
        self.cards = list(cards)
        self.dealt_in = dealt_in
        self.out = False
        self.strikes = 0
        self.fouls = 0
        """Wrong slaps since the last valid one."""
        self.streak = 0
        self.streak_card = -1
        """On how many cards in a row the last slaps were wrong, up to which card."""
        self.locked: int | str = 0
        """The number of the card before which the player may not slap, `PILE` or `GAME`."""
        self.hand_burned = False
        self.debt = 0
        self.convicted = False
        self.touched = False


class Table:
    """One game. `turn` has to play, or gets the pile that is `won` for the reason `why`."""

    def __init__(
        self,
        house: House,
        hands: Sequence[Sequence[str]],
        leader: int,
        rest: Sequence[str] = (),
        shuffled: Callable[[list[str]], list[str]] = list,
    ) -> None:
        self.house, self.shuffled = house, shuffled
        self.players = [Player(cards) for cards in hands]
        self.circle = list(range(len(hands)))
        self.pile = [Laid(card, "dead") for card in rest]
        self.phase = "play"
        """`play`, `won` (a pile waits), `last` (a last chance), `over`."""
        self.turn, self.why = leader, ""
        self.challenger: int | None = None
        self.left = 0
        """Chances left, or cards of a last chance."""
        self.answer = 0
        """Which answer to a challenge the newest card is."""
        self.final = False
        """Whether the newest card was the last chance of a challenge."""
        self.last: int | None = None
        """Who turned the newest card of this pile."""
        self.failed: int | None = None
        """Who failed the challenge that has won the pile."""
        self.n, self.turned_ms = 0, 0
        self.opening: str | None = None
        self.voided: list[int] = []
        """The seats whose hands have cancelled each other; nothing can be slapped before the next card."""
        self.winner: int | None = None
        self.piles = 0
        self.earlier: object = None
        """The state that later ones are compared with (10.7)."""
        self.repeats = False
        self.told: list[Happened] = []

    # What players do

    def play(self, seat: int, at_ms: int) -> list[Happened]:
        """A player turns a card, in turn or not."""
        self._begin()
        player = self.players[seat]
        if seat != self.turn or self.phase == "won" or (self.phase == "last" and not self.left):
            self._out_of_turn(seat)
            return self._end()
        card = player.cards.pop(0)
        player.touched = False
        self.pile.append(Laid(card))
        self.n += 1
        self.last, self.turned_ms, self.failed, self.voided = seat, at_ms, None, []
        self.opening = self.opening or card
        self.told.append(("turn", seat, card))
        if self.phase == "last":
            self.left -= 1
            self.answer = 0
        else:
            self._turned(seat, card)
        return self._end()

    def slap(self, hands: Sequence[Hand]) -> list[Happened]:
        """Hands come down on the pile, so close to each other that nothing happened between them."""
        self._begin()
        hands = sorted((hand for hand in hands if self._counts(hand)), key=lambda hand: hand.at_ms)
        if not hands:
            raise Refused
        pattern = self.pattern()
        if not pattern and not any(self._pays(hand.seat) for hand in hands):
            raise Refused
        self.told.append(("slap", *(hand.seat for hand in hands)))
        slapped = [hand.seat for hand in hands]
        for seat, player in enumerate(self.players):
            player.touched = player.touched and seat not in slapped
            player.hand_burned = False
        if pattern:
            self._race(hands, pattern)
        for hand in [] if pattern else hands:
            if self.phase != "over" and self.pile and self._pays(hand.seat):
                self._foul(hand.seat)
        return self._end()

    def wait(self) -> list[Happened]:
        """The table has waited long enough: a won pile is taken, or a last chance is over."""
        self._begin()
        if self.phase == "won":
            self._bring_in()
        elif self.phase == "last" and not self.left:
            holder = self.turn
            self._take(holder, "last_chance")
            self._win(holder)
        else:
            raise Refused
        return self._end()

    def collect(self, seat: int) -> list[Happened]:
        """A player picks the pile up."""
        self._begin()
        if self.phase != "won" or seat != self.turn or not self.players[seat].dealt_in:
            raise Refused
        self._bring_in()
        return self._end()

    def touch(self, seat: int) -> list[Happened]:
        """A player touches their forehead (11.2)."""
        self._begin()
        if self.house["redneck"] == "off" or not self.house.slappable():
            raise Refused
        self.players[seat].touched = True
        self.told.append(("touch", seat))
        return self._end()

    def arrive(self) -> list[Happened]:
        """A newcomer comes to the table, without cards."""
        self._begin()
        self.players.append(Player([], dealt_in=False))
        return self._end()

    # Turns and challenges (2)

    def _turned(self, seat: int, card: str) -> None:
        chances = self.house.chances(card)
        challenged = self.challenger is not None
        self.answer = self.answer + 1 if challenged and not chances else 0
        self.final = challenged and self.left == 1
        if challenged and not chances and self._stops(card):
            self.challenger, self.left, challenged = None, 0, False
        if chances:
            self.challenger, self.left = seat, chances
            others = [other for other in self.holders() if other != seat]
            if others:
                self.turn = self._next_holder(seat)
            else:
                self._won(seat, "challenge")
        elif challenged:
            self.left -= 1
            if not self.left:
                self._fail(seat)
            elif not self.players[seat].cards:
                self._run_out(seat)
        else:
            self._pass_on(seat, turned=True)

    def _stops(self, card: str) -> bool:
        return named(card, self.house["stoppers"])

    def _fail(self, seat: int) -> None:
        """A player has failed the challenge."""
        assert self.challenger is not None
        self._won(self.challenger, "challenge")
        self.failed = seat

    def _run_out(self, seat: int) -> None:
        """A player who has to answer has no cards left: the next one goes on, but not the challenger (2.7)."""
        for other in self._others(seat) if self.house["run_out"] == "next_continues" else []:
            if other == self.challenger:
                break
            if self.players[other].cards:
                self.turn = other
                return
        self._fail(seat)

    def _pass_on(self, seat: int, turned: bool) -> None:
        """Without a challenge the next player with cards plays, if anybody has some; one alone may have won (10.2).

        `turned`: the player has just turned a card, and not lost their last one otherwise.
        """
        holders, endgame = self.holders(), self.house["endgame"]
        if not holders:
            self._nobody_holds()
        elif len(holders) == 1 and self.pile and self._wins_alone(endgame, not turned or holders == [seat]):
            self._won(holders[0], "sole_holder")
        else:
            self.turn = self._next_holder(seat)

    @staticmethod
    def _wins_alone(endgame: str, other_plays: bool) -> bool:
        """Whether a player who alone holds cards has won; `other_plays`: another has to play, and cannot."""
        return endgame == "sole_holder" or (endgame == "must_play" and other_plays)

    def _nobody_holds(self) -> None:
        """The player of the last card, or the next in turn who has not been eliminated, gets the pile (10.4)."""
        heir = self.turn if self.last is None else self.last
        if self.players[heir].out:
            heir = next((seat for seat in self._others(heir) if not self.players[seat].out), heir)
        self._won(heir, "stalemate")

    def _won(self, seat: int, why: str) -> None:
        """A pile waits for a player."""
        self.phase, self.turn, self.why, self.challenger, self.left = "won", seat, why, None, 0

    def _out_of_turn(self, seat: int) -> None:
        """A card out of turn is refused or dead (7)."""
        player, house = self.players[seat], self.house
        if house["out_of_turn"] == "reject" or self.phase not in ("play", "won") or not player.cards:
            raise Refused
        card = player.cards.pop(0)
        self.pile.insert(0 if house["dead_place"] == "bottom" else len(self.pile), Laid(card, "dead"))
        self.told.append(("dead", seat, card, house["dead_place"]))
        if house["out_of_turn_burn"] and player.cards:
            self._burn(seat, house["out_of_turn_burn"], "bottom")

    # Taking the pile (3), and the end (10)

    def _bring_in(self) -> None:
        """The pile goes to its winner, or nobody held a card (10.4)."""
        if all(self.players[seat].out for seat in self.circle):
            self._draw("play")
        elif self.why != "stalemate" or self.house["stalemate"] == "last_player":
            self._take(self.turn, self.why)
        elif self.house["stalemate"] == "draw":
            self._draw("play")
        else:
            self._redeal()

    def _take(self, seat: int, why: str, after: int | None = None) -> None:
        player, failed = self.players[seat], self.failed
        cards = [laid.card for laid in self.pile]
        if self.house["pickup"] == "shuffle":
            cards = self.shuffled(cards)
        player.cards += cards
        self.told.append(("take", seat, len(cards), why))
        self._clear()
        if not player.dealt_in and not player.out:
            player.dealt_in = True
            place = self.circle.index(after) + 1 if after in self.circle else len(self.circle)
            self.circle.insert(place if self.house["join_seat"] == "choose" else len(self.circle), seat)
        self.phase, self.turn = "play", seat
        if self.house["lead"] == "next":
            self.turn = self._others(seat)[0]
        elif self.house["lead"] == "loser" and why == "challenge" and failed is not None:
            self.turn = failed
        if why.startswith("slap:"):
            player.fouls, player.streak, player.streak_card = 0, 0, -1
        if player.debt:
            paid = min(player.debt, len(player.cards))
            player.debt -= paid
            self._burn(seat, paid, "bottom")
        self.piles += 1
        self._compare()
        if why == "challenge" and self.house["last_chance"] and self.holders() == [seat] and not self.pile:
            self.phase, self.turn, self.left = "last", seat, min(self.house["last_chance"], len(player.cards))
            if self.house["last_chance_who"] == "opponent":
                self.challenger = self._others(seat)[0] if failed in (None, seat) else failed
            self.told.append(("last chance", seat, self.challenger, self.left))

    def _clear(self) -> None:
        """What was about the pile ends with it."""
        self.pile, self.last, self.failed, self.voided = [], None, None, []
        self.challenger, self.left, self.answer, self.final, self.why = None, 0, 0, False, ""
        for player in self.players:
            player.hand_burned = False
            player.locked = 0 if player.locked == PILE else player.locked

    def _compare(self) -> None:
        """Where the cards alone decide, compare the state with the one after 1, 2, 4, 8 ... piles (10.7)."""
        house = self.house
        chance = house["pickup"] != "keep" or house["stalemate"] == "redeal"
        if house.slappable() or chance or house["out_of_turn"] != "reject":
            return
        hands = [[house.chances(card) or -self._stops(card) for card in player.cards] for player in self.players]
        state = self.turn, hands
        self.repeats = self.repeats or state == self.earlier
        if self.piles & (self.piles - 1) == 0:
            self.earlier = state

    def _redeal(self) -> None:
        """The player of the last card deals again, to all who have not been eliminated; the next one leads."""
        cards = self.shuffled([laid.card for laid in self.pile])
        order = [seat for seat in [*self._others(self.turn), self.turn] if not self.players[seat].out]
        for player in self.players:
            player.cards = []
        for number, card in enumerate(cards):
            self.players[order[number % len(order)]].cards.insert(0, card)
        self.told.append(("redeal",))
        self._clear()
        self.phase, self.turn = "play", order[0]

    def _win(self, seat: int, why: str = "play") -> None:
        self.phase, self.turn, self.winner = "over", seat, seat
        self.told.append(("win", seat, why))

    def _draw(self, why: str) -> None:
        self.phase = "over"
        self.told.append(("draw", why))

    def _begin(self) -> None:
        if self.phase == "over":
            raise Refused
        self.told = []

    def _end(self) -> list[Happened]:
        """What follows by itself: a player without cards is passed over, and a game that is won, or too long, ends."""
        before = None
        while before != (self.phase, self.turn, self.left):
            before = self.phase, self.turn, self.left
            self._follow()
        if self.phase == "play" and not self.pile:
            holders = self.holders()
            if len(holders) == 1:
                self._win(holders[0])
            elif self.repeats:
                self._draw("repetition")
            elif self.house["limit_cards"] and self.n >= self.house["limit_cards"]:
                held = sorted(len(player.cards) for player in self.players)
                if held[-1] == held[-2]:
                    self._draw("limit")
                else:
                    self._win(max(self.circle, key=lambda seat: len(self.players[seat].cards)), "limit")
        return self.told

    def _follow(self) -> None:
        player, holders = self.players[self.turn], self.holders()
        if self.phase == "play":
            if not player.cards and self.challenger is not None:
                self._run_out(self.turn)
            elif not player.cards and (self.pile or len(holders) != 1):
                self._pass_on(self.turn, turned=False)
            elif self.challenger is None and len(holders) == 1 and self.pile and self.house["endgame"] == "sole_holder":
                self._won(holders[0], "sole_holder")
        elif self.phase == "last" and not player.cards:
            self.left = 0
        if self.phase in ("won", "last") and self.players[self.turn].out:
            # The pile was waiting for an eliminated player (6.6).
            if holders:
                self.phase, self.turn, self.why = "play", self._next_holder(self.turn), ""
                self.challenger, self.left = None, 0
            else:
                self._nobody_holds()

    # Slaps (5)

    def pattern(self) -> str | None:
        """What can be slapped now."""
        if self.voided or not self.pile:
            return None
        view: list[str] = []
        for laid in reversed(self.pile):
            if laid.state == "live":
                view.append(laid.card)
            elif not view or self.house["dead_pattern"] == "block":
                break
        return find(self.house, view, self._first(), self.answer)

    def _first(self) -> str | None:
        """The card that `top_bottom` compares the newest with (4.11); None if there is none, or burns void it."""
        rule = self.house.slaps.get("top_bottom", {})
        burned = self.pile[0].state != "live" or any(laid.state == "burned" for laid in self.pile)
        if burned and rule.get("after_burn") == "void":
            return None
        if rule.get("anchor") == "game":
            return self.opening if self.n > 1 else None
        cards = [laid.card for laid in self.pile if rule.get("after_burn") == "burn_is_bottom" or laid.state == "live"]
        return cards[0] if len(cards) > 1 else None

    def _counts(self, hand: Hand) -> bool:
        """Whether a hand counts at all, rightly or wrongly."""
        player, house = self.players[hand.seat], self.house
        newcomer = not player.dealt_in and not player.out
        after_fail = self.phase == "won" and self.why == "challenge"
        running = self.phase == "play" and self.challenger is not None
        barred = (
            not house.slappable()
            or not self.pile
            or player.out
            or (newcomer and house["late_join"] == "no")
            or (bool(self.voided) and hand.seat not in self.voided)
            or player.hand_burned
            or player.locked in (PILE, GAME)
            or (isinstance(player.locked, int) and self.n < player.locked)
            or (house["slap_window"] != "always" and after_fail)
            or (house["slap_window"] == "not_during_challenge" and running)
            or (not player.touched and house["redneck"] == "all")
            or (not player.touched and house["redneck"] == "convicted" and player.convicted)
            or (hand.seat == self.last and hand.at_ms - self.turned_ms < house["withdraw_ms"])
        )
        if barred or self.phase == "last":
            return not barred and self.challenger in (None, hand.seat)
        return bool(player.cards) or newcomer or self._may_slap_in()

    def _may_slap_in(self) -> bool:
        """Whether players who have lost their cards may slap (9.2)."""
        return {"no": False, "while_two_active": len(self.holders()) > 1, "always": True}[self.house["slap_in"]]

    def _race(self, hands: Sequence[Hand], pattern: str) -> None:
        """The first hand takes the pile, or the tie decides (5.4)."""
        near = [hand for hand in hands if hand.at_ms - hands[0].at_ms <= self.house["tie_window_ms"]]
        first = near[0]
        if len(near) > 1 and self.house["tie"] == "void":
            self.voided = [hand.seat for hand in near]
            self.told.append(("void", *self.voided))
            return
        if self.house["tie"] == "contact":
            first = max(near, key=lambda hand: hand.fingers)
        ends = self.house.slaps[pattern].get("ends", "pile")
        if ends == "win":
            self._win(first.seat)
        elif ends == "all_lose":
            self.phase, self.turn = "over", first.seat
            self.told.append(("all lose", first.seat))
        else:
            self._take(first.seat, f"slap:{pattern}", first.after)

    # Wrong slaps (6)

    def _pays(self, seat: int) -> bool:
        """Whether a wrong slap is one: it may be free at the last card of a challenge, or without cards."""
        failed = self.phase == "won" and self.why == "challenge"
        if self.house["final_card_slap"] == "free" and (self.final or failed):
            return False
        if not self.players[seat].cards:
            return bool(self.house.no_cards["kind"] != "ignore")
        stands = self.house.wrong_slap.get("after_fail") == "stands"
        return not (self.phase == "won" and self.house.wrong_slap["kind"] == "pile_to_last" and stands)

    def _foul(self, seat: int) -> None:
        player = self.players[seat]
        if player.streak_card != self.n:
            player.streak = player.streak + 1 if player.streak_card == self.n - 1 else 1
            player.streak_card = self.n
        player.convicted = True
        self.told.append(("wrong", seat, player.streak))
        fouls, player.fouls = player.fouls, player.fouls + 1
        if player.cards:
            self._pay(seat, fouls)
        else:
            self._pay_without_cards(seat)
        if 0 < self.house["max_streak"] < player.streak:
            self.told.append(("out", seat, len(player.cards)))
            self.pile = [*(Laid(card, "burned") for card in reversed(player.cards)), *self.pile]
            player.cards, player.out, player.dealt_in = [], True, False

    def _pay(self, seat: int, fouls: int) -> None:
        penalty, player = self.house.wrong_slap, self.players[seat]
        match penalty["kind"]:
            case "burn":
                self._burn(seat, penalty["count"] + (fouls if penalty["escalate"] else 0), penalty["place"])
            case "give" if penalty["to"] == "last_player":
                if (to := self._last_player(seat)) is not None:
                    self._give(seat, to)
            case "give":
                for to in self._others(seat):
                    if player.cards and not self.players[to].out:
                        self._give(seat, to)
            case "lockout":
                player.locked = penalty["until"] if penalty["until"] == PILE else self.n + penalty["until"]
                self.told.append(("lock", seat, player.locked))
            case "pile_to_last":
                if (to := self._last_player(seat)) is not None:
                    self._take(to, "penalty")

    def _pay_without_cards(self, seat: int) -> None:
        player = self.players[seat]
        match self.house.no_cards["kind"]:
            case "strikes":
                player.strikes += 1
                self.told.append(("strike", seat, player.strikes))
                if player.strikes >= self.house.no_cards["limit"]:
                    player.locked = GAME
                    self.told.append(("lock", seat, GAME))
            case "burn_hand":
                player.hand_burned = True
                self.told.append(("burn hand", seat))
            case "debt":
                player.debt += 1
                self.told.append(("debt", seat, player.debt))

    def _burn(self, seat: int, count: int, place: str) -> None:
        player = self.players[seat]
        cards, player.cards = player.cards[:count], player.cards[count:]
        for card in cards:
            self.pile.insert(0 if place == "bottom" else len(self.pile), Laid(card, "burned"))
        self.told.append(("burn", seat, " ".join(cards), place, self.house["burn_face_up"]))

    def _give(self, seat: int, to: int) -> None:
        card = self.players[seat].cards.pop(0)
        self.players[to].cards.append(card)
        self.told.append(("give", seat, to, card))

    def _last_player(self, seat: int) -> int | None:
        """The player of the newest card; if that is the slapper, or out, the nearest before who holds cards (6.2)."""
        if self.last is None or (self.last != seat and not self.players[self.last].out):
            return self.last
        return next((other for other in reversed(self._others(seat)) if self.players[other].cards), None)

    # Who sits where

    def holders(self) -> list[int]:
        """The players who hold cards."""
        return [seat for seat in self.circle if self.players[seat].cards]

    def _others(self, seat: int) -> list[int]:
        """All other players in the order of play, from the next one; a newcomer sits at the end of the circle."""
        circle = self.circle if seat in self.circle else [*self.circle, seat]
        if self.house["direction"] == "ccw":
            circle = circle[::-1]
        place = circle.index(seat)
        return [*circle[place + 1 :], *circle[:place]]

    def _next_holder(self, seat: int) -> int:
        """The next player with cards; the same one if nobody else has any."""
        return next(other for other in [*self._others(seat), seat] if self.players[other].cards)
