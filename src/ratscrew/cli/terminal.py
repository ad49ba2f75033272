"""What commands print: text from logs and files cannot move the cursor, change colours or turn the line around.

A control character is printed as in JSON (`\\u001b`), so JSON that is printed keeps its meaning.
"""

from __future__ import annotations

import re
import sys
from typing import TextIO

_UNSAFE = re.compile(
    r"[\x00-\x08\x0B-\x1F\x7F-\x9F"  # control characters, but the end of a line and the tabulator
    r"\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069"  # directions, and other ends of lines
    r"\uD800-\uDFFF]"  # half a character
)
_BREAK = re.compile(r"[\n\t]")


def echo(*texts: object, sep: str = "\n", file: TextIO | None = None) -> None:
    """Print texts below each other, without any power over the terminal. Commands print by this, or by Rich."""
    print(printable(sep.join(map(str, texts))), file=file or sys.stdout, flush=True)


def printable(text: str) -> str:
    """A text with its control characters, lone surrogates and changes of direction escaped; lines stay lines."""
    return _UNSAFE.sub(_escaped, text)


def one_line(name: str) -> str:
    """The same for a name, which has one line."""
    return _BREAK.sub(_escaped, printable(name))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
