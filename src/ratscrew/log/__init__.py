"""The event log: an append-only list of entries for each game. The only package that imports sqlite3 and psycopg."""
