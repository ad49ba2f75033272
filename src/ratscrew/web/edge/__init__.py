"""Below HTTP: connections, their limits and files, and how workers pass them on."""
