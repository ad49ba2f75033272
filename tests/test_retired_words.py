"""Words that Ratscrew no longer uses stay out of what players read. The lists are in tests/retired_words.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from ratscrew.rules.languages import ENGLISH
from ratscrew.rules.presets import PRESETS, house
from ratscrew.rules.sheet import sheet

ROOT = Path(__file__).resolve().parent.parent
RETIRED = tomllib.loads((ROOT / "tests/retired_words.toml").read_text(encoding="utf-8"))

_STRING = re.compile(r"'([^'\n]*)'|`([^`\n]*)`")
_INSERTED = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")


def client_texts(source: str) -> Iterator[str]:
    """The texts of a catalogue of the client; what is inserted into one is left out, the texts in it are not."""
    for line in source.splitlines():
        code = line.partition(" // ")[0]
        if code.startswith(("//", "import ")) or code.strip().startswith("/**"):
            continue
        for single, template in _STRING.findall(code):
            yield single or _INSERTED.sub("–", template)
            for inserted in _INSERTED.findall(template):
                yield from (text for text, _ in _STRING.findall(inserted))


def rule_texts() -> Iterator[str]:
    """Every word of the rules: titles, hints, the words of each value, and each preset's sheet."""
    for words in ENGLISH.words.values():
        yield from (words.title, words.hint, *words.values.values())
    for preset in PRESETS:
        for section in sheet(house(preset)).sections:
            yield from (line.says for line in section.lines)


def retired(kind: str, texts: Iterator[str]) -> list[str]:
    """Each text with a retired word of this kind, and what to write instead."""
    patterns = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in RETIRED[kind].items()]
    return [
        f"{text!r}: {found[0]!r} is now {instead}"
        for text in texts
        for pattern, instead in patterns
        if (found := pattern.search(text))
    ]


def test_no_text_of_the_client_has_a_retired_word() -> None:
    texts = [*client_texts((ROOT / "client/src/words/en.ts").read_text(encoding="utf-8"))]
    assert len(texts) > 700
    assert retired("ui", iter(texts)) == []


def test_no_text_of_the_rules_has_a_retired_word() -> None:
    texts = [*rule_texts()]
    assert len(texts) > 500
    assert retired("ui", iter(texts)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Change the house",
        "Whoever slaps first takes the pile",
        "Go on on another device",
        "two cards of one rank on each other",
        "The server cannot be reached just now.",
        "Every chair is taken.",
    ],
)
def test_a_retired_word_is_found(text: str) -> None:
    assert retired("ui", iter([text]))


def test_the_texts_in_a_template_are_read_too() -> None:
    source = "  a: (n: number) => `${n === 1 ? 'the house' : `${n}`} of cards`,\n  b: 'House rules',"
    assert [*client_texts(source)][-1] == "House rules"
    assert any("house" in text for text in client_texts(source))
