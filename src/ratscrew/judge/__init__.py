"""Decides who slapped first: from reactions and times, an order. No clock, no I/O, no game rules here."""
