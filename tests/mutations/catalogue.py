"""The list of mutations: the TOML files of this folder, read and checked against the source."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCE = "src/ratscrew"


@dataclass(frozen=True, slots=True)
class Mutation:
    """A mistake that is put into the source: the text `before` of a file becomes `after`, and `test` must fail.

    `file` is below `src/ratscrew`; `test` is a file of tests and the name of one of its functions. `why_not` explains a
    mistake that no test can find.
    """

    mistake: str
    file: str
    before: str
    after: str
    test: str
    why_not: str = ""

    def apply(self, text: str) -> str:
        """The text of the file with the mistake.

        Raises: ValueError unless `before` occurs exactly once in it.
        """
        if (count := text.count(self.before)) != 1:
            raise ValueError(f"{self.file}: {count} times, not once: {self.before!r}")
        return text.replace(self.before, self.after)


def read_catalogue() -> list[Mutation]:
    """All mutations, in the order of the files and of their entries.

    Raises: TypeError if an entry lacks a key, or has one too many.
    """
    files = sorted(HERE.glob("*.toml"))
    return [Mutation(**entry) for file in files for entry in tomllib.loads(file.read_text())["mutation"]]


def problems_of(mutation: Mutation, root: Path = ROOT) -> list[str]:
    """Why a mutation cannot be tried on the source as it is now."""
    found, path = list[str](), root / SOURCE / mutation.file
    if mutation.before == mutation.after:
        found.append(f"{mutation.mistake}: it changes nothing")
    try:
        compile(mutation.apply(path.read_text()), mutation.file, "exec")
    except (OSError, ValueError, SyntaxError) as error:
        found.append(f"{mutation.mistake}: {error}")
    file, _, name = mutation.test.partition("::")
    test = root / file
    if not test.is_file() or f"def {name}(" not in test.read_text():
        found.append(f"{mutation.mistake}: there is no test {mutation.test}")
    return found
