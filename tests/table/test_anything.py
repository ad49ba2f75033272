"""Random actions, arrivals and rules: the invariants of the table hold."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from ratscrew.bots.bot import Plan
from ratscrew.bots.ladder import bot as reflex_bot
from ratscrew.cards import Card
from ratscrew.errors import Refusal, RulesError
from ratscrew.game.engine import replay
from ratscrew.game.events import Exposed, Fouled, Misplayed, Played, Resumed, Returned, Slapped, SlappedDown, Voided
from ratscrew.game.view import view
from ratscrew.judge.constants import MAX_HEAD_START_US, MAX_RACE_US
from ratscrew.rules.house import Rules
from ratscrew.table.core import host_role
from ratscrew.table.core.room_commands import execute
from ratscrew.table.core.table import Table
from ratscrew.table.record import requests
from ratscrew.table.record.effects import Effect, RevealTime, Send, Store
from ratscrew.table.record.entries import Entry, TableEvent
from ratscrew.table.record.messages import Refused, TurnCancelled, Turning
from ratscrew.table.record.table_action import TableAction
from ratscrew.table.session.seat import paused
from ratscrew.table.session.slap_measurement import Press
from ratscrew.testing.house_strategies import houses
from tests.table.driver import LiveTable, at_table, new_table

FEW = settings(max_examples=max(1, settings().max_examples // 5))
CARDS_MOST, STEPS_MOST = 3000, 40_000

TABLES = (
    "Ana: 9S 2C 9D | Bo: 9H 3H",
    "Ana: 9S | Bo: TH 3H 5H",
    "Ana: JS 9S | Bo: QH 9H | Cy:",
    "Ana: 2C 2D 2H 5S 6S | Thoth*: 4C KC 7D 4D | Bo: 3C 9C 3H",
    "Ana: 5C 7D | Thoth*: 5D 5H 9C | Isis*: 8D KH",
)

WORDS = ["turn", "turn", "turn", "turn", "play", "slap", "slap", "deed", "pass", "come", "go", "again", "late", "join"]
WORDS += ["stamp", "stamp", "beat", "hide", "leave", "remove", "bot", "mute", "react"]
BY_PEOPLE = {"play", "slap", "deed", "come", "go", "again", "stamp", "beat", "hide"}
BY_PEOPLE |= {"leave", "remove", "bot", "mute", "react"}
"""Actions of players only. `stamp` is a slap that was pressed so long ago by its page's clock, and `beat` a heartbeat;
`hide` hides a page, or shows it again. `turn` is a turn of the seat that has to turn, and time for it; `late` is time
that passes without the table being woken."""

DEEDS = [TableAction(do) for do in ("collect", "reveal", "contest", "notice", "forehead", "hover", "unhover", "feint")]
DEEDS += [TableAction(do, seat) for do in ("place", "award", "slap_down") for seat in (0, 1, 2, 9)]
DEEDS += [TableAction("choose", half="top"), TableAction("choose", half="bottom"), TableAction("fake_slap")]

actions = st.lists(
    st.tuples(
        st.sampled_from(WORDS),
        st.integers(0, 3),
        st.sampled_from([0, 0, 0, 0, -1, -1, -2, 1]),
        st.sampled_from([0, 1, 50, 160, 350, 500, 500, 500, 700, 1500, 8000]),
        st.sampled_from(DEEDS),
    ),
    min_size=20,
    max_size=60,
)
"""An action, its seat, its card (counted from the newest), how long it takes, and which table action it is."""
Actions = list[tuple[str, int, int, int, TableAction]]


@given(st.sampled_from(TABLES), actions)
def test_the_laws_of_the_table_hold_whatever_people_do(text: str, done: Actions) -> None:
    live = at_table(text, plan=Plan(turn_us=600_000, slap_us=330_000), collect_delay_ms=700, turn_ms=3000)
    do_all(live, done)


@given(houses(), st.integers(0, 99), actions)
def test_the_laws_of_the_table_hold_in_any_house(rules: Rules, seed: int, done: Actions) -> None:
    table = table_of(rules, seed)
    for name, bot in [("Ana", None), ("Thoth", "sharp"), ("Bo", None)][: rules.max_players or 3]:
        table.add_seat(name, bot)
    live = LiveTable(table)
    if start(live):
        do_all(live, done)


@FEW
@given(houses(), st.integers(0, 99), st.integers(2, 5))
def test_bots_alone_come_to_an_end_in_any_house_or_play_for_very_long(rules: Rules, seed: int, seats: int) -> None:
    table = table_of(rules, seed)
    for seat in range(min(seats, rules.max_players or seats)):
        table.add_seat(f"Bot {seat}", ("gentle", "steady", "sharp")[seat % 3])
    live = LiveTable(table)
    if not start(live):
        return
    for _ in range(STEPS_MOST):
        if live.game.over or live.game.n >= CARDS_MOST:
            break
        assert live.step(), f"the table waits for ever: {live.game.standing}"
    assert live.game.over or live.game.n >= CARDS_MOST
    assert replayed(live.entries) == live.game


def table_of(rules: Rules, seed: int) -> Table:
    """A table with these rules, and its own random numbers."""
    chance = Random(seed)
    return Table("TEST-1", rules, reflex_bot, chance.randrange, chance.random)


def start(live: LiveTable) -> bool:
    """Begin, unless the rules have too few cards for so many players."""
    try:
        live.start()
    except RulesError:
        assert live.table.game is None
        return False
    return True


def do_all(live: LiveTable, done: Actions) -> None:
    """Do all these actions, and check that the invariants hold all the time."""
    laws = Laws(live)
    for word, number, ahead, ms, deed in done:
        people = [seat for seat, who in enumerate(live.table.seats) if who.stays] or [0]
        seat = live.game.standing.turn if word == "turn" else people[number % len(people)]
        who = live.table.seats[seat]
        if word in BY_PEOPLE and (not who.stays or not (who.here or word == "come")):
            continue  # bots send nothing, nor do players who are away or have left
        if who.here:
            live.far(seat, ms % 700)
        match word:
            case "turn":
                if who.bot is None and who.here:
                    live.play(seat)
                live.pass_ms(ms)
            case "play":
                live.play(seat, live.game.n + ahead)
            case "slap":
                live.slap(seat, live.game.n + ahead)
            case "stamp":
                paint(live, seat)
                press = Press(live.now_us, None, live.now_us - ms % 400 * 1000)
                live.act(live.table.slap(seat, live.game.n + ahead, press, live.now_us))
            case "beat":
                paint(live, seat)
                with suppress(Refusal):
                    live.page_state(seat).record_heartbeat(live.now_us + ahead * 1000, live.now_us)
            case "hide":
                live.page_state(seat).visible ^= True
            case "deed":
                live.do(seat, *deed)
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
            case "join" if len(live.table.seats) < 5:
                with suppress(Refusal):
                    live.join("Di")
            case "leave":
                live.act(execute(live.table, seat, requests.Leave(), live.now_us))
            case "remove":
                live.act(execute(live.table, seat, requests.Remove(number + ahead), live.now_us))
            case "bot" if len(live.table.seats) < 5:
                live.act(execute(live.table, seat, requests.AddBot("sharp"), live.now_us))
            case "mute":
                live.act(execute(live.table, seat, requests.Mute(number + ahead, ahead == 0), live.now_us))
            case "react":
                live.act(execute(live.table, seat, requests.React("wow"), live.now_us))
        laws.hold()
    live.pass_ms(0)
    laws.hold()


def paint(live: LiveTable, seat: int) -> None:
    """A page reports that it painted the newest card at its reveal, if the card was sent to it."""
    with suppress(Refusal):
        live.page_state(seat).record_paint(live.game.n, live.shown_us, live.now_us)


def company(table: Table) -> list[tuple[object, ...]]:
    """The seats as a list of tuples."""
    return [(seat.name, seat.bot_level, seat.player_id, seat.appearance, seat.gone, seat.muted) for seat in table.seats]


def hosts(table: Table) -> tuple[int, tuple[int, ...]]:
    """The host's seat, and that of the player to whom the role returns."""
    away = table.state.away_host_id
    return table.state.host, table.state.seats_of([] if away is None else [away])


