"""Wins by the number of face cards dealt: two steady players in `classic`, for docs/answers.md."""

from __future__ import annotations

import csv
from pathlib import Path

from ratscrew.bots.ladder import PLAIN
from ratscrew.game.engine import deal
from ratscrew.lab.kernel.runner import Kernel
from ratscrew.lab.random_stream import RandomStream
from ratscrew.rules.presets import house

GAMES = 40_000


def play(games: int, file: Path) -> None:
    """Deal and play so many games, and write one row per number of face cards: games, and wins of the leader."""
    rules, seed = house(), 1
    kernel = Kernel.of(rules, [PLAIN["steady"]] * 2)
    counts: dict[int, list[int]] = {}
    for number in range(games):
        dealt = deal(rules, 2, -rules.step % 2, RandomStream(seed, number).below)
        held = sum(rules.chances_by_card[card] > 0 for card in dealt.hands[0])
        won = kernel.block(seed, number, 1).wins[:1] == (1,)
        some = counts.setdefault(min(max(held, 4), 12), [0, 0])
        some[0] += 1
        some[1] += won
    names = {4: "4 or fewer", 12: "12 or more"}
    with file.open("w", encoding="utf-8", newline="") as open_file:
        sheet = csv.writer(open_file, lineterminator="\n")
        sheet.writerow(["face_cards", "games", "wins"])
        sheet.writerows([names.get(held, str(held)), *counts[held]] for held in sorted(counts))
