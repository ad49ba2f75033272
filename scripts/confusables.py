"""Write `src/ratscrew/table/names/confusables.txt` from Unicode's list of characters that look alike.

    scripts/python scripts/confusables.py confusables.txt

The list is at https://www.unicode.org/Public/security/latest/confusables.txt (UTS #39). Left out is what the comparison
of names does not need: characters that its normalization (NFKD) or its case folding changes into others, marks, and
ASCII, which `ratscrew.table.names.names` compares by rules of its own. Small capitals, and
letters with a stroke or a hook, are read as their letters.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src" / "ratscrew" / "table" / "names" / "confusables.txt"

_LINE = re.compile(r"^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA")
_VARIANT = re.compile(r"LATIN (?:LETTER SMALL CAPITAL|(?:SMALL|CAPITAL) LETTER) ([A-Z])(?: WITH .*)?$")


def read(text: str) -> dict[str, str]:
    """What each character of Unicode's list looks like."""
    rows = (match.groups() for line in text.splitlines() if (match := _LINE.match(line)))
    return {chr(int(one, 16)): "".join(chr(int(code, 16)) for code in like.split()) for one, like in rows}


def variants() -> dict[str, str]:
    """The letters that small capitals are, and letters with a stroke, a hook or a tail."""
    named = ((chr(code), unicodedata.name(chr(code), "")) for code in range(0x80, 0x20000))
    matches = ((sign, name, _VARIANT.match(name)) for sign, name in named)
    return {sign: match[1].lower() if "SMALL" in name else match[1] for sign, name, match in matches if match}


def plain(text: str) -> str:
    """A text without what the comparison takes away."""
    return "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.category(sign).startswith("M")
    )


def table(listed: dict[str, str]) -> dict[str, str]:
    """By what it looks like, every character that the comparison has to replace."""
    letters = variants()
    found = defaultdict[str, list[str]](list)
    for sign in sorted({*listed, *letters}):
        like = letters.get(sign) or plain("".join(letters.get(each, each) for each in listed.get(sign, sign)))
        wanted = ord(sign) > 127 and plain(sign) == sign and like not in ("", sign) and not like.isspace()
        if wanted and not unicodedata.category(sign).startswith(("Z", "P", "C")):
            found[like].append(sign)
    return {like: "".join(signs) for like, signs in sorted(found.items())}


def main(source: Path) -> None:
    """Write the table."""
    text = source.read_text(encoding="utf-8")
    version = re.search(r"^# Version: (\S+)", text, re.MULTILINE)
    lines = [
        f"# Characters that look like others, from Unicode's confusables.txt {version[1] if version else ''}",
        "# (© Unicode, Inc., https://www.unicode.org/terms_of_use.html); written by scripts/confusables.py.",
        "# Each line: what they look like, a space, the characters.",
        *(f"{like} {signs}" for like, signs in table(read(text)).items()),
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
