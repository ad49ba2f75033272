"""The seats of a table and the people and bots on them."""
