"""A data file that an earlier version wrote holds the same games today: restored, exported, verified and judged."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

import pytest
from msgspec.structs import replace

from ratscrew.bots.teacher import bot as make_bot
from ratscrew.cli.log_lookup import open_log
from ratscrew.cli.replay import replay
from ratscrew.cli.texts import export
from ratscrew.cli.verify import verify
from ratscrew.errors import NotationError, RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.game.events import Won
from ratscrew.game.standing import Standing
from ratscrew.game.view import View, view
from ratscrew.log.database import open_read_only
from ratscrew.log.entry_renames import FORMAT_4, STANDING, Renames, renamed
from ratscrew.log.formats import FORMAT
from ratscrew.log.memory import MemoryLog
from ratscrew.log.protocol import LogReader
from ratscrew.log.rows import Packed
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.link import to_link
from ratscrew.rules.presets import house
from ratscrew.table.records.entries import (
    AccountLinked,
    Entry,
    HostPassed,
    Idle,
    LateSlap,
    LedgerSnapshot,
    Owned,
    Paused,
    Readmitted,
    Recorded,
    RemovedPlayers,
    RoomLocked,
    TookPart,
)
from ratscrew.table.records.history import Finished, history
from ratscrew.table.records.redaction import redact
from ratscrew.table.records.room_kind import KindSet, RatingTerms
from ratscrew.table.rooms.restoring import ledger_before, restore
from ratscrew.table.rooms.room_registry import RoomRegistry, code_of
from ratscrew.table.table import Table
from ratscrew.testing.clock import ManualClock
from ratscrew.web.rendering import game_as_data, game_as_text

FIXTURES = Path(__file__).with_name("fixtures")
LATER = (
    *(LateSlap, RemovedPlayers, Readmitted, RoomLocked, Owned, Paused, AccountLinked, HostPassed, Idle),
    *(KindSet, RatingTerms, TookPart),
)
"""The kinds of entries that are younger than the file."""

DECIDED_OTHERWISE = "CLAP-38d7ea4c68000-2"
"""A game in which players who contested a claim in vain got their cards in another order than they would today."""
WITH_TEXT = "JUDO-38d7ea4c68000-1"

Expected: TypeAlias = Mapping[str, Any]

MOVES = {"to": STANDING}
PUBLIC = Renames(
    events={
        "began": ("dealt_public", Renames({"held": "cards_held", "to": "standing"}, MOVES)),
        "reshuffled": ("redealt_public", Renames({"held": "cards_held", "to": "standing"}, MOVES)),
    }
)
"""The renames in the public forms of events, which are not stored."""
VIEW = Renames(
    {
        "held": "cards_held",
        "to": "standing",
        "people": "seat_states",
        "chance": "answer_number",
        "claimed": "claimants",
        "claim": "claim_type",
        "gifts": "stakes",
        "grabbed": "stolen_pile",
        "yet": "seats_to_play",
        "back": "resume_state",
    },
    {**MOVES, "back": STANDING},
)
"""The renames in the view of a game, which is not stored either."""


@cache
def expected() -> Mapping[str, Expected]:
    """What the code that wrote the file says of each game."""
    games: dict[str, Expected] = json.loads(gzip.decompress((FIXTURES / "expected.json.gz").read_bytes()))["games"]
    return games


@pytest.fixture(scope="module", params=["read-only", "brought up"])
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file as it was written, which reading must not change, or in the present format."""
    file = tmp_path_factory.mktemp("old") / "log.sqlite3"
    file.write_bytes(written := gzip.decompress((FIXTURES / "log.sqlite3.gz").read_bytes()))
    if request.param == "brought up":
        SqliteLog(file, Codec[Entry](Entry)).close()
    yield file
    if request.param == "read-only":
        assert sha256(file.read_bytes()).digest() == sha256(written).digest()


@pytest.fixture
def log(data: Path) -> Iterator[LogReader[Entry]]:
    """The log in the file, only to be read."""
    with open_log(data) as log:
        yield log


def same(kind: type, text: Any, value: object) -> bool:
    """Whether JSON of the code that wrote the file decodes to this value, by its present names."""
    return Codec[object](kind).decode(json.dumps(text)) == value


