"""What the README and the examples show is true: it is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_game_in_the_readme_is_the_one_that_is_played() -> None:
    (shown,) = re.findall(r"```console\n\$ \.venv/bin/ratscrew (.*?)\n(.*?)```", README, re.DOTALL)
    command, lines = shown
    ratscrew = [sys.executable, "-c", "from ratscrew.cli import main; main()", *command.split()]
    assert run(*ratscrew).startswith(lines)


def test_the_python_in_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert re.fullmatch(r"\d [2-9TJQKA][CDHS]\n", run(sys.executable, "-c", code))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_runs(example: Path) -> None:
    assert len(example.read_text().splitlines()) <= 60
    assert run(sys.executable, str(example)).rstrip().splitlines()[-1].endswith("cards")


def test_every_page_that_is_linked_is_there() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)|src=\"([^\"]+)\"", page.read_text()):
            target = link[0] or link[1]
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
