"""`ratscrew export` and `ratscrew import`: finished games as text files, out of the log and into it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ratscrew.cli.storage.location import Location, open_for_writing, resolve
from ratscrew.cli.storage.log_lookup import find_game, open_log, room_games
from ratscrew.cli.terminal import echo
from ratscrew.errors import Corrupt, NotationError, RatscrewError
from ratscrew.log.protocol import LogReader
from ratscrew.table.history.game_names import GameNames
from ratscrew.table.history.import_export import TEXT_MOST, entries_of, name_of, text_of
from ratscrew.table.record.entries import Entry

ALL, SOME = 0, 1


def export(what: Sequence[str], out: Path, where: Location) -> int:
    """Write games to a folder, all or those named; returns the exit code, 1 if one is damaged or has no text form.

    A file is named as in a game's link, so it tells nobody the room's code.

    Raises: RatscrewError if there is no such game, if a named one is not over, or if a different file exists already.
    """
    written = failed = 0
    with open_log(where) as log:
        names = GameNames.read(log)
        for game in dict.fromkeys(game for each in what for game in _named(log, each)) if what else log.games():
            try:
                text = text_of(log.read(game))
            except (Corrupt, NotationError) as error:
                failed += 1
                echo(error if isinstance(error, Corrupt) else f"{game}: {error}")
                continue
            if text is not None:
                _write(out / f"{names.public(game)}.txt", text)
                written += 1
            elif game in what or names.public(game) in what:
                raise RatscrewError(f"{game}: this game is not over")
    echo(f"{out} holds {written} games, each as a text file")
    return SOME if failed else ALL


def import_games(files: Sequence[Path], where: Location) -> None:
    """Add games from text files to the log, and print their names. If one file is wrong, none is added.

    Raises: RatscrewError if a file cannot be read, or a server uses the log; NotationError that names the file and the
    wrong line.
    """
    texts = {file: _read(file) for file in files}
    games = {file: _entries(file, text) for file, text in texts.items()}
    with open_for_writing(resolve(where)) as log:
        for file, entries in games.items():
            game = name_of(texts[file])
            had = bool(log.games(game))
            if not had:
                log.append(game, 0, entries)
            echo(f"{file}: {game}{', which was there before' * had}")


def _named(log: LogReader[Entry], what: str) -> Sequence[str]:
    """The game with this name, or all games of the room with this name or code."""
    game = find_game(log, what)
    exact = what.lower() in (game.lower(), GameNames.read(log).public(game).lower())
    return [game] if exact else room_games(log, game)


def _write(file: Path, text: str) -> None:
    """Write a new file; one with the same text may exist already."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.read_text(encoding="utf-8") == text:
            return
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except (OSError, UnicodeDecodeError) as error:
        raise RatscrewError(f"{file} cannot be written: {error}") from error


def _read(file: Path) -> str:
    try:
        if (size := file.stat().st_size) > 4 * TEXT_MOST:
            raise RatscrewError(f"{file} has {size:,} bytes: the text of a game has {4 * TEXT_MOST:,} at most")
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RatscrewError(f"{file} cannot be read: {error}") from error


def _entries(file: Path, text: str) -> list[Entry]:
    try:
        return entries_of(text)
    except NotationError as error:
        raise NotationError(f"{file}, {error}") from error
