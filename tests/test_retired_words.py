"""Retired words stay out of what players and engineers read. The lists are in tests/retired_words.toml."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
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
            yield from (line.text for line in section.lines)


def retired(kind: str, texts: Iterable[str]) -> list[str]:
    """Each text with a retired word of this kind, and what to write instead."""
    patterns = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in RETIRED[kind].items()]
    return [
        f"{text[max(0, found.start() - 40) : found.end() + 40]!r}: {found[0]!r} is now {instead}"
        for text in texts
        for pattern, instead in patterns
        if (found := pattern.search(text))
    ]


def test_no_text_of_the_client_has_a_retired_word() -> None:
    texts = [*client_texts((ROOT / "client/src/i18n/en.ts").read_text(encoding="utf-8"))]
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


CODE = sorted((ROOT / "src/ratscrew").rglob("*.py"))
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PENDING: list[str] = RETIRED["pending"]["files"]


def comments(source: str) -> Iterator[str]:
    """The comments and docstrings of a module, without the code that they quote."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield _unquoted(token.string)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield _unquoted(node.value.value)


def names(path: Path) -> Iterator[str]:
    """The names of a module, its classes and its functions."""
    yield path.name
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def in_code(path: Path) -> list[str]:
    """The retired words and names of a module."""
    patterns = RETIRED["names"].items()
    old = [f"{name} is now one of {now}" for name in names(path) for each, now in patterns if re.fullmatch(each, name)]
    return [*retired("code", comments(path.read_text(encoding="utf-8"))), *old]


def in_page(text: str) -> list[str]:
    """The retired words of a page, outside of code and quotations."""
    prose = re.sub(r"^```.*?^```|\"[^\"\n]*\"", "", text, flags=re.DOTALL | re.MULTILINE)
    paragraphs = _unquoted(prose).split("\n\n")
    return [*retired("code", paragraphs), *retired("docs", paragraphs)]


def _unquoted(text: str) -> str:
    """A text without the code between its backticks."""
    return re.sub(r"`[^`]*`", "`…`", text)


@cache
def found() -> dict[str, list[str]]:
    """The retired words in the code and the pages, by file."""
    words = {path: in_code(path) for path in CODE}
    words |= {path: in_page(path.read_text(encoding="utf-8")) for path in DOCS}
    return {path.relative_to(ROOT).as_posix(): each for path, each in words.items() if each}


def test_no_retired_word_is_in_the_code_or_on_a_page() -> None:
    assert len(CODE) > 200
    assert len(DOCS) > 8
    assert {file: words for file, words in found().items() if file not in PENDING} == {}


def test_a_file_without_retired_words_is_not_pending() -> None:
    assert set(PENDING) - found().keys() == set(), "delete these lines of tests/retired_words.toml"


@pytest.mark.parametrize(
    "text",
    [
        "# Whoever comes first.",
        '"""A page is told.\n\nHis cards are gone."""',
        "def f():\n    # the hourglass of a guise\n    pass",
    ],
)
def test_a_retired_word_in_a_comment_is_found(text: str) -> None:
    assert retired("code", comments(text))


def test_quoted_code_and_other_strings_may_have_any_word() -> None:
    assert retired("code", comments('"""Reads `wishes`."""\nx = "whoever"')) == []


@pytest.mark.parametrize("name", ["class Hourglass: ...", "def weigh(): ..."])
def test_a_retired_name_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(name)
    assert in_code(tmp_path / "module.py")


def test_a_retired_name_of_a_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "scales.py").write_text("")
    assert in_code(tmp_path / "scales.py")


def test_a_retired_word_of_a_page_is_found() -> None:
    assert in_page("Text.\n\n## The laws\n\nA file imports the floors below it.")
    assert in_page("```\nwhoever\n```\nSee `whoever`.") == []
