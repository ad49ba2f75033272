"""Pages, HTTP and sockets. The web library is known in this folder only."""
