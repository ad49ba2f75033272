"""The table: its requests, its host, its games one after the other. No I/O."""
