"""Each message of a room is encoded once, and what a page has missed is bounded in bytes."""

from __future__ import annotations

from collections import Counter

import pytest

from ratscrew.errors import RefusalReason
from ratscrew.rules.link import from_link
from ratscrew.table.delivery import message_cache
from ratscrew.table.delivery.message_cache import MessageCache
from ratscrew.table.messages import Message, Refused
from ratscrew.table.rooms import room_commands
from ratscrew.table.rooms.room_registry import Asked
from ratscrew.testing.clock import ManualClock, on_manual_clock
from ratscrew.web import player_connection as browser
from tests.web.talking import serve

WATCHING = 6


def refused(number: int) -> Refused:
    """A message like no other."""
    return Refused("play", RefusalReason.TWICE.value, number)


def test_a_message_is_encoded_once_while_others_come_between() -> None:
    encoded: list[Message] = []

    def encode(message: Message) -> bytes:
        encoded.append(message)
        return b"%d" % len(encoded)

    cache = MessageCache()
    one, two = refused(1), refused(2)
    assert [cache.get_or_encode(each, encode) for each in (one, two, one, two)] == [b"1", b"2", b"1", b"2"]
    assert cache.get_or_encode(refused(1), encode) == b"3"  # another message, which may be in another tongue by then


def test_only_so_many_messages_and_bytes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_cache, "MESSAGES_MOST", 10)
    monkeypatch.setattr(message_cache, "BYTES_MOST", 1000)
    cache = MessageCache()
    for number in range(100):
        assert cache.get_or_encode(refused(number), lambda _: bytes(50)) == bytes(50)
        assert len(cache._kept) <= 10
    for number in range(100):
        cache.get_or_encode(refused(number), lambda _: bytes(300))
        assert sum(len(data) for _, data in cache._kept.values()) <= 1000
    assert cache.get_or_encode(refused(0), lambda _: bytes(5000)) == bytes(5000)
    assert len(cache._kept) == 0


@on_manual_clock
async def test_several_events_at_once_are_encoded_once_each_however_many_watch(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that takes the pile is several events; each page gets all of them before the next page gets any."""
    times: Counter[str] = Counter()
    encode = browser.TO.encode

    class Counting:
        """Counts what is encoded of what happens."""

        def encode(self, message: object) -> bytes:
            """See `Codec`."""
            data = encode(message)  # type: ignore[arg-type]
            if data.startswith(b'{"t":"told"'):
                times[data.decode()] += 1
            return data

    async with serve(clock) as place:
        ana = await place.enter()
        pages = [await place.enter(who=[]) for _ in range(WATCHING)]
        for page in (ana, *pages):
            await page.hear("welcome")
        monkeypatch.setattr(browser, "TO", Counting())
        for _ in range(60):
            await ana.hear("told")
        assert len(times) >= 60
        assert set(times.values()) == {1}


@on_manual_clock
async def test_who_has_missed_too_much_is_shown_the_table_anew(clock: ManualClock) -> None:
    """Each of these houses is about a kilobyte; a hundred of them are more than is sent one by one."""
    houses = [from_link("1;classic"), from_link("1;wiki")]
    async with serve(clock, asked=Asked("Ana", 0, wait=True)) as place:
        ana = await place.enter()
        welcome = await ana.hear("welcome")
        await ana.socket.close()
        table = place.room.table
        for number in range(90):
            place.room._do(room_commands.choose, table, 0, clock.now_us(), houses[(number + 1) % 2])
            if number == 4:
                again = await place.enter(game=welcome["game"], version=welcome["version"])
                assert (await again.hear("welcome", "back"))["t"] == "back"
                await again.socket.close()
        again = await place.enter(game=welcome["game"], version=welcome["version"])
        assert (await again.hear("welcome", "back"))["version"] == table.version
        assert (await again.hear("lines", "told", "back", "done", "welcome"))["t"] == "lines"
