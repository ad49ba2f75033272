"""The commands that play, show and check games."""
