"""Decides who slapped first: takes claims and times, returns an order. No clock, no I/O, no game rules here."""
