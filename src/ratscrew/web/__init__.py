"""Pages, HTTP and WebSockets. The only package that imports aiohttp."""
