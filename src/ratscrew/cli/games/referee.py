"""`ratscrew referee FILE...`: plays worked examples and prints where the game differs from them."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ratscrew.cli.terminal import echo
from ratscrew.game.codec import Codec
from ratscrew.game.referee import differences, read

AGREES, DIFFERS, UNREADABLE = 0, 1, 2
_JSON = Codec[Any](Any)


def referee(files: Sequence[Path]) -> int:
    """Play the worked examples of files, print each failure and a line of totals, and give the exit code.

    0 if every example agrees, 1 if one does not, 2 if a file or an example in it cannot be read. An example that cannot
    be read counts as failed, and the others are still played.
    """
    passed = failed = 0
    code = AGREES
    for file in files:
        try:
            examples = _examples(file)
        except (OSError, ValueError) as error:
            echo(f"{file}: {error.strerror if isinstance(error, OSError) else error}")
            code = UNREADABLE
            continue
        for place, value in enumerate(examples, 1):
            name = f"{file}: {_name(value, place)}"
            try:
                found = differences(read(value))
            except ValueError as error:
                found = [f"cannot be read: {error}"]
                code = UNREADABLE
            for fault in found:
                echo(f"{name}: {fault}")
            passed, failed = passed + (not found), failed + bool(found)
    echo(f"{passed} passed, {failed} failed")
    return code or (DIFFERS if failed else AGREES)


def _examples(file: Path) -> list[Any]:
    """The examples of a file: a list of them, or a table whose `vectors` they are."""
    try:
        value = _JSON.decode(file.read_bytes().removeprefix(BOM_UTF8))
    except ValueError as error:
        raise ValueError(f"this is no JSON: {error}") from error
    examples = value.get("vectors") if isinstance(value, dict) else value
    if not isinstance(examples, list):
        raise ValueError("there are no worked examples: a file is a list of them, or a table with a list 'vectors'")
    return examples


def _name(value: object, place: int) -> str:
    """The `id` of an example, or its position."""
    name = value.get("id") if isinstance(value, dict) else None
    return str(name) if name else f"example {place}"
