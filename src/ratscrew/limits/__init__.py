"""What clients may cost, for each address and for all together. Does not import aiohttp."""
