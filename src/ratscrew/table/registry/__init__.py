"""The rooms of a server: their codes and tokens, how they are opened, found, restored and paired."""
