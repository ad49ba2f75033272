"""The event log in PostgreSQL, which any number of processes can share."""
