"""One seed for everything that is random in browser tests: what servers deal, name and draw, and what pages draw.

BROWSER_SEED names it, else it is drawn once a run. Of what a game does, only the moments are left to chance: how fast
the machine is at each of them.
"""

from __future__ import annotations

import os
import random
import re
import secrets
from collections import Counter
from pathlib import Path

VARIABLE = "BROWSER_SEED"
SEED = os.environ.setdefault(VARIABLE, str(secrets.randbelow(10**9)))  # workers of the same run take it over
"""The seed of this run."""

_drawn: Counter[str] = Counter()

DRAW = """((seed) => {
  let [name, loads] = [`${seed} ${Number(window.name || 0)}`, Number(window.name || 0)]
  window.name = String(loads + 1) // a page that is loaded again draws other numbers
  let state = [...name].reduce((hash, sign) => Math.imul(hash ^ sign.codePointAt(0), 16777619) >>> 0, 2166136261)
  const next = () => { // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
  Math.random = () => next() / 2 ** 32
  Crypto.prototype.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at++) bytes[at] = next()
    return array
  }
})"""
"""A script that begins a page: a function of a text, from which all that the page draws follows."""


def seed_for(what: str) -> str:
    """A seed for the next thing of this kind in the test that runs now; another one for each call."""
    test = re.sub(r" \(\w+\)$", "", os.environ.get("PYTEST_CURRENT_TEST", ""))
    return _next(f"{test} {what}")


def seed_for_server(file: Path) -> str:
    """A seed for the next start of a server with this file.

    The server of one test draws from the test's own seed. Of one that many tests share, only the folder's name without
    its number is the same whichever of them runs first.
    """
    folder = re.sub(r"\d+$", "", file.parent.name)
    return seed_for("server") if folder.startswith("test_") else _next(f"server of {folder}")


def _next(key: str) -> str:
    _drawn[key] += 1
    return f"{SEED} {key} {_drawn[key]}"


def draw_from(seed: str) -> None:
    """In a process of its own: draw all random numbers from this seed, those of `secrets` too. Never in a product."""
    numbers = random.Random(seed)
    setattr(random, "_urandom", numbers.randbytes)  # noqa: B010  # `secrets` and SystemRandom read from it
    random.seed(seed)


def forget() -> None:
    """Begin a test: what it draws does not depend on the tests before it."""
    _drawn.clear()
    random.seed(seed_for("test"))
