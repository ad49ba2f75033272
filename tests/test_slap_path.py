"""The path of a slap is as short as docs/design.md says, and its benchmark compares with another checkout only."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measured_server import MeasuredServer
from tests.test_benchmarks import ROOT, run


def test_the_path_of_a_slap_is_as_short_as_the_design_says() -> None:
    """A ping in between may add some calls, and more functions than calls of the path."""
    rows = re.findall(r"^\| (calls|functions|files) \| (\d+) \|$", (ROOT / "docs/design.md").read_text(), re.M)
    found = json.loads(run("slap_path", "--slaps", "5", "--rounds", "1", "--json"))
    assert [name for name, _ in rows] == ["calls", "functions", "files"]
    for name, says in rows:
        assert int(says) * 0.9 < found[name] < int(says) * 1.1, name
    assert found["us"] > 0


def test_a_checkout_to_compare_with_has_the_package(tmp_path: Path) -> None:
    """Otherwise a version would be compared with itself."""
    command = [sys.executable, "-m", "benchmarks.slap_path", "--against", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "has no src" in " ".join(ended.stderr.split())
    with pytest.raises(ValueError, match="has no folder ratscrew"):
        MeasuredServer("memory", None, source=tmp_path)
