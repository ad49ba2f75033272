"""The kernel: the game and the simulation, compiled. A house reaches it only as tables."""
