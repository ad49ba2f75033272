"""Which process has which room: the nodes of a cluster, their leases, and the rooms that are open to strangers."""
