"""The kernel: the same game as the engine's and the race's, compiled. It knows a house by its tables alone."""
