"""Work that would delay slaps, in a process of its own, and its responses."""
