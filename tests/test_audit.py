"""The audit of the locked packages: a known vulnerability fails, an unreachable list is only reported."""

from __future__ import annotations

import json

import pytest

import audit

CLEAN = {"dependencies": [{"name": "aiohttp", "version": "3.14.5", "vulns": []}], "fixes": []}
FAULTY = {
    "dependencies": [
        {
            "name": "aiohttp",
            "version": "3.0.0",
            "vulns": [{"id": "PYSEC-2021-76", "fix_versions": ["3.7.4"], "aliases": [], "description": ""}],
        }
    ]
}
SKIPPED = {"dependencies": [{"name": "aiohttp", "skip_reason": "Dependency not found on PyPI"}]}
NONE: dict[str, object] = {"vulnerabilities": {}}
BAD = {"vulnerabilities": {"vite": {"severity": "high", "range": "<6.0.0"}}}
AWAY = {"message": "request failed, reason: no such host"}


@pytest.mark.parametrize(
    ("python", "client", "code", "says"),
    [
        (CLEAN, NONE, 0, ["Python's packages: 0 known faults", "the client's packages: 0 known faults"]),
        (
            FAULTY,
            BAD,
            1,
            [
                "Python's packages: 1 known faults",
                "  aiohttp 3.0.0: PYSEC-2021-76, fixed in 3.7.4",
                "the client's packages: 1 known faults",
                "  vite: high, <6.0.0",
            ],
        ),
        (
            SKIPPED,
            AWAY,
            0,
            [
                "Python's packages: not audited, the list of known faults cannot be asked"
                " (Dependency not found on PyPI)",
                "the client's packages: not audited, the list of known faults cannot be asked"
                " (request failed, reason: no such host)",
            ],
        ),
    ],
    ids=["clean", "faulty", "out of reach"],
)
def test_results_are_reported_and_only_a_vulnerability_fails(
    python: object,
    client: object,
    code: int,
    says: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answers = {"-m": f"WARNING: {json.dumps(python)}", "hatch_build.py": f"npm warn\n{json.dumps(client)}\nfailed"}
    monkeypatch.setattr(audit, "ask", lambda words: answers[words[0]])
    with pytest.raises(SystemExit) as stopped:
        audit.main()
    assert (int(stopped.value.code or 0), capsys.readouterr().out.splitlines()) == (code, says)


def test_unreadable_output_counts_as_an_unreachable_list(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "ask", lambda words: "no answer within 120 s")
    with pytest.raises(SystemExit) as stopped:
        audit.main()
    assert stopped.value.code == 0
    assert capsys.readouterr().out.count("not audited") == 2
