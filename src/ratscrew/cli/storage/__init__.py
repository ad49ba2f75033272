"""The commands for stored games: where they are, backups, copies, deletion."""
