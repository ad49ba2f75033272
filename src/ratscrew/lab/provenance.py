"""Where a result comes from: the version of Ratscrew, and a hash of the sources that decide what happens in a game.

Results of different sources are not mixed: the same seed may play other games.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from ratscrew import __version__
from ratscrew.bots.user_modules import source_files

ROOT = Path(__file__).resolve().parents[1]
"""The folder of the sources."""

PLAYED_BY = ("cards.py", "deck.py", "rules", "game", "bots", "lab/kernel", "lab/bitboard")
"""The sources that decide what happens in a game, and those of the lab below."""

COUNTED_BY = ("bits", "lineup", "play", "random_stream", "simulation", "tables", "tally")
"""The modules of the lab that play and count games."""


class Provenance(Struct, frozen=True):
    """The version of Ratscrew, and the hash of the sources."""

    version: str
    source: str

    def __str__(self) -> str:
        return f"{self.version or 'unknown'} (source {self.source or 'unknown'})"


@cache
def provenance(modules: tuple[str, ...] = ()) -> Provenance:
    """The provenance of what this process plays with these modules of a user.

    Of a module, its own file counts, or all files of a package, but nothing else that it imports.

    Raises: RatscrewError if a module has no source file.
    """
    named = [ROOT / name for name in PLAYED_BY] + [ROOT / "lab" / f"{name}.py" for name in COUNTED_BY]
    files = [file for place in named for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    texts = (part for file in files for part in (file.relative_to(ROOT).as_posix().encode(), file.read_bytes()))
    own = (part for name in modules for file in source_files(name) for part in (name.encode(), file.read_bytes()))
    digest = sha256(b"\0".join((*texts, *own))).hexdigest()
    return Provenance(__version__, f"sha256-{digest[:16]}")
