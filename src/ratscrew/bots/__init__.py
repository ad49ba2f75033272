"""Bots: they get a view and return a plan. They see no more than a player does."""
