"""A room: a table on the event loop, with its log and its connected clients."""
