"""Arenas: many players, game after game, at tables that are paired by score until the time is over."""
