"""Who slapped first: claims and time in, an order out. No clock, no socket, no rule of the game in this folder."""
