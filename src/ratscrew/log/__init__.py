"""The event log: what is in it has happened, and stays. The database is known in this folder only."""
