"""Malformed input: arbitrary bytes, and valid inputs that were modified."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

NASTY = (
    b"\x00",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xed\xa0\x80",  # half of a surrogate pair, as itself and as an escape of JSON
    rb"\ud800",
    rb'"\udc00"',
    "\u2028\u0085\r\n\x0b\x1c".encode(),
    "\u202e\u0661²٣".encode(),
    b"[" * 50_000,
    b'{"a":' * 50_000,
    b"a." * 900,
    b"9" * 5000,
    b"9" * 30,
    b"-1",
    b"1e999",
    b"1e400.5",
    b"NaN",
    b"null",
    b"true",
    b"{}",
    b"[]",
    b'""',
    b";" * 1900,
    b";a=1" * 400,
    b"9S " * 5000,
    b"\n1: 2:" * 500,
)
"""Inputs that have broken other readers."""


def words_of(seeds: tuple[bytes, ...]) -> list[bytes]:
    """The words of seeds, each once."""
    return sorted({word for seed in seeds for word in seed.replace(b'"', b" ").split()})


@st.composite
def spoiled(draw: DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A seed of which some parts are cut out, said twice, or replaced: by a part of a seed, or by something nasty."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 30)))
        data = data[:start] + draw(_instead(data[start:end], seeds)) + data[end:]
    return data


def _instead(part: bytes, seeds: tuple[bytes, ...]) -> SearchStrategy[bytes]:
    return st.one_of(
        st.sampled_from([b"", part * 2]),
        st.sampled_from(words_of(seeds)),
        st.sampled_from(NASTY),
        st.binary(max_size=4),
        st.text(max_size=4).map(str.encode),
    )
