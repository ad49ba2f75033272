"""The rules of a house, as data and functions of data. Nothing in this folder knows a game in progress."""
