"""Lanes: two players who slap nothing, by the million, 64 games side by side. Nothing here looks at a clock.

Without slaps the deal decides everything. Each game of a seed is dealt as on the lab's own table, so both come to the
same.
"""
