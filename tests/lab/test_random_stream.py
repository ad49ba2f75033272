"""The lab's random numbers: the generator is the published one, and each game has its own stream."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise

from ratscrew.lab.random_stream import RandomStream, advance, below, mix, unit_float

PUBLISHED = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
"""The first numbers of splitmix64 from the state 1234567, as published for implementers."""


def test_the_generator_is_the_published_one() -> None:
    state, words = 1234567, []
    for _ in PUBLISHED:
        state = advance(state, 1)
        words.append(mix(state))
    assert words == PUBLISHED


def test_a_number_below_n_is_each_as_likely() -> None:
    stream = RandomStream(7)
    counts = Counter(stream.below(6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5  # chi², 5 degrees, one in a thousand


def test_the_ends_of_what_can_be_drawn() -> None:
    assert (below(0, 52), below(2**64 - 1, 52)) == (0, 51)
    assert (unit_float(0), unit_float(2**64 - 1)) == (0, 1 - 2**-53)


def test_chances_are_spread_evenly() -> None:
    stream = RandomStream(8)
    counts = Counter(int(stream.chance() * 10) for _ in range(50_000))
    assert sum((count - 5_000) ** 2 / 5_000 for count in counts.values()) < 27.9  # chi², 9 degrees, one in a thousand


def test_each_game_of_a_seed_has_its_own_numbers_and_always_the_same() -> None:
    firsts = [RandomStream(seed, game).below(2**32) for seed in (1, 2, -1) for game in range(200)]
    assert len(set(firsts)) == 600
    assert firsts == [RandomStream(seed, game).below(2**32) for seed in (1, 2, -1) for game in range(200)]


def test_games_beside_each_other_have_nothing_to_do_with_each_other() -> None:
    """Of neighbours' first words, half of the bits differ."""
    words = [RandomStream(3, game).below(2**32) for game in range(2_000)]
    differing = [(one ^ other).bit_count() for one, other in islice(pairwise(words), None)]
    assert abs(sum(differing) / len(differing) - 16) < 4 * (8 / 2_000) ** 0.5
