"""Decides from pytest's JUnit report whether a test step passed, and keeps the list and the history of flaky tests.

Every test must run and pass at the first attempt. The exceptions are named in tests/exceptions.toml: `quarantine` lists
tests that may run a second time after a failure, `skip` lists tests that may be skipped. Standard library only.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Container, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

EXCEPTIONS = "tests/exceptions.toml"
HISTORY = ".pytest_cache/second_runs.json"
KINDS = ("quarantine", "skip")
FIELDS = {"test": str, "reason": str, "since": date}
EXIT_CODES = {
    2: "pytest was interrupted, or could not collect the tests",
    4: "pytest was called with wrong arguments, or with a test that does not exist",
    5: "no test was selected, and there must be some",
}


class Exceptions(NamedTuple):
    """Test IDs that may fail once, and those that may be skipped; an ID without `[...]` covers all its parameters."""

    quarantine: frozenset[str]
    skip: frozenset[str]


class Outcomes(NamedTuple):
    """What a report says, as test IDs: every test, and those that failed, could not run to their end, or were skipped.

    `errors` are failures outside of a test's own code: in setup or teardown, or because a worker process crashed.
    """

    tests: frozenset[str]
    failed: tuple[str, ...]
    errors: tuple[str, ...]
    skipped: tuple[str, ...]


def read_exceptions(root: Path) -> Exceptions:
    """The exceptions of a project.

    Raises: ValueError if an entry lacks one of FIELDS, has another one, or names a test that has an entry already.
    """
    file = root / EXCEPTIONS
    entries = tomllib.loads(file.read_text(encoding="utf-8"))
    if unknown := entries.keys() - set(KINDS):
        raise ValueError(f"{file}: unknown kind {', '.join(sorted(unknown))}; use {' or '.join(KINDS)}")
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for kind in KINDS:
        for entry in entries.get(kind, []):
            if {name: type(value) for name, value in entry.items()} != FIELDS or not entry["reason"].strip():
                raise ValueError(f"{file}: {entry} needs a test ID, a reason and `since` as a date, and nothing else")
            if entry["test"] in found[kind]:
                raise ValueError(f"{file}: {entry['test']} has two entries under {kind}")
            found[kind].append(entry["test"])
    return Exceptions(*(frozenset(found[kind]) for kind in KINDS))


def covers(tests: Container[str], test: str) -> bool:
    """Whether a list names a test, with its parameters or without."""
    return test in tests or test.partition("[")[0] in tests


def read_report(root: Path, report: str, code: int) -> Outcomes:
    """The outcomes in the JUnit report of a pytest that has ended with this exit code.

    Raises: ValueError if pytest broke off, selected no test, or left no complete report, or if it failed for a reason
        that the report does not name.
    """
    if code not in (0, 1):
        raise ValueError(f"{EXIT_CODES.get(code, 'pytest broke off')} (exit code {code})")
    try:
        cases = list(ElementTree.parse(root / report).iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        raise ValueError(f"pytest left no complete report in {report} ({error})") from error
    found: dict[str, list[str]] = {"failure": [], "error": [], "skipped": []}
    for case in cases:
        for tag in {part.tag for part in case} & found.keys():
            found[tag].append(_id(root, case))
    if not cases:
        raise ValueError(f"no test ran: {report} is empty")
    if code and not (found["failure"] or found["error"]):
        raise ValueError("pytest reported a failure (exit code 1), but its report names no test")
    kinds = (tuple(sorted(set(tests))) for tests in found.values())
    return Outcomes(frozenset(_id(root, case) for case in cases), *kinds)


def _id(root: Path, case: ElementTree.Element) -> str:
    """The ID of a test on pytest's command line: `tests/game/test_play.py::test_name[parameter]`."""
    parts = case.get("classname", "").split(".")
    for length in range(len(parts), 0, -1):
        file = "/".join(parts[:length]) + ".py"
        if (root / file).is_file():
            return "::".join([file, *parts[length:], case.get("name", "")])
    return ".".join([*filter(None, parts), case.get("name", "")])


def check_first_run(found: Outcomes, allowed: Exceptions) -> list[str]:
    """What must fail the step after the first run, one sentence each; failures in quarantine are not among them."""
    errors = [f"{test} had an error in setup or teardown, or its worker crashed" for test in found.errors]
    skipped = [
        f"{test} was skipped and is not listed under `skip` in {EXCEPTIONS}"
        for test in found.skipped
        if not covers(allowed.skip, test)
    ]
    return [*errors, *skipped, *(f"{test} failed" for test in found.failed if not covers(allowed.quarantine, test))]


def check_second_run(found: Outcomes, wanted: tuple[str, ...]) -> list[str]:
    """What must fail the step after the second run: each of the wanted tests must have run and passed."""
    passed = found.tests - {*found.failed, *found.errors, *found.skipped}
    return [f"{test} failed twice, or did not run the second time" for test in wanted if test not in passed]


def count_second_runs(root: Path, tests: tuple[str, ...], today: date) -> Mapping[str, int]:
    """Add one second run to each test in the history file, and return how many each of them has had in this checkout.

    Shape of the file: `{test ID: {"second_runs": count, "last": "2026-11-22"}}`.
    """
    file = root / HISTORY
    try:
        history = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        history = {}
    for test in tests:
        count = history.get(test, {}).get("second_runs", 0) + 1
        history[test] = {"second_runs": count, "last": today.isoformat()}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(history, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return {test: history[test]["second_runs"] for test in tests}
