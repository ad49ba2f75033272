"""The seats of a table, and the players and bots in them."""
