"""Names are tidied, refused with the reason where they could deceive, and compared as they look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.bots.names import NAMES
from ratscrew.rules.languages import LANGUAGES
from ratscrew.table.names import alike, faults, tidy

FAMILY, KISS, ENGLAND = "👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ana \t B.\n", "Ana B."),
        ("Ana\u00a0\u3000B", "Ana B"),
        ("Ａｎａ", "Ana"),
        ("ﬁn", "fin"),
        ("Jose\u0301", "José"),
        ("Ωmega 🂡", "Ωmega 🂡"),
    ],
)
def test_a_name_is_tidied(text: str, name: str) -> None:
    assert tidy(text) == name
    assert faults(name) == []


@pytest.mark.parametrize(
    "name",
    ["x" * 20, FAMILY * 20, KISS, ENGLAND, "❤️", "👍🏿", "3️⃣", "नमस्ते", "ผู้เล่น", "Nguyễn", "שלום", "محمد", "李小龍", "7"],
)
def test_people_of_the_world_have_their_names(name: str) -> None:
    assert faults(tidy(name)) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "name: it needs 1 to 20 letters"),
        ("x" * 21, "name: it needs 1 to 20 letters"),
        (FAMILY * 21, "name: it needs 1 to 20 letters"),
        ("–", "name: it needs a letter, a digit or a picture"),
        ("A\0na", "name: U+0000 is a control character"),
        ("\x1b[31mBo", "name: U+001B is a control character"),
        ("A\u202ena", "name: U+202E changes the direction of writing"),
        ("\u2067Ana", "name: U+2067 changes the direction of writing"),
        ("A\u200bna", "name: U+200B cannot be seen"),
        ("A\u200dna", "name: U+200D cannot be seen"),
        ("A\ufe0fna", "name: U+FE0F cannot be seen"),
        ("Ana\U000e0041", "name: U+E0041 cannot be seen"),
        ("Ana\u3164", "name: U+1160 cannot be seen"),
        ("Ana\u2800", "name: U+2800 cannot be seen"),
        ("Ana\u034f", "name: U+034F cannot be seen"),
        ("\ue000Ana", "name: U+E000 is no letter that every device has"),
        ("\ud800Ana", "name: U+D800 is no letter that every device has"),
        ("\uffffAna", "name: U+FFFF is no letter that every device has"),
        ("A" + "\u0335\u0336\u0337\u0338\u0321" + "na", "name: there are too many marks on one letter"),
        ("😀" + "\u200d😀" * 9, "name: there are too many marks on one letter"),
    ],
)
def test_what_is_no_name_is_told_by_its_fault(name: str, fault: str) -> None:
    assert faults(tidy(name)) == [fault]
    assert LANGUAGES["de"].says(faults(tidy(name))[0]) != fault


def test_every_fault_is_told_once() -> None:
    assert faults("\u202e\u202e\0\0") == [
        "name: it needs a letter, a digit or a picture",
        "name: U+202E changes the direction of writing",
        "name: U+0000 is a control character",
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ANA"),
        ("Ana", "Аna"),  # a Cyrillic one
        ("Ana", "Аnа"),
        ("Kai", "Κai"),  # a Greek one
        ("José", "Jose"),
        ("Bob", "B0b"),
        ("All", "AIl"),
        ("All", "A1l"),
        ("Amo", "Arno"),
        ("William", "VVilliam"),
        ("Ana", "Ana."),
        ("Ana", "A na"),
        ("STRASSE", "straße"),
    ],
)
def test_names_that_look_alike_are(one: str, other: str) -> None:
    assert alike(tidy(one), tidy(other))
    assert alike(tidy(other), tidy(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Ann"), ("Lia", "Ila"), ("Ana", "Ana 2"), ("Bo 1", "Bo 11"), ("😀", "😃"), ("कि", "की"), ("李", "季")],
)
def test_other_names_are_not(one: str, other: str) -> None:
    assert not alike(one, other)


def test_no_two_bots_look_alike() -> None:
    assert not [(one, other) for one in NAMES for other in NAMES if one < other and alike(one, other)]


@given(st.text(st.characters(), max_size=30))
def test_whatever_is_typed_is_tidied_once_and_never_an_error(text: str) -> None:
    name = tidy(text)
    assert tidy(name) == name
    assert alike(name, name)
    assert faults(name) == faults(tidy(name))
