"""Friends and invitations, in SQLite and PostgreSQL: both sides add each other, and a deletion leaves nothing."""

from __future__ import annotations

import pytest

from ratscrew.accounts.friends import (
    ADDED_BY_MOST,
    FRIENDS_MOST,
    INVITED_US,
    Invitation,
    add_friend,
    added_by,
    are_friends,
    dismiss,
    forget_friends,
    have_added,
    invitations,
    invite,
    remove_friend,
)
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.errors import RulesError
from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from tests.community.test_stores import values

__all__ = ["values"]


def test_two_are_friends_once_each_has_added_the_other(values: Values) -> None:
    add_friend(values, "ana", "ben")
    assert (added_by(values, "ana"), have_added(values, "ben"), have_added(values, "ana")) == ({"ben"}, {"ana"}, set())
    assert not are_friends(values, "ana", "ben")
    add_friend(values, "ben", "ana")
    assert are_friends(values, "ana", "ben")
    assert are_friends(values, "ben", "ana")
    remove_friend(values, "ben", "ana")
    assert not are_friends(values, "ana", "ben")
    assert have_added(values, "ana") == set()


def test_an_invitation_lasts_ten_minutes_and_the_latest_counts(values: Values) -> None:
    invite(values, "ana", "ben", Invitation("WOLF4821", 0))
    invite(values, "ana", "ben", Invitation("BEAR1234", 5))
    assert invitations(values, "ben", INVITED_US + 4) == {"ana": Invitation("BEAR1234", 5)}
    assert invitations(values, "ana", 6) == {}
    assert invitations(values, "ben", INVITED_US + 5) == {}
    assert not values.get(f"{PREFIX}invitation")


def test_an_invitation_can_be_dismissed_and_ends_with_the_friendship(values: Values) -> None:
    invite(values, "ana", "ben", Invitation("WOLF4821", 0))
    dismiss(values, "ben", "ana")
    assert not values.get(f"{PREFIX}invitation")
    invite(values, "ana", "ben", Invitation("WOLF4821", 0))
    remove_friend(values, "ben", "ana")
    assert invitations(values, "ben", 1) == {}


def test_a_deleted_account_is_in_no_list_and_no_invitation(values: Values) -> None:
    for one, two in (("ana", "ben"), ("ben", "ana"), ("ben", "cleo")):
        add_friend(values, one, two)
    invite(values, "ana", "ben", Invitation("WOLF4821", 0))
    invite(values, "ben", "ana", Invitation("WOLF4821", 0))
    forget_friends(values, "ana")
    left = sorted(values.get(PREFIX))
    assert left == [f"{PREFIX}friend-of/cleo/ben/", f"{PREFIX}friend/ben/cleo/"]


def test_a_player_is_added_by_a_thousand_at_most() -> None:
    log = MemoryLog[Entry]()
    for number in range(ADDED_BY_MOST):
        add_friend(log, str(number), "ana")
    add_friend(log, "7", "ana")
    with pytest.raises(RulesError, match="Too many players have added this one"):
        add_friend(log, "ben", "ana")
    assert added_by(log, "ben") == set()
    add_friend(log, "ana", "ben")


def test_a_list_is_not_endless() -> None:
    log = MemoryLog[Entry]()
    for number in range(FRIENDS_MOST):
        add_friend(log, "ana", str(number))
    add_friend(log, "ana", "7")
    with pytest.raises(RulesError, match="at most 200 friends: remove one first"):
        add_friend(log, "ana", "ben")
