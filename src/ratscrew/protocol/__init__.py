"""The protocol between a client and its room, whatever carries it: messages, players, spectators, pings. No aiohttp."""
