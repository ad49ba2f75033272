"""Who may do what: accounts, bans, names, access to rooms."""
