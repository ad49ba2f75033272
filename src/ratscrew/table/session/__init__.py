"""One running game: slaps, reveals, countdowns."""
