"""What players find again: accounts, results, ratings, friends, reports. No I/O here besides a store of values."""
