"""Play the studies of docs/studies again by today's sources, and say which of their cells have other figures.

    python -m benchmarks.replay                # all: an hour of one core
    python -m benchmarks.replay lengths tries  # these

The new tables replace the old ones, so that each row names the sources that have played it. The exit code is 1 if a
figure is another one: then `python -m benchmarks.answers` writes the tables of docs/answers.md, whose words may have to
follow. `tests/test_answers.py` plays some cells of each study at every run of the tests; this plays all of them.
"""

from __future__ import annotations

import argparse
import csv
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import claims, face_cards_dealt
from benchmarks.study_tables import STUDIES

OF_SOURCES = ("version", "source")
"""The columns that say what has played a row."""

PRECISION = 1e-9
"""A bound has been through functions whose last digits depend on a library's version."""

Row = Mapping[str, str]


def main(words: Sequence[str] | None = None, folder: Path = STUDIES) -> int:
    """Replay the studies that were asked for; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__.partition("\n")[0])
    parser.add_argument("studies", nargs="*", help="only these")
    asked = parser.parse_args(words)
    known = [*sorted(grid.stem for grid in folder.glob("*.toml")), "claims", "face-cards"]
    if strange := [name for name in asked.studies if name not in known]:
        parser.error(f"there is no study {strange[0]}; there are {', '.join(known)}")
    bad = False
    for name in asked.studies or known:
        old, new = replay(name, folder)
        others = list(differences(old, new))
        print(f"{name}: {len(new)} rows, {len(others)} differences", *others[:5], sep="\n  ", flush=True)
        bad = bad or bool(others)
    return int(bad)


def replay(name: str, folder: Path) -> tuple[list[Row], list[Row]]:
    """Play a study again and replace its table; returns the rows before and after."""
    table = folder / f"{name}.csv"
    old = read(table)
    with TemporaryDirectory(prefix="ratscrew-studies-") as place:
        file = Path(place, table.name)
        play(name, folder, file)
        table.write_bytes(file.read_bytes())
    return old, read(table)


def play(name: str, folder: Path, file: Path) -> None:
    """Play a study of a folder, and write its rows to a file."""
    if name == "claims":
        for _ in claims.play(claims.cells(), file, threads=1):
            pass
    elif name == "face-cards":
        face_cards_dealt.play(face_cards_dealt.GAMES, file)
    else:
        command: list[str | Path] = [
            Path(sys.executable).with_name("ratscrew"),
            "lab",
            "sweep",
            folder / f"{name}.toml",
        ]
        subprocess.run([*command, "--out", file, "--threads", "1"], check=True)


def differences(old: Sequence[Row], new: Sequence[Row]) -> Iterator[str]:
    """What differs between two tables, one sentence for each figure; the sources do not count."""
    if len(old) != len(new):
        yield f"{len(new)} rows instead of {len(old)}"
    for number, (before, after) in enumerate(zip(old, new, strict=False)):
        for name in dict.fromkeys((*before, *after)):
            was, now = before.get(name, ""), after.get(name, "")
            if name not in OF_SOURCES and not same(was, now):
                yield f"row {number}: {name} = {now or 'none'} instead of {was or 'none'}"


def same(was: str, now: str) -> bool:
    """Whether two values of a table are the same."""
    try:
        return was == now or math.isclose(float(was), float(now), rel_tol=PRECISION, abs_tol=PRECISION)
    except ValueError:
        return False


def read(table: Path) -> list[Row]:
    """The rows of a table."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    raise SystemExit(main())
