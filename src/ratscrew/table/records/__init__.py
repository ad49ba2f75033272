"""What is stored of a table: log entries, and what can be computed from them later. No I/O here."""