def told_now(then: Any) -> Any:
    """A game as it was printed at the time, with the present names."""
    events = [{**each, **renamed_event("e", each["e"])} for each in then["events"]]
    seats = [renamed_event("event", sat)["event"] for sat in then["seats"]]
    return {**then, "events": events, "seats": seats}


def as_told(game: Finished) -> Finished:
    """A game without the changes of the view, which games had not at the time."""
    return replace(game, events=tuple(replace(each, c={}, view=None) for each in game.events))


def shown_today(then: Any) -> Finished:
    """A game as it was printed at the time, with what the public sees of it today: no exact measurements."""
    game = Codec[Finished](Finished).decode(json.dumps(then))
    return replace(game, events=tuple(replace(each, e=redact(cast(Any, each.e))) for each in game.events))


def renamed_event(field: str, event: Any) -> dict[str, Any]:
    """An event with its present names, in a field."""
    return {field: renamed(renamed({"event": event}, FORMAT_4)["event"], PUBLIC)}


def said(capsys: pytest.CaptureFixture[str], command: Any, *args: Any, **options: Any) -> tuple[int, str] | None:
    """The exit code and output of a command; None if it is refused."""
    try:
        code = command(*args, **options)
    except RatscrewError:
        return None
    return code, capsys.readouterr().out


def answer(then: list[Any]) -> tuple[int, str] | None:
    """The output of such a command at the time."""
    code, out = then
    return None if code == "RatscrewError" else (code, out)


def test_the_file_holds_every_kind_of_entry_that_its_ratscrew_wrote(log: LogReader[Entry]) -> None:
    found = {type(entry.event) for game in log.games() for entry in log.read(game)}
    assert found == set(get_args(Recorded)) - set(LATER)


