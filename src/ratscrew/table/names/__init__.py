"""The names that players may have, and those that they get."""
