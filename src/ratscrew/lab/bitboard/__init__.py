"""The bitboard backend: games of two players without slaps, 64 side by side in SIMD lanes. No clock.

Without slaps the deal decides everything. Each game of a seed is dealt as in the simulation, so both have the same
result.
"""
