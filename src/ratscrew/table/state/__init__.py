"""The state of a table, how events change it, and its snapshots."""
