"""Compare random games of the engine with those of the oracle.

python -m tests.oracle --games 10000      # as many games as there is time for
python -m tests.oracle --seed 17          # one game, as a failed test names it
"""

from __future__ import annotations

import argparse
import sys

from tests.oracle.compare import Difference, Match


def main() -> int:
    """Play the games; returns 1 if any differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1, help="how many games are played")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first game; the next have the next ones")
    asked = parser.parse_args()
    differences = 0
    for seed in range(asked.seed, asked.seed + asked.games):
        found = Match(seed).play()
        if isinstance(found, Difference):
            differences += 1
            print(f"{found}\n")
    print(f"{asked.games} games compared, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
