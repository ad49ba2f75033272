"""What the README and the examples show is true: it is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from ratscrew.cli import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
LAB = (ROOT / "docs" / "lab.md").read_text()
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
COMMANDS = sorted(
    {
        command.strip()
        for page in PAGES
        for command in re.findall(r"(?:`|^|\$ |bin/)ratscrew ([a-z-][^`#\n]*)", page.read_text(), re.MULTILINE)
    }
)
"""Every `ratscrew ...` that a page tells people to type, without what follows a #."""

ENDS = ("rules", "census", "referee", "watch")
"""Commands that come to their end by themselves, so that they can be run."""

DECLARED: TyperGroup = get_command(app)  # type: ignore[assignment]
"""The commands that there are."""

RUN = [some for some in COMMANDS if some.startswith(ENDS) and " " in some and "FILE" not in some]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ratscrew(command: str) -> str:
    """What `ratscrew` prints for these words, among which names of files may hold a star."""
    words: list[str] = []
    for word in command.split():
        words += sorted(map(str, ROOT.glob(word))) if "*" in word else [word]
    return run(sys.executable, "-c", "from ratscrew.cli import main; main()", *words)


def test_the_game_in_the_readme_is_the_one_that_is_played() -> None:
    (shown,) = re.findall(r"```console\n\$ \.venv/bin/ratscrew (.*?)\n(.*?)```", README, re.DOTALL)
    command, lines = shown
    assert len(lines.splitlines()) > 5
    assert ratscrew(command).startswith(lines)


def test_the_pages_name_every_command() -> None:
    assert {command.split()[0] for command in COMMANDS} >= {"play", "serve", "replay", "verify", "suspicion", *ENDS}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_a_page_exists_with_its_options(command: str) -> None:
    name, *words = command.split()
    declared = DECLARED.commands[name]
    if isinstance(declared, TyperGroup) and words:
        declared = declared.commands[words.pop(0)]
    flags = {flag for param in declared.params for flag in (*param.opts, *param.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= flags | {"--help"}


@pytest.mark.parametrize("command", RUN)
def test_a_command_of_a_page_runs(command: str) -> None:
    assert ratscrew(command)


def test_the_plan_of_the_page_names_every_room_of_it() -> None:
    told = re.findall(r"^\| (`.*?) \| ", (ROOT / "docs/design.md").read_text(), re.MULTILINE)
    named = {room for cell in told for room in re.findall(r"`(\w+)/`", cell)}
    rooms = {room.name for room in (ROOT / "client/src").iterdir() if room.is_dir()}
    assert len(rooms) > 10
    assert rooms <= named


def test_the_python_in_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert re.fullmatch(r"\d [2-9TJQKA][CDHS]\n", run(sys.executable, "-c", code))


def test_the_run_on_the_page_of_the_lab_is_the_one_that_is_played() -> None:
    """But for the line that says how fast that was."""
    (shown,) = re.findall(r"```console\n\$ \.venv/bin/ratscrew (.*?)\n(.*?)```", LAB, re.DOTALL)
    command, lines = shown
    printed = ratscrew(command).splitlines()
    assert [line.rstrip() for line in printed if " of CPU" not in line] == [
        line for line in lines.splitlines() if " of CPU" not in line
    ]


def test_the_grid_on_the_page_of_the_lab_is_the_example() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", LAB, re.DOTALL)
    assert (ROOT / "examples/penalties.toml").read_text().endswith(shown)


def test_the_python_on_the_page_of_the_lab_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", LAB, re.DOTALL)
    assert run(sys.executable, "-c", code).startswith("Estimate(value=")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_runs(example: Path) -> None:
    assert len(example.read_text().splitlines()) <= 60
    assert run(sys.executable, str(example)).rstrip().splitlines()[-1].endswith("cards")


def test_every_page_that_is_linked_is_there() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)|src=\"([^\"]+)\"", page.read_text()):
            target = link[0] or link[1]
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
