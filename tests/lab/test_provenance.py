"""The hash of the sources changes with everything that decides what happens in a game."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ratscrew
from ratscrew.lab import provenance as tracing
from ratscrew.lab.provenance import provenance


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sources of the games, whose provenance is asked for."""
    root = Path(ratscrew.__file__).parent
    for name in ("rules", "game", "bots", "lab"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("cards.py", "deck.py"):
        shutil.copy(root / name, tmp_path / name)
    monkeypatch.setattr(tracing, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("deck.py", True),
        ("rules/slaps.py", True),
        ("game/evolve.py", True),
        ("bots/reflexes.py", True),
        ("lab/kernel/slap.py", True),
        ("lab/simulation.py", True),
        ("lab/report.py", False),
    ],
)
def test_a_change_of_what_is_played_is_another_source(file: str, counts: bool, copy: Path) -> None:
    before = provenance.__wrapped__()
    assert before == provenance()
    (copy / file).write_text((copy / file).read_text() + "\n")
    after = provenance.__wrapped__()
    assert (after.source != before.source, after.version) == (counts, ratscrew.__version__)
