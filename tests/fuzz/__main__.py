"""Coverage-guided fuzzing for inputs that break a reader: `python -m tests.fuzz TARGET --seconds 300`.

Without a target, all run in turn. They need atheris: `.venv/bin/python -m pip install --group fuzz`. Findings are
printed, and written to a file `crash-...`; add them to `NASTY`, or to a test of the broken reader. The target `http`
is a whole server, tested by schemathesis.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

MOST = 4096
"""Bytes of the longest inputs."""


def main() -> None:
    """Fuzz one target, or every one in a process of its own, as the fuzzer ends its process."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", nargs="?")
    parser.add_argument("--seconds", type=int, default=60)
    asked = parser.parse_args()
    if asked.target == "http":
        ask_a_server(asked.seconds)
    if asked.target:
        fuzz(asked.target, asked.seconds)
        return
    from tests.fuzz.targets import TARGETS

    undone = []
    for name in TARGETS:
        words = [sys.executable, "-m", "tests.fuzz", name, "--seconds", str(asked.seconds)]
        ended = subprocess.run(words, capture_output=True, text=True, errors="replace")
        runs = [line for line in ended.stderr.splitlines() if line.startswith("Done")]
        print(f"{name}: {runs[-1] if runs else 'UNDONE'}", flush=True)
        if ended.returncode:
            undone.append(name)
            print(ended.stdout + ended.stderr, flush=True)
    raise SystemExit(bool(undone))


def ask_a_server(seconds: int) -> NoReturn:
    """Send different HTTP requests to a server for this long."""
    from tests.fuzz.served import ask

    with tempfile.TemporaryDirectory() as folder:
        code, said, told = asyncio.run(ask(Path(folder), "--phases=fuzzing", f"--max-time={seconds}"))
    print(said, *sorted(told), sep="\n")
    raise SystemExit(code)


def fuzz(name: str, seconds: int) -> None:
    """Fuzz one target for this long, beginning with its seeds."""
    import atheris

    with atheris.instrument_imports(include=["ratscrew", "json", "tomllib"], enable_loader_override=False):
        from tests.fuzz.spoiling import NASTY, words_of
        from tests.fuzz.targets import TARGETS, check
    if name not in TARGETS:
        raise SystemExit(f"there is no target {name!r}; there are {', '.join(TARGETS)}")
    target = TARGETS[name]
    with tempfile.TemporaryDirectory() as folder:
        seeds, words = Path(folder, "seeds"), Path(folder, "words")
        seeds.mkdir()
        for number, seed in enumerate(target.seeds):
            (seeds / str(number)).write_bytes(seed)
        known = [*words_of(target.seeds), *(nasty for nasty in NASTY if len(nasty) < 20)]
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in known))
        options = [f"-max_total_time={seconds}", f"-max_len={MOST}", "-timeout=10", "-rss_limit_mb=1000"]
        atheris.Setup([sys.argv[0], *options, f"-dict={words}", str(seeds)], lambda data: check(target, data))
        atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main()
