"""Whatever people send, whenever they come and go: the laws of the table hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ratscrew.bots.bot import Plan
from ratscrew.game.engine import replay
from ratscrew.game.events import Fouled, Played
from ratscrew.table.effect import Effect, Store, Tell
from ratscrew.table.message import Held, Refused, Turning
from ratscrew.table.record import Judged, Sat
from tests.table.driver import Live, at_table

TABLES = (
    "Ana: 9S 2C 9D | Bo: 9H 3H",
    "Ana: 9S | Bo: TH 3H 5H",
    "Ana: JS 9S | Bo: QH 9H | Cy:",
    "Ana: 2C 2D 2H 5S 6S | Thoth*: 4C KC 7D 4D | Bo: 3C 9C 3H",
    "Ana: 5C 7D | Thoth*: 5D 5H 9C | Isis*: 8D KH",
)

WORDS = ["turn", "turn", "turn", "turn", "play", "slap", "slap", "pass", "come", "go", "again", "late"]
BY_PEOPLE = {"turn", "play", "slap", "come", "go", "again"}
"""What may be done; `turn` is whoever's turn it is, `late` time that passes without the table being woken."""

actions = st.lists(
    st.tuples(
        st.sampled_from(WORDS),
        st.integers(0, 2),
        st.sampled_from([0, 0, 0, 0, -1, -1, -2, 1]),
        st.sampled_from([0, 1, 50, 160, 200, 350, 500, 1500, 8000]),
    ),
    min_size=5,
    max_size=60,
)
"""What is done, by which seat, to which card (counted from the newest), and how long it takes."""


@given(st.sampled_from(TABLES), actions)
def test_the_laws_of_the_table_hold_whatever_people_do(text: str, done: list[tuple[str, int, int, int]]) -> None:
    live = at_table(text, plan=Plan(turn_us=600_000, slap_us=330_000), collect_delay_ms=700, turn_ms=3000)
    laws = Laws(live)
    for word, seat, ahead, ms in done:
        seat = live.game.to.turn if word == "turn" else seat % len(live.table.seats)
        who = live.table.seats[seat]
        if word in BY_PEOPLE and (who.mind or not (who.here or word == "come")):
            continue  # bots send nothing, nor does who is not here
        live.far(seat, ms % 700)
        match word:
            case "turn":
                live.play(seat)
                live.pass_ms(ms)
            case "play":
                live.play(seat, live.game.n + ahead)
            case "slap":
                live.slap(seat, live.game.n + ahead)
            case "come":
                live.come(seat)
            case "go":
                live.go(seat)
            case "again":
                live.again(seat)
            case "pass":
                live.pass_ms(ms)
            case "late":
                live.clock.advance(ms * 1000)
        laws.hold()
    live.pass_ms(0)
    laws.hold()


class Laws:
    """What is true of a table at any time."""

    def __init__(self, live: Live) -> None:
        self.live, self.act = live, live.act
        self.cards = Counter(self.all_cards())
        self.flying: int | None = None
        self.wrong: set[tuple[str, int, int]] = set()
        live.act = self.see  # type: ignore[method-assign]

    def all_cards(self) -> list[Any]:
        game = self.live.game
        return [*(card for hand in game.hands for card in hand), *(laid.card for laid in game.pile)]

    def see(self, effects: Any) -> list[Effect]:
        """What goes up comes down, and nobody is fined twice for one card."""
        for effect in effects:
            match effect:
                case Tell(Turning(seat), to):
                    assert (self.flying, to) == (None, None)
                    self.flying = seat
                case Tell(Held(seat), to):
                    assert (self.flying, to) == (seat, None)
                    self.flying = None
                case Tell(Refused(), to):
                    assert to is not None
                case Store(name, _, entries):
                    for entry in entries:
                        if isinstance(entry.event, Played):
                            assert self.flying == entry.event.seat
                            self.flying = None
                        if isinstance(entry.event, Fouled):
                            foul = name, self.live.game.n, entry.event.seat
                            assert foul not in self.wrong
                            self.wrong.add(foul)
        return self.act(effects)

    def hold(self) -> None:
        """No card is lost, the log tells the game, and time goes on."""
        live = self.live
        if live.table.round == 1:
            assert Counter(self.all_cards()) == self.cards
        assert len(set(self.all_cards())) == len(self.all_cards())
        assert replay(e.event for e in live.entries if not isinstance(e.event, Sat | Judged)) == live.game
        version = 0
        for store in live.stores:
            if store.game == live.table.id:
                assert store.after == version
                version += len(store.entries)
        times = [entry.at_us for store in live.stores for entry in store.entries]
        assert times == sorted(times)
        if live.game.winner is not None:
            assert live.table.wake_us() is None
            assert self.flying is None
