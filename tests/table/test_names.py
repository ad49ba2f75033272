"""Names are normalised, rejected with the reason where they could deceive, and compared by how they look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratscrew.bots.names import NAMES
from ratscrew.rules.languages import LANGUAGES
from ratscrew.table.names.names import alike, faults, looks, tidy

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
    [
        "x" * 20,
        FAMILY * 20,
        KISS,
        ENGLAND,
        "❤️",
        "👍🏿",
        "3️⃣",
        "नमस्ते",
        "ผู้เล่น",
        "Nguyễn",
        "שלום",
        "محمد",
        "李小龍",
        "7",
        "فاطمه\u200cزهرا",
        "ශ්\u200dරී",
        "അനില്\u200d",
    ],
)
def test_people_of_the_world_have_their_names(name: str) -> None:
    assert faults(tidy(name)) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "A name needs 1 to 20 letters"),
        ("x" * 21, "A name needs 1 to 20 letters"),
        (FAMILY * 21, "A name needs 1 to 20 letters"),
        ("–", "A name needs a letter, a digit or a picture"),
        ("A\0na", "In the name, leave out the control character (U+0000)"),
        ("\x1b[31mBo", "In the name, leave out the control character (U+001B)"),
        ("A\u202ena", "In the name, leave out the character that turns the text around (U+202E)"),
        ("\u2067Ana", "In the name, leave out the character that turns the text around (U+2067)"),
        ("A\u200bna", "In the name, leave out the invisible character (U+200B)"),
        ("ꛮlice", "In the name, leave out the letter of another script (U+A6EE)"),
        ("Aߊice", "In the name, leave out the letter of another script (U+07CA)"),
        ("Ⲁlice", "In the name, leave out the letter of another script (U+2C80)"),
        ("A\u200cna", "In the name, leave out the invisible character (U+200C)"),
        ("محمد\u200c", "In the name, leave out the invisible character (U+200C)"),
        ("A\u200dna", "In the name, leave out the invisible character (U+200D)"),
        ("A\ufe0fna", "In the name, leave out the invisible character (U+FE0F)"),
        ("Ana\U000e0041", "In the name, leave out the invisible character (U+E0041)"),
        ("Ana\u3164", "In the name, leave out the invisible character (U+1160)"),
        ("Ana\u2800", "In the name, leave out the invisible character (U+2800)"),
        ("Ana\u034f", "In the name, leave out the invisible character (U+034F)"),
        ("\ue000Ana", "In the name, leave out the character that some devices cannot show (U+E000)"),
        ("\ud800Ana", "In the name, leave out the character that some devices cannot show (U+D800)"),
        ("\uffffAna", "In the name, leave out the character that some devices cannot show (U+FFFF)"),
        ("A" + "\u0335\u0336\u0337\u0338\u0321" + "na", "In the name, leave out some of the marks on one letter"),
        ("Alice\u20dd", "In the name, leave out the mark that does not belong to its letter (U+20DD)"),
        ("Ali\u20d0ce", "In the name, leave out the mark that does not belong to its letter (U+20D0)"),
        ("A\u0902na", "In the name, leave out the mark that does not belong to its letter (U+0902)"),
        ("An\u0336a\u0e34", "In the name, leave out the mark that does not belong to its letter (U+0E34)"),
        ("Alice\ufffc", "In the name, leave out the character that some devices cannot show (U+FFFC)"),
        ("😀" + "\u200d😀" * 9, "In the name, leave out some of the marks on one letter"),
    ],
)
def test_what_is_no_name_is_told_by_its_fault(name: str, fault: str) -> None:
    assert faults(tidy(name)) == [fault]
    assert LANGUAGES["de"].says(faults(tidy(name))[0]) != fault


def test_every_fault_is_told_once() -> None:
    assert faults("\u202e\u202e\0\0") == [
        "A name needs a letter, a digit or a picture",
        "In the name, leave out the character that turns the text around (U+202E)",
        "In the name, leave out the control character (U+0000)",
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
        ("Alice", "А\u04cfі\u0441\u0435"),  # Cyrillic, with a palochka
        ("Alice", "A\u04c0ice"),
        ("Alice", "\u13aalice"),  # Cherokee
        ("Alice", "\uab7alice"),
        ("ALICE", "\u13aa\u13de\u2160\u13df\u13ac"),
        ("Alice", "\ua4eelice"),  # Lisu
        ("Alice", "Ali\u2ca5e"),  # Coptic
        ("Alice", "Alic\u0565"),  # Armenian
        ("Alice", "\u1d00\u029f\u026a\u1d04\u1d07"),  # small capitals
        ("Alice", "Ali\u03f2e"),  # a Greek lunate sigma
        ("Alice", "Al\u0131\u0188e"),  # a hook
        ("Alice", "\u023alice"),  # a stroke
        ("Alice", "A\u05d5ice"),  # Hebrew
        ("Alice", "A\u0627ice"),  # Arabic
        ("Alice", "Ali\u1ab0ce"),  # marks beyond the usual ones
        ("Alice", "Ali\u1dc4ce"),
        ("Alice", "Alic\u212f"),
        ("Alice", "\U0001d400lice"),
        ("Alice", "Aノice"),
        ("Alice", "A丨ice"),
        ("Alice", "Alicɛ"),
        ("Alice", "🅰lice"),
        ("Alice", "Aliceـ"),
        ("Alice", "Ɑlice"),
    ],
)
def test_names_that_look_alike_are(one: str, other: str) -> None:
    assert alike(tidy(one), tidy(other))
    assert alike(tidy(other), tidy(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Ann"),
        ("Lia", "Ila"),
        ("Ana", "Ana 2"),
        ("Bo 1", "Bo 11"),
        ("😀", "😃"),
        ("कि", "की"),
        ("李", "季"),
        ("कु", "कू"),
        ("ดี", "ดิ"),
        ("Ёлка", "Белка"),
    ],
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


def test_every_character_that_unicode_lists_for_a_letter_is_taken_for_it() -> None:
    """A few lines of its list (confusables.txt, UTS #39), read here by hand."""
    listed = {
        "a": "ɑαа⍺",
        "e": "℮еҽ",
        "o": "ഠօоοჿ",
        "p": "рρϱⲣ",
        "A": "ΑАᎪᗅꓮ",
        "S": "ЅՏᏕꓢ",
        "T": "ΤТᎢꓔ⊤",
    }
    missed = [(like, sign) for like, signs in listed.items() for sign in signs if not alike(f"x{like}x", f"x{sign}x")]
    assert missed == []


@pytest.mark.parametrize("name", ["Ɑlice", "Alicɛ", "🅰lice", "Аlice"])
def test_an_account_that_looks_like_another_counts_as_the_same_name(name: str) -> None:
    assert looks(name) == looks("Alice")


@pytest.mark.parametrize("name", ["فاطمه\u200cزهرا", "ශ්\u200dරී", "അനില്\u200d"])
def test_invisible_joiners_are_allowed_where_scripts_need_them(name: str) -> None:
    """A Persian name, a Sinhala one, and a Malayalam one (RFC 5892, appendix A)."""
    assert faults(tidy(name)) == []
    assert alike(tidy(name), name.translate({0x200C: None, 0x200D: None}))
