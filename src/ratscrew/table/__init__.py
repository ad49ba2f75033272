"""Tables and rooms: players, running games, clocks, connected clients. The lowest layer that uses asyncio."""
