"""From a table's effects to the connected clients, in order and only after the log has them."""
