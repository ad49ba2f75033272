"""Checks every locked package, Python's and the client's, against the public lists of known vulnerabilities.

A known vulnerability fails. A list that cannot be reached does not fail, but is reported; this is the last step of all
tests, so the report is at the end of their output.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import install

WITHIN_S = 120
PYTHON = ["-m", "pip_audit", "-r", "requirements-dev.lock", "--require-hashes", "--disable-pip", "--format", "json"]
CLIENT = ["hatch_build.py", "npm", "audit", "--json"]


def main() -> None:
    """Query both lists, print the results, and fail if there is a known vulnerability."""
    faults = 0
    lists: dict[str, tuple[list[str], Callable[[Any], list[str]]]] = {
        "Python's packages": (PYTHON, python_faults),
        "the client's packages": (CLIENT, client_faults),
    }
    for name, (words, read) in lists.items():
        told = ask(words)
        try:
            found = read(json.loads(told[told.index("{") : told.rindex("}") + 1]))
        except (ValueError, LookupError) as error:
            print(f"{name}: not audited, the list of known faults cannot be asked ({why(error)})")
        else:
            print(f"{name}: {len(found)} known faults", *found, sep="\n  ")
            faults += len(found)
    raise SystemExit(faults > 0)


def ask(words: list[str]) -> str:
    """The output of a program: JSON, possibly with other text around it."""
    command = [str(install.PYTHON), *words]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, cwd=install.ROOT, timeout=WITHIN_S)
    except subprocess.TimeoutExpired:
        return f"no answer within {WITHIN_S} s"
    return asked.stdout if "{" in asked.stdout else asked.stderr


def python_faults(told: Any) -> list[str]:
    """The vulnerabilities in pip-audit's output.

    Raises: LookupError if a package could not be checked.
    """
    if missed := [package for package in told["dependencies"] if "skip_reason" in package]:
        raise LookupError(missed[0]["skip_reason"])
    return [
        f"{package['name']} {package['version']}: {fault['id']}, fixed in {', '.join(fault['fix_versions']) or 'none'}"
        for package in told["dependencies"]
        for fault in package["vulns"]
    ]


def client_faults(told: Any) -> list[str]:
    """The vulnerabilities in npm's output.

    Raises: LookupError if the list could not be queried.
    """
    if "vulnerabilities" not in told:
        raise LookupError(told.get("message", "npm says nothing of faults"))
    return [f"{name}: {fault['severity']}, {fault['range']}" for name, fault in sorted(told["vulnerabilities"].items())]


def why(error: Exception) -> str:
    """The first line of an error's message."""
    return str(error).strip("'").splitlines()[0]


if __name__ == "__main__":
    main()