def test_every_game_has_the_same_text(log: LogReader[Entry], data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert log.games() == [*expected()]
    for game, then in expected().items():
        assert said(capsys, replay, game, data) == (None if game == DECIDED_OTHERWISE else answer(then["replay"])), game


def test_a_game_that_would_be_decided_otherwise_today_has_no_text_and_everything_else(
    log: LogReader[Entry], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = log.read(DECIDED_OTHERWISE)
    entries.append(Entry(entries[-1].at_us, Won(0, Standing("over", 0))))
    with pytest.raises(
        NotationError, match=r"this game cannot be exported as text: an earlier version of Ratscrew decided it"
    ):
        history(entries).text()
    with pytest.raises(
        RatscrewError, match=rf"{DECIDED_OTHERWISE}: this game cannot be exported as text: .*; --json prints its"
    ):
        replay(DECIDED_OTHERWISE, data)
    assert said(capsys, replay, DECIDED_OTHERWISE, data, json=True)
    packed = Packed.of(list(map(Codec[Entry](Entry).encode, entries)))
    assert (game_as_text("", *packed).status, game_as_data("", *packed).status) == (409, 200)
    with closing(SqliteLog(tmp_path / "log.sqlite3", Codec[Entry](Entry))) as over:
        over.append(DECIDED_OTHERWISE, 0, entries)
        over.append(WITH_TEXT, 0, log.read(WITH_TEXT))
    code, out = said(capsys, export, [], tmp_path / "texts", tmp_path / "log.sqlite3") or (None, "")
    assert (code, out.partition(":")[0]) == (1, DECIDED_OTHERWISE)
    assert [file.name for file in (tmp_path / "texts").iterdir()] == [f"{WITH_TEXT}.txt"]


def test_every_game_is_retold_as_it_was(log: LogReader[Entry]) -> None:
    for game, then in expected().items():
        told = history(log.read(game))
        assert (told.game is None) == (then["finished"] is None), game
        assert told.game is None or as_told(told.finished(game)) == shown_today(told_now(then["finished"])), game


def test_every_game_is_restored_as_it_was(log: LogReader[Entry]) -> None:
    for game, then in expected().items():
        room, _, number = game.rpartition("-")
        table = Table(room, house(), make_bot, lambda n: 0, lambda: 0.5)
        table.restore(int(number), log.read(game), ledger_before(log, game))
        assert table_of(table) == (then["table"], then["seats"]), game
        assert (table.game is None) == (then["view"] is None), game
        assert table.game is None or same(View, renamed(then["view"], VIEW), view(table.game)), game


def table_of(table: Table) -> tuple[list[object], list[list[object]]]:
    """What a restored table knows besides its game: of the room, and of each seat."""
    seats = [
        [
            seat.name,
            seat.bot_level,
            seat.player_id,
            [looks.hue, looks.shape],
            seat.gone,
            seat.muted,
            seat.nonce,
            *credit,
        ]
        for seat in table.seats
        for looks in [seat.appearance]
        for credit in [[list(seat.credit.excesses_us), seat.credit.purse_us, seat.credit.penalised]]
    ]
    return [table.log.version, to_link(table.rules), table.listed, table.closed_us, table.fill_us], seats


def test_every_shuffle_is_verified_as_it_was(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def found(answer: tuple[int, str] | None) -> object:
        if answer is None:
            return None
        told = json.loads(answer[1])
        return answer[0], told["verdict"], [(step["what"], step["holds"]) for step in told["steps"]]

    verdicts = set()
    for game, then in expected().items():
        now = said(capsys, verify, game, data, json=True)
        assert found(now) == found(answer(then["verify"])), game
        verdicts.add(now and now[0])
    assert verdicts == {0, 2, None}


def test_every_race_is_judged_as_it_was(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How sure a verdict is was not logged then, so nothing is said of it now."""
    judged = 0
    for game, then in expected().items():
        now = said(capsys, replay, game, data, judge=True, json=True)
        was = answer(then["judge"])
        assert now
        assert was
        found = json.loads(now[1])
        confidence = [trial.pop("confidence_percent") for trial in found["trials"]]
        assert (now[0], found) == (was[0], json.loads(was[1])), game
        assert set(confidence) <= {None}
        judged += len(found["trials"])
    assert judged > 100


async def test_every_room_is_found_by_its_code(data: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(data, tmp_path))
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log, closing(open_read_only(file)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        latest = {game.rpartition("-")[0]: game for game in log.games()}
        clock = ManualClock(max(log.read(game)[-1].at_us for game in latest.values()))
        registry = RoomRegistry(log, clock)
        found = {code: await registry.find(code) for code in map(code_of, latest)}
        assert {room.table.log.game for room in found.values() if room} == {*latest.values()}
        registry.close()


def test_every_kept_value_stays(log: LogReader[Entry]) -> None:
    kept = json.loads(gzip.decompress((FIXTURES / "expected.json.gz").read_bytes()))["kept"]
    assert {name: value.hex() for name, value in log.get().items()} == kept


def test_a_room_is_restored_from_its_last_game(log: LogReader[Entry]) -> None:
    for room in {game.rpartition("-")[0] for game in log.games()}:
        restored = restore(log, room, Table(room, house(), make_bot, lambda n: 0, lambda: 0.5), 0)
        assert restored
        assert table_of(restored.table) == (
            expected()[restored.table.log.game]["table"],
            expected()[restored.table.log.game]["seats"],
        )


def test_a_room_of_an_old_file_is_restored_alike_with_a_snapshot_and_without_its_history(
    log: LogReader[Entry],
) -> None:
    several = 0
    for room in {game.rpartition("-")[0] for game in log.games()}:
        game = log.games(f"{room}-")[-1]
        first, *others = log.read(game)
        ledger = ledger_before(log, game)
        several += bool(ledger.credits)
        assert first.ledger is None or first.ledger.credits == ledger.credits
        snapshot = LedgerSnapshot(ledger.next_player_id, dict(ledger.credits))
        short = MemoryLog[Entry]()
        short.append(game, 0, [Entry(first.at_us, first.event, first.request, snapshot), *others])
        found = restore(short, room, Table(room, house(), make_bot, lambda n: 0, lambda: 0.5), 0)
        assert found
        assert table_of(found.table) == (expected()[game]["table"], expected()[game]["seats"])
    assert several
