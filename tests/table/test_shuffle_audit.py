"""Audit of a shuffle: a fair game passes, and each way to cheat is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from ratscrew.game.events import Dealt, Played
from ratscrew.table.core.room_commands import execute
from ratscrew.table.history.shuffle_audit import AuditStep, audit
from ratscrew.table.record import requests
from ratscrew.table.record.commit_reveal import commitment, promise
from ratscrew.table.record.entries import Committed, NonceGiven, Promised, Recorded
from tests.table.driver import LiveTable, change_seat, new_table

pytestmark = pytest.mark.usefixtures("tireless")

ANAS, BOS = "a1" * 16, "b0" * 16
OTHER = "0f" * 32

Events: TypeAlias = tuple[Recorded, ...]
Cheat: TypeAlias = Callable[[Recorded], Recorded]


@lru_cache(1)
def evening() -> tuple[Events, Events, Events]:
    """Players gather and play two games with a bot: Ana gives a nonce for both, Bo for the first."""
    live = LiveTable(new_table(3))
    live.table.add_seat("Ana")
    live.table.add_seat("Bo")
    live.table.add_seat("Thoth", "sharp")
    live.act(live.table.open(live.now_us))
    for seat, nonce in enumerate((ANAS, BOS)):
        live.come(seat)
        give(live, seat, nonce)
    live.act(execute(live.table, 0, requests.Start(), live.now_us))
    give(live, 0, ANAS)
    live.play_out()
    live.again(0)
    live.play_out()
    return events_of(live, 0), events_of(live, 1), events_of(live, 2)


def give(live: LiveTable, seat: int, nonce: str) -> None:
    """A page answers the promise."""
    live.act(execute(live.table, seat, requests.GiveNonce(live.table.state.promise or "", nonce), live.now_us))


def events_of(live: LiveTable, number: int) -> Events:
    """What is in the log of a game of this table."""
    stored = (store for store in live.stores if store.game == f"TEST-1-{number}")
    return tuple(entry.event for store in stored for entry in store.entries)


def wrong(found: list[AuditStep] | None) -> list[str]:
    """The checks that do not hold."""
    assert found is not None
    return [step.what for step in found if not step.holds]


def told(found: list[AuditStep] | None, what: str) -> str:
    """What one check found."""
    return next(step.says for step in found or () if step.what == what)


def test_games_of_a_table_are_fair() -> None:
    gathered, first, second = evening()
    assert wrong(audit("TEST-1-1", first, gathered)) == []
    again = audit("TEST-1-2", second, first)
    assert wrong(again) == []
    assert told(again, "numbers").startswith("1 of 3 players")
    assert told(again, "deck") == "shuffled and dealt again, all 52 cards are the same"


def test_the_numbers_of_the_players_are_in_the_seal_by_seat() -> None:
    _, first, second = evening()
    seals = [event for event in (*first, *second) if isinstance(event, Committed)]
    assert [sealed.nonces for sealed in seals] == [(ANAS, BOS, "-"), (ANAS, "-", "-")]


def swap_cards(event: Recorded) -> Recorded:
    """Ana's and Bo's lowest cards change places in the log."""
    if not isinstance(event, Dealt):
        return event
    ana, bo, thoth = event.hands
    return replace(event, hands=((*ana[:-1], bo[-1]), (*bo[:-1], ana[-1]), thoth))


def other_dealer(event: Recorded) -> Recorded:
    """Another leads, so another has dealt."""
    return (
        replace(event, standing=replace(event.standing, turn=(event.standing.turn + 1) % 3))
        if isinstance(event, Dealt)
        else event
    )


def other_number(event: Recorded) -> Recorded:
    """The committed nonce of Bo is another, and the commitment belongs to it."""
    if not isinstance(event, Committed):
        return event
    nonces = (ANAS, "cc" * 16, "-")
    return replace(event, nonces=nonces, commitment=commitment("TEST-1-1", event.seed or "", nonces))


def other_number_alone(event: Recorded) -> Recorded:
    """The committed nonce of Bo is another."""
    return replace(event, nonces=(ANAS, "cc" * 16, "-")) if isinstance(event, Committed) else event


def other_seed(event: Recorded) -> Recorded:
    """Another seed is opened."""
    return replace(event, seed=OTHER) if isinstance(event, Committed) else event


def other_seed_and_hashes(event: Recorded) -> Recorded:
    """Another seed is opened, and promise and commitment of the game belong to it."""
    if not isinstance(event, Committed):
        return event
    hashes = {"promise": promise("TEST-1-1", OTHER), "commitment": commitment("TEST-1-1", OTHER, event.nonces)}
    return replace(event, seed=OTHER, **hashes)


def no_promise(event: Recorded) -> Recorded:
    """As if nothing had been promised."""
    return replace(event, promise=None) if isinstance(event, Committed) else event


def other_card(event: Recorded) -> Recorded:
    """The fifth card that is turned comes from somewhere else."""
    return replace(event, card=event.card.parse("JKR")) if isinstance(event, Played) and event.n == 5 else event


@pytest.mark.parametrize(
    ("cheat", "finds"),
    [
        (swap_cards, ["deck", "cards"]),
        (other_dealer, ["dealer"]),
        (other_number, ["numbers", "dealer", "deck"]),
        (other_number_alone, ["numbers", "commitment", "dealer", "deck"]),
        (other_seed, ["promise", "commitment", "deck"]),
        (other_seed_and_hashes, ["promise", "deck"]),
        (no_promise, ["promise"]),
        (other_card, ["cards"]),
    ],
)
def test_who_cheats_is_found(cheat: Cheat, finds: list[str]) -> None:
    gathered, first, _ = evening()
    found = wrong(audit("TEST-1-1", tuple(map(cheat, first)), gathered))
    assert found == finds


def test_a_number_that_was_given_and_kept_out_is_found() -> None:
    gathered, first, _ = evening()
    late = tuple(replace(event, nonce="cc" * 16) if isinstance(event, NonceGiven) else event for event in gathered)
    assert wrong(audit("TEST-1-1", first, late)) == ["numbers"]


def test_a_promise_that_was_another_is_found() -> None:
    gathered, first, _ = evening()
    other = tuple(replace(event, hash=OTHER) if isinstance(event, Promised) else event for event in gathered)
    assert wrong(audit("TEST-1-1", first, other)) == ["promise"]


def test_of_a_game_that_begins_at_once_it_is_said_that_nothing_was_promised() -> None:
    live = LiveTable(new_table(3))
    live.table.add_seat("Ana")
    live.table.add_seat("Thoth", "sharp")
    change_seat(live.table, 0, nonce=ANAS)
    live.start().play_out()
    found = audit("TEST-1-1", events_of(live, 1), ())
    assert wrong(found) == []
    assert told(found, "promise").startswith("the game began at once")
    assert told(found, "numbers").startswith("1 of 2 players")
