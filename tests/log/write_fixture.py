"""Writes the fixture of the present format of a log, and what is expected of it: `python -m tests.log.write_fixture`.

Until the first release a change of the format rewrites it. After that it stays as it is: each later version reads it.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import msgspec
from msgspec import inspect

from ratscrew.bots.teacher import bot as make_bot
from ratscrew.cli.games.replay import replay
from ratscrew.cli.games.verify import verify
from ratscrew.errors import RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.log.protocol import LogReader
from ratscrew.log.sqlite import SqliteLog
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house
from ratscrew.table.core.table import Table
from ratscrew.table.history.history import Finished, history
from ratscrew.table.record.entries import Entry, Recorded
from ratscrew.table.registry.restoring import restore
from tests.simulation.story import Story
from tests.table.driver import LiveTable, new_table

FOLDER = Path(__file__).with_name("fixtures")
LOG, ENTRIES, EXPECTED = FOLDER / "log.sqlite3.gz", FOLDER / "entries.jsonl", FOLDER / "expected.json.gz"

ENTRY, FINISHED = Codec[Entry](Entry), Codec[Finished](Finished)
WORLD = 67
"""A world of the simulation with a game that is over and one that runs, with snapshots, races and a room's requests."""

RULES = {
    "slaps": {"marriage": True, "run": {"len": 4}, "wild": ["2"]},
    "wrong_slap": {"kind": "burn", "count": 2, "place": "top"},
    "no_cards": {"kind": "strikes", "limit": 2},
    "endgame": "sole_holder",
}
"""Options whose types do not tell which values they may have."""

FAIR = "WOLF-1f"
"""A room in which two bots play a game whose cards were shuffled in public."""


def every_kind() -> Iterator[bytes]:
    """An entry of each kind in which every field has a value that is not its default, as JSON."""
    numbers = count(1)

    def example(kind: inspect.Type, default: object = None) -> Any:
        match kind:
            case inspect.UnionType(types):
                return next(made for each in types if (made := example(each, default)) not in (None, default))
            case inspect.LiteralType(values):
                return next(value for value in values if value != default)
            case inspect.StructType(fields=fields, tag=tag, tag_field=tag_field):
                made = {each.encode_name: example(each.type, each.default) for each in fields}
                if kind.cls is Rules:
                    made |= RULES
                return {str(tag_field): tag, **made} if tag_field else made
            case inspect.DataclassType(fields=fields):
                return {each.encode_name: example(each.type, each.default) for each in fields}
            case inspect.NamedTupleType(fields=fields):
                return [example(each.type) for each in fields]
            case inspect.TupleType(item_types=types):
                return [example(each) for each in types]
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                return [example(item)]
            case inspect.DictType(key_type=key, value_type=value):
                return {str(example(key)): example(value)}
            case inspect.IntType(le=most):
                return next(numbers) if most is None else most - (most == default)
            case inspect.StrType(pattern=None):
                return f"text {next(numbers)}"
            case inspect.StrType(pattern=pattern):
                return next(text for text in ("Q", "QS", "0123456789abcdef" * 2) if re.search(str(pattern), text))
            case inspect.BoolType():
                return not default
            case inspect.CustomType():
                return "QS"
            case inspect.AnyType():
                return True
        return None

    entry = example(inspect.type_info(Entry))
    for kind in get_args(Recorded):
        body = json.dumps({**entry, "event": example(inspect.type_info(kind))})
        yield ENTRY.encode(ENTRY.decode(body))


def expected(log: LogReader[Entry], file: Path) -> dict[str, Any]:
    """What is told of each game, and what is restored of each room."""
    games = {
        game: {
            "finished": msgspec.json.decode(FINISHED.encode(told.finished(game))) if told.game else None,
            "text": output(replay, game, file),
            "judged": output(replay, game, file, judge=True, json=True),
            "verified": output(verify, game, file, json=True),
        }
        for game in log.games()
        for told in [history(log.read(game))]
    }
    return {"games": games, "rooms": {room: restored(log, room) for room in rooms(log)}}


def rooms(log: LogReader[Entry]) -> list[str]:
    """The names of the rooms that have games in a log."""
    return list(dict.fromkeys(game.rpartition("-")[0] for game in log.games()))


def output(command: Any, *args: Any, **options: Any) -> list[Any]:
    """The exit code and output of a command, or the error that refuses it."""
    with redirect_stdout(out := StringIO()):
        try:
            return [command(*args, **options), out.getvalue()]
        except RatscrewError as error:
            return [type(error).__name__, str(error)]


def restored(log: LogReader[Entry], room: str) -> Any:
    """All that is restored of a room: its table, players, dealer and running game, as JSON has it."""
    found = restore(log, room, Table(room, house(), make_bot, lambda n: 0, lambda: 0.5), 0)
    assert found, "the room has a log"
    table, state = found.table, found.table.state
    told = {
        "game": table.log.game,
        "rules": table.link,
        "state": {name: getattr(state, name) for name in state.__struct_fields__ if name != "game"},
        "playing": state.game,
        "bots": table.bots.memory,
    }
    return msgspec.to_builtins(told, str_keys=True, enc_hook=str)


def main() -> None:
    """Write the fixture."""
    (story := Story(WORLD)).tell()
    bots = LiveTable(new_table(5))
    bots.table.dealer._room = FAIR
    for name in ("Thoth", "Bes"):
        bots.table.add_seat(name, "sharp")
    bots.start().play_out()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "log.sqlite3"
        log = SqliteLog(file, ENTRY)
        for game in story.disk.bodies.games():
            log.append(game, 0, list(map(ENTRY.decode, story.disk.bodies.read(game))))
        log.append(f"{FAIR}-1", 0, bots.entries)
        log.get_or_create("a name", lambda: b"a value")
        told = expected(log, file)
        log.close()
        LOG.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    EXPECTED.write_bytes(gzip.compress(json.dumps(told).encode(), 9, mtime=0))
    ENTRIES.write_bytes(b"".join(line + b"\n" for line in every_kind()))


if __name__ == "__main__":
    main()
