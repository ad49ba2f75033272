"""`ratscrew forget` and `ratscrew rotate-keys` leave nothing of what they delete in the file, and no server unaware."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from ratscrew.cli.storage.data_lock import lock_data
from ratscrew.game.codec import Codec
from ratscrew.log.sqlite import SqliteLog
from ratscrew.table.record.entries import Entry, Sat
from ratscrew.table.registry.tokens import LASTS_S, Tokens
from tests.cli.sample_room import GAME, ROOM, Run, write


def holding(file: Path, word: bytes) -> list[Path]:
    """The files beside each other in which a word stands."""
    return [each for each in file.parent.iterdir() if word in each.read_bytes()]


def test_a_name_is_deleted_from_every_game_of_its_room_and_from_the_file(file: Path, run: Run) -> None:
    """Another Ana, in another room, keeps hers."""
    write(file, "BEAR-2e-1", Sat(0, "Ana"))
    assert run("forget", "wolf", " Ana ", "--data", file) == (
        0,
        f"the name is deleted from 2 games of room {ROOM}\n",
        "",
    )
    assert run("replay", ROOM, "--data", file) == (0, GAME.replace("Ana", "–"), "")
    assert holding(file, b"Ana") == [file]
    assert run("forget", "BEAR", "Ana", "--data", file)[0] == 0
    assert (holding(file, b"Ana"), holding(file, b"Bo")) == ([], [file])


@pytest.mark.parametrize(
    ("room", "name", "why"),
    [
        ("WOLF", "Dee", f"no 'Dee' has played in room {ROOM}; the players were Ana, Bo, Cy"),
        ("WOLF", "–", f"no '–' has played in room {ROOM}; the players were Ana, Bo, Cy"),
        ("LYNX", "Ana", f"there is no game 'LYNX'; there are {ROOM}-0, {ROOM}-1"),
    ],
)
def test_an_unknown_player_cannot_be_forgotten(file: Path, run: Run, room: str, name: str, why: str) -> None:
    assert run("forget", room, name, "--data", file) == (1, "", f"ratscrew: {why}\n")


def test_after_new_keys_no_token_is_good_any_more(file: Path, run: Run) -> None:
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        token = Tokens(log, 0).sign("seat", ROOM, [0], 0)
        key = log.get_or_create("seat-key-0", bytes)
        assert holding(file, key)
    told = "the keys are deleted: no player can return to their seat, and all have to join again\n"
    assert run("rotate-keys", "--data", file) == (0, told, "")
    assert holding(file, key) == []
    with closing(SqliteLog(file, Codec[Entry](Entry))) as log:
        tokens = Tokens(log, 0)
        assert tokens.read("seat", ROOM, token, 0) is None
        anew = tokens.read("seat", ROOM, tokens.sign("seat", ROOM, [0], 0), 0)
        assert anew == ((0,), LASTS_S["seat"])


@pytest.mark.parametrize("words", [("forget", "WOLF", "Ana"), ("rotate-keys",)])
def test_while_a_server_has_the_file_nothing_is_deleted(file: Path, run: Run, words: tuple[str, ...]) -> None:
    before = file.read_bytes()
    with lock_data(file):
        told = f"ratscrew: another Ratscrew is using {file}: stop it, or name another file with --data\n"
        assert run(*words, "--data", file) == (1, "", told)
    assert file.read_bytes() == before
