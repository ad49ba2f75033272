"""The live trial of the judge: who was really first is known from people that share nothing with it."""

from __future__ import annotations

import ast
import asyncio
import json
import sys
import time
from pathlib import Path

import pytest

from benchmarks import live_people
from benchmarks.live_page import ToldVerdict
from benchmarks.live_people import Attempt, attempts_in
from benchmarks.live_races import Race, all_told_ms, attempts_by_card, tally, winners_told
from benchmarks.network_paths import NetworkPath
from ratscrew.table.record.entries import Proof, SlapRecord

CARDS, OVERLOOKED = 12, 2
"""The people of seed 1 overlook two of these cards."""


def test_whom_the_judge_named_is_what_the_players_were_told_and_not_what_its_stamps_say() -> None:
    """Ana took 320 ms and Bo 300, by the people's record; the players were told Ana."""
    order = tuple(SlapRecord(seat, us, Proof(us, 0, us, 0, 0, 0)) for seat, us in ((1, 300_000), (0, 320_000)))
    attempts = attempts_by_card(Attempt("G", seat, 7, 0.0, ms * 1000, slaps=True) for seat, ms in ((0, 320), (1, 300)))
    races, paths = [Race("G", 7, order, 70_000)], [NetworkPath(20), NetworkPath(20)]
    found = tally(races, attempts, winners_told([ToldVerdict("G", 7, winner=0)]), paths)
    assert (found.tallies["judge"].right, [seat.figures()["bias"] for seat in found.seats]) == ([False], [100, -100])
    assert tally(races, attempts, {}, paths).tallies["judge"].right == []


def test_all_pages_can_have_told_when_the_news_of_the_last_one_can_be_there() -> None:
    """Ana's slap arrives first, 330 ms after the card; Bo's page, 200 ms away, can say at 300 that he slapped: at 400.

    Cy's page, 260 ms away, can say at 300 ms only that Cy had not slapped by then, and the server knows at 430.
    """
    paths = [NetworkPath(20), NetworkPath(200), NetworkPath(260)]
    ana, bo, cy = (Attempt("G", seat, 7, 1000.0, ms * 1000, ms > 0) for seat, ms in enumerate((320, 300, 0)))
    assert all_told_ms({0: ana, 1: bo}, paths) == pytest.approx(70)
    assert all_told_ms({0: ana, 1: bo, 2: cy}, paths) == pytest.approx(100)


def test_the_people_use_the_standard_library_alone() -> None:
    found = set()
    for node in ast.walk(ast.parse(Path(live_people.__file__).read_text())):
        match node:
            case ast.Import(names):
                found |= {name.name.partition(".")[0] for name in names}
            case ast.ImportFrom(str(module)):
                found.add(module.partition(".")[0])
    assert "json" in found
    assert found <= sys.stdlib_module_names


def test_a_page_knows_of_a_touch_only_when_the_people_have_written_it_down_by_their_own_clock(tmp_path: Path) -> None:
    """Each reaction is at most the time from showing the card to hearing of the touch, as measured here."""
    record = tmp_path / "record"

    async def play() -> None:
        with record.open("a") as file:
            server = await asyncio.start_unix_server(live_people.People(file, "1").serve, tmp_path / "people")
            reader, writer = await asyncio.open_unix_connection(tmp_path / "people")
            seat, shown_ms = {"room": "R", "seat": 2}, []
            for n in range(CARDS + 1):
                what = {"game": "G", "n": n} if n else {"mean_ms": 200.0}
                shown_ms.append(time.monotonic() * 1000)
                writer.write(json.dumps(seat | what).encode() + b"\n")
            touched = set()
            while len([each for each in attempts_in(record) if each.slaps]) < CARDS - OVERLOOKED:
                touch, now_ms = json.loads(await reader.readline()), time.monotonic() * 1000
                (attempt,) = [each for each in attempts_in(record) if each.n == touch["n"]]
                assert (attempt.game, attempt.seat, attempt.slaps) == ("G", 2, True)
                assert shown_ms[attempt.n] <= attempt.seen_ms
                assert 150 <= attempt.reaction_us / 1000 <= now_ms - attempt.seen_ms
                touched.add(attempt.n)
            assert touched
            writer.close()
            await writer.wait_closed()
            server.close()
            await server.wait_closed()

    asyncio.run(play())
