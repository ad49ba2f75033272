"""A file with a room in it, and the command run in this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ratscrew import cli
from ratscrew.rules.presets import house
from ratscrew.table.record.entries import RulesChanged, Sat
from tests.cli.sample_room import FIRST, NAMES, ROOM, SECOND, Run, with_verdicts, write


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Game 0, before the first; game 1 with verdicts; Cy, who joined during it, waits for the next."""
    file = tmp_path / "games.sqlite3"
    write(file, f"{ROOM}-0", RulesChanged(house(), "1;classic"), *NAMES)
    write(file, f"{ROOM}-1", *with_verdicts(FIRST, SECOND), Sat(2, "Cy"))
    return file


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in this process."""

    def running(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["ratscrew", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        return int(stopped.value.code or 0), *capsys.readouterr()

    return running
