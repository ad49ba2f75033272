"""The client's types are generated from the messages: the file must be up to date."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from ratscrew.cards import NAMES
from ratscrew.web import typescript
from ratscrew.web.typescript import render, wire_hash

PRINTED = Path(__file__).resolve().parents[2] / "client" / "src" / "wire.ts"


def test_the_committed_types_are_the_printed_ones() -> None:
    assert PRINTED.read_text(encoding="utf-8") == render(), "python -m ratscrew.web.typescript > client/src/wire.ts"


def test_the_page_is_told_the_name_of_its_types() -> None:
    assert f'export const WIRE = "{wire_hash()}"' in render()


def test_better_words_in_a_docstring_make_no_page_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    before, types = wire_hash(), typescript._types()
    monkeypatch.setattr(
        typescript, "_types", lambda: {name: ({"description": "Other."}, code) for name, (_, code) in types.items()}
    )
    assert wire_hash() == before
    assert "/** Other. */" in render()


def test_another_field_is_another_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    before, types = wire_hash(), typescript._types()
    monkeypatch.setattr(typescript, "_types", lambda: {**types, "Ping": ({}, "{\n  t: 'ping'\n}")})
    assert wire_hash() != before


def test_a_card_is_one_of_54_texts() -> None:
    text = render()
    assert all(f'"{name}"' in text for name in NAMES)
    assert 'export type VisibleCard = [Card | null, "burned" | "dead" | "live"]\n' in text


def test_what_is_sent_is_whole_and_what_is_heard_may_leave_out_defaults() -> None:
    text = render()
    assert "  tie: boolean\n" in text
    assert "  game?: string | null\n" in text


def test_what_may_be_anything_is_unknown() -> None:
    assert typescript._code({}) == "unknown"
    assert typescript._code({"type": "object"}) == "Record<string, unknown>"


def test_an_unknown_word_of_the_schema_is_an_error() -> None:
    with pytest.raises(TypeError, match="multipleOf"):
        typescript._code({"type": "integer", "multipleOf": 2})
    with pytest.raises(TypeError, match="no TypeScript for"):
        typescript._code({"type": "binary"})


def test_a_type_that_is_sent_and_heard_must_be_the_same_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    class Both(Struct):
        left: int = 0

    monkeypatch.setattr(typescript, "SENT", (Both,))
    monkeypatch.setattr(typescript, "RECEIVED", (Both,))
    with pytest.raises(TypeError, match="Both is both sent and received"):
        typescript._types()


def test_only_cards_are_unknown_to_msgspec() -> None:
    with pytest.raises(NotImplementedError):
        typescript._card(complex)
