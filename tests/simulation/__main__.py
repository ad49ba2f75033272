"""Run many simulated worlds, each drawn from its seed, until an invariant fails in one.

python -m tests.simulation --seeds 5000 --from 100
python -m tests.simulation --seed 4711 --trace
python -m tests.simulation --nodes 3 --seeds 1000
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.simulation.cluster_story import MISTAKES, ClusterStory
from tests.simulation.story import Story, some_houses
from tests.simulation.world import Broken

TOLD_EVERY = 500
LAST_LINES = 60


def main() -> int:
    """Run the requested seeds; returns 1 if an invariant fails in one of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1000, help="how many worlds")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--seed", type=int, help="this one world only, and its hash")
    parser.add_argument("--nodes", type=int, default=0, help="so many nodes that share a simulated PostgreSQL")
    parser.add_argument("--mistake", choices=MISTAKES, help="what the nodes do wrong on purpose")
    parser.add_argument("--trace", action="store_true", help="everything that happened in the last world")
    asked = parser.parse_args()
    some_houses()
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else [asked.seed]
    began = time.monotonic()
    for count, seed in enumerate(seeds, 1):
        story = ClusterStory(seed, asked.nodes, asked.mistake) if asked.nodes else Story(seed)
        try:
            story.tell()
        except Broken as broken:
            print(*story.world.trace[0 if asked.trace else -LAST_LINES :], sep="\n")
            nodes = f" --nodes {asked.nodes}" if asked.nodes else ""
            print(f"seed {seed}: {broken}\nonce more: python -m tests.simulation{nodes} --seed {seed} --trace")
            return 1
        if count % TOLD_EVERY == 0 or count == len(seeds):
            a_minute = count / (time.monotonic() - began) * 60
            print(f"{count} worlds, {a_minute:.0f} a minute: every invariant holds")
    if asked.seed is not None:
        print(*story.world.trace if asked.trace else [], f"hash {story.world.hash()}", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
