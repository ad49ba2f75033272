"""The game: commands in, events out, state from events. Nothing in this folder knows time, chance or people."""
