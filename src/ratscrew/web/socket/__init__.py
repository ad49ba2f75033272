"""The channels of clients: WebSockets and event streams, from their request to their end."""
