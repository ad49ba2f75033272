"""Accounts of players: devices and passkeys, friends, reports and bans, results of games, and ratings."""