def replayed(entries: list[Entry]) -> object:
    """The game of the entries of a log."""
    return replay(entry.event for entry in entries if not isinstance(entry.event, TableEvent))


LOOKS_NEW = (Exposed, Misplayed, Resumed, Returned, Voided)
"""Events after which the pile looks different without a new card, and may be slapped again."""


class Laws:
    """The invariants of a table."""

    def __init__(self, live: LiveTable) -> None:
        self.live, self.act = live, live.act
        self.cards = self.all_cards()
        self.flying: int | None = None
        self.shown_us: int | None = None
        self.launched_us = self.head_start_us = 0
        self.wrong: set[tuple[str, int, int]] = set()
        live.act = self.see  # type: ignore[method-assign]

    def all_cards(self) -> Counter[Card]:
        """Every card there is, wherever it lies: in a hand, aside, on the pile, or picked up and not put away."""
        game = self.live.game
        laid = (*game.pile, *(game.theft.pile if game.theft else ()))
        gifts = game.claim.stakes if game.claim else ()
        return Counter((*sum(game.hands, ()), *sum(game.asides, ()), *(some.card for some in laid), *gifts))

    def see(self, effects: object) -> list[Effect]:
        """A card on its way is turned or held, cards keep their gap, and no player is fined twice for the same pile."""
        done: list[Effect] = list(effects)  # type: ignore[call-overload]
        for effect in done:
            match effect:
                case Send(Turning(seat), to):
                    assert (self.flying, to) == (None, None)
                    self.flying, self.launched_us, self.head_start_us = seat, self.live.now_us, self.far_us()
                case Send(TurnCancelled(seat), to):
                    assert (self.flying, to) == (seat, None)
                    self.flying = None
                case Send(Refused(), to):
                    assert to is not None
                case Store(name, _, entries, _, reveal):
                    self.keep(name, entries, reveal)
        return self.act(done)

    def far_us(self) -> int:
        """How long before its reveal a card has to be sent, for the farthest visible page."""
        page_states = [who.page_state for who in self.live.table.seats if who.page_state and who.page_state.visible]
        rtts_us = [min(400_000, page_state.rtt_estimator.app_us or 0) for page_state in page_states]
        return min(MAX_HEAD_START_US, max((rtt_us // 2 + 23_000 for rtt_us in rtts_us), default=0))

    def keep(self, name: str, entries: tuple[Entry, ...], moment: RevealTime | None) -> None:
        """One batch of the log; no client can get a card before its entry."""
        under = any(isinstance(entry.event, Slapped) and entry.event.under for entry in entries)
        down = {entry.event.target for entry in entries if isinstance(entry.event, SlappedDown)}
        for at_us, event in ((entry.at_us, entry.event) for entry in entries):
            if isinstance(event, LOOKS_NEW):
                self.wrong.clear()
            if isinstance(event, Played):
                seen_us = at_us
                if moment:
                    assert self.flying == event.seat
                    self.flying, seen_us = None, moment.at_us
                    assert seen_us >= self.launched_us + max(160_000, self.head_start_us + 10_000)
                    assert at_us >= seen_us - self.head_start_us - 10_000
                assert moment or event.aside
                assert self.shown_us is None or seen_us - self.shown_us >= 500_000
                self.shown_us = seen_us
            if isinstance(event, Fouled) and event.seat not in down:
                foul = name, self.live.game.n - under, event.seat
                assert foul not in self.wrong
                self.wrong.add(foul)

    def hold(self) -> None:
        """No card is lost, the log gives the same game and table, time goes on, and every race ends."""
        live = self.live
        if live.table.state.round == 1:
            assert self.all_cards() == self.cards
        assert replayed(live.entries) == live.game
        again = new_table()
        again.restore(live.table.state.round, live.entries)
        assert again.game is not None
        assert view(again.game) == view(live.game)
        assert (again.state.version, again.state.rules, again.state.closed_us) == (
            live.table.state.version,
            live.table.state.rules,
            live.table.state.closed_us,
        )
        assert company(again) == company(live.table)
        assert hosts(again) == hosts(live.table)
        seats = live.table.seats
        assert len({seat.player_id for seat in seats}) == len({seat.appearance for seat in seats}) == len(seats)
        version = 0
        for store in live.stores:
            if store.game == live.table.log.game:
                assert store.after == version
                version += len(store.entries)
        assert version == live.table.state.version
        times = [entry.at_us for store in live.stores for entry in store.entries]
        assert times == sorted(times)
        race = live.table.session and live.table.session.tracker.race
        if race and not paused(live.table.seats):
            first_us = min(hand.arrived_us for hand in race.contenders)
            assert (live.table.wake_us() or 0) <= first_us + MAX_RACE_US
        if live.game.over:
            assert live.table.wake_us() in (None, host_role.passes_us(live.table.state, live.table.seats))
            assert self.flying is None
