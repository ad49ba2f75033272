"""A server as one node of a cluster."""
