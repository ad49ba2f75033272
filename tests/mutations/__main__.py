"""Mutation testing: makes listed mistakes in a copy of the source, one at a time, and runs the test that must fail.

    python -m tests.mutations                 # all, which takes some minutes
    python -m tests.mutations judge "a tie"   # those whose file or mistake contains one of these words

The lists are the TOML files of this folder. A test that passes in spite of its mistake is too weak: mend it, or explain
in the entry's `why_not` why no test can find it. The last line is `N of M found`; the exit code is 1 if any mistake
survived without an explanation, or was found in spite of one.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutations.catalogue import Mutation, problems_of, read_catalogue
from tests.mutations.trial import ALL_PASSED, Copy, Trial, Verdict, failing


def main(words: Sequence[str] | None = None) -> int:
    """Try the mutations that were asked for; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", help="only mutations whose file or mistake contains one of these")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are tried at a time")
    asked = parser.parse_args(words)
    mutations = [each for each in read_catalogue() if _wanted(each, asked.words)]
    if problems := [problem for each in mutations for problem in problems_of(each)]:
        print(*problems, sep="\n")
        return 1
    bad = False
    found = 0
    for trial in try_all(mutations, asked.jobs):
        found += trial.verdict is Verdict.FOUND
        bad = bad or (trial.verdict is Verdict.FOUND) == bool(trial.mutation.why_not)
        print(_line(trial), flush=True)
    print(f"{found} of {len(mutations)} found")
    return int(bad)


def try_all(mutations: Sequence[Mutation], jobs: int) -> Iterator[Trial]:
    """Try mutations in copies of the project, several at a time, and yield each in its order.

    Raises: RuntimeError if one of their tests fails without any mistake.
    """
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder, ThreadPoolExecutor(jobs) as pool:
        copies = SimpleQueue[Copy]()
        for number in range(jobs):
            (place := Path(folder, str(number))).mkdir()
            copies.put(Copy(place))
        first = copies.get()
        code, output = first.run_tests(sorted({each.test for each in mutations}), ["-n", str(jobs)])
        copies.put(first)
        if code != ALL_PASSED:
            raise RuntimeError(f"without any mistake these tests fail: {failing(output) or output}")

        def in_a_copy(mutation: Mutation) -> Trial:
            copy = copies.get()
            try:
                return copy.try_out(mutation)
            finally:
                copies.put(copy)

        yield from pool.map(in_a_copy, mutations)


def _wanted(mutation: Mutation, words: Sequence[str]) -> bool:
    return not words or any(word in mutation.file or word in mutation.mistake for word in words)


def _line(trial: Trial) -> str:
    mutation = trial.mutation
    line = f"{trial.verdict:9}  {mutation.file}: {mutation.mistake}"
    if trial.verdict is Verdict.FOUND:
        return line
    if mutation.why_not:
        return f"{line} ({mutation.why_not})"
    return f"{line}\n{trial.output}" if trial.verdict is Verdict.BROKEN else f"{line} (by {mutation.test})"


if __name__ == "__main__":
    raise SystemExit(main())
