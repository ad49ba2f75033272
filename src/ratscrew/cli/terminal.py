"""Safe printing: text from logs and files cannot move the cursor, change colours or reverse the text direction.

A control character is escaped as in JSON (`\\u001b`), so printed JSON keeps its meaning.
"""

from __future__ import annotations

import re
import sys
from io import TextIOWrapper
from typing import TextIO

_UNSAFE = re.compile(
    r"[\x00-\x08\x0B-\x1F\x7F-\x9F"  # control characters, but the end of a line and the tabulator
    r"\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069"  # directions, and other ends of lines
    r"\uD800-\uDFFF]"  # half a character
)
_BREAK = re.compile(r"[\n\t]")


def echo(*texts: object, sep: str = "\n", file: TextIO | None = None) -> None:
    """Print texts, one per line, without terminal control characters. Commands print with this, or with Rich."""
    print(printable(sep.join(map(str, texts))), file=file or sys.stdout, flush=True)


def can_print(text: str) -> bool:
    """Whether standard output has these characters; in the locale of an old terminal it may have few."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def replace_unknown_characters() -> None:
    """Print `?` for characters that the terminal's locale does not have, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def printable(text: str) -> str:
    """Escape the control characters, lone surrogates and direction marks in a text; line breaks stay."""
    return _UNSAFE.sub(_escaped, text)


def one_line(name: str) -> str:
    """Escape a name, with its newlines and tabs too."""
    return _BREAK.sub(_escaped, printable(name))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
