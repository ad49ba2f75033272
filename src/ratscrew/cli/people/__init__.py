"""The commands for players: reports, bans, ratings."""
