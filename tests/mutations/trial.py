"""Tries mutations: a copy of the project, in which one mistake at a time is made, and the tests that must find it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from tests.mutations.catalogue import ROOT, SOURCE, Mutation

COPIED = ("src", "tests", "examples", "benchmarks")
"""The folders of which a copy has its own; the others are links to those of the project."""

TIMEOUT_S = 400
"""How long the test of one mutation may take. Those of the lab compile the kernel, which takes half a minute."""

FAILED, ALL_PASSED = 1, 0
"""Exit codes of pytest. Others mean that it could not run the test."""


class Verdict(StrEnum):
    """What has become of a mutation."""

    FOUND = "found"
    SURVIVED = "survived"
    BROKEN = "not tried"


class Trial(NamedTuple):
    """A mutation with its verdict, and the end of what the test printed."""

    mutation: Mutation
    verdict: Verdict
    output: str


class Copy:
    """A copy of the project, in which files of its source can be changed."""

    def __init__(self, folder: Path, root: Path = ROOT) -> None:
        self._folder, self._changes = folder, 0
        for path in root.iterdir():
            if path.name in COPIED:
                shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns("__pycache__"))
            elif path.name not in (".git", ".pytest_cache", ".hypothesis"):
                (folder / path.name).symlink_to(path)

    def try_out(self, mutation: Mutation) -> Trial:
        """Make a mistake, run its test, and undo it."""
        path = self._folder / SOURCE / mutation.file
        before = path.read_text()
        self._write(path, mutation.apply(before))
        try:
            code, output = self.run_tests([mutation.test])
        finally:
            self._write(path, before)
        verdict = {FAILED: Verdict.FOUND, ALL_PASSED: Verdict.SURVIVED}.get(code, Verdict.BROKEN)
        return Trial(mutation, verdict, output)

    def run_tests(self, tests: Iterable[str], options: Sequence[str] = ("-x",)) -> tuple[int, str]:
        """The exit code and the end of the output of pytest for these tests; -1 if they took too long."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._folder / "src"),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
        }
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=line"]
        words.append(f"--timeout={TIMEOUT_S}")  # each copy compiles the kernel anew, which is slow on a busy machine
        process = subprocess.Popen(
            [*words, *options, *tests],
            cwd=self._folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return -1, f"it took more than {TIMEOUT_S} s\n{output[-1000:]}"
        return process.returncode, output[-3000:]

    def _write(self, path: Path, text: str) -> None:
        """Write a file with a time of change that it has not had: compiled modules are kept by their second."""
        self._changes += 1
        path.write_text(text)
        os.utime(path, (self._changes, self._changes))


def failing(output: str) -> list[str]:
    """The tests that failed, by pytest's summary."""
    return re.findall(r"^(?:FAILED|ERROR) (\S+)", output, flags=re.MULTILINE)
