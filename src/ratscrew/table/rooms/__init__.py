"""Rooms: a table with its clients, codes, and the registry that finds them."""
