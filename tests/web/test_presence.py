"""Who is online at which node, and until when the others believe it."""

from __future__ import annotations

from ratscrew.log.memory import MemoryLog
from ratscrew.table.record.entries import Entry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.access.presence import ASKED_US, LOOK_EVERY_US, SAID_US, OnlineAccounts


async def test_a_node_says_who_is_online_with_it_and_the_others_believe_it_for_a_minute(log: MemoryLog[Entry]) -> None:
    clock = ManualClock(1)
    here, there = (OnlineAccounts(log, (), clock.now_us) for _ in range(2))
    here.note("ana")
    await here.publish("a")
    await there.publish("b")
    assert (here.online(), there.online()) == ({"ana": "here"}, {"ana": "here"})
    clock.advance(SAID_US - 1)
    await there.publish("b")
    assert there.online() == {"ana": "here"}  # the node of Ana has said nothing new
    clock.advance(1)
    await there.publish("b")
    assert there.online() == {}
    assert [*log.get("community/online/")] == ["community/online/b/"]


async def test_whose_page_is_closed_is_offline_everywhere_when_their_node_has_said_so(log: MemoryLog[Entry]) -> None:
    clock = ManualClock(1)
    here, there = (OnlineAccounts(log, (), clock.now_us) for _ in range(2))
    here.note("ana")
    await here.publish("a")
    clock.advance(ASKED_US - LOOK_EVERY_US)
    await here.publish("a")
    await there.publish("b")
    assert there.online() == {"ana": "here"}
    clock.advance(LOOK_EVERY_US)
    await here.publish("a")
    await there.publish("b")
    assert (here.online(), there.online()) == ({}, {})


async def test_a_deleted_account_is_online_no_more(log: MemoryLog[Entry]) -> None:
    clock = ManualClock(1)
    here, there = (OnlineAccounts(log, (), clock.now_us) for _ in range(2))
    here.note("ana")
    await here.publish("a")
    await there.publish("b")
    for each in (here, there):
        each.forget("ana")
        assert each.online() == {}
