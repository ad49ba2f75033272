"""Any input is read or rejected: with its one kind of error, in a sentence, and never with another.

`python -m tests.fuzz` looks for more, for as long as one likes.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.spoiling import NASTY, spoiled
from tests.fuzz.targets import TARGETS, check


@pytest.mark.parametrize("name", TARGETS)
def test_every_seed_is_understood(name: str) -> None:
    for seed in TARGETS[name].seeds:
        TARGETS[name].read(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_what_has_undone_others_is_read_or_refused(name: str) -> None:
    """By itself, and at the beginning, the middle and the end of what is understood."""
    target = TARGETS[name]
    seed = target.seeds[0]
    for nasty in NASTY:
        for place in {0, len(seed) // 2, len(seed)}:
            check(target, seed[:place] + nasty + seed[place:])
        check(target, nasty)


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_is_spoiled_is_read_or_refused(name: str) -> None:
    target = TARGETS[name]

    @given(spoiled(target.seeds) | st.binary(max_size=60))
    def holds(data: bytes) -> None:
        check(target, data)

    holds()
