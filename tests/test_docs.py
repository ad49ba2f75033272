"""The pages are true: what they show is run, and what they name exists."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from ratscrew.cli import app

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
DESIGN = (ROOT / "docs" / "design.md").read_text()
LAB = (ROOT / "docs" / "lab.md").read_text()
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks/README.md"]
COMMANDS = sorted(
    {
        command.strip()
        for page in PAGES
        for command in re.findall(r"(?:`|^|\$ |bin/)ratscrew ([a-z-][^`#\n]*)", page.read_text(), re.MULTILINE)
    }
)
"""Every `ratscrew ...` command on a page, without its comment."""

ENDS = ("rules", "census", "referee", "watch")
"""Commands that end on their own, so that they can be run."""

DECLARED: TyperGroup = get_command(app)  # type: ignore[assignment]
"""The commands that exist."""

RUN = [some for some in COMMANDS if some.startswith(ENDS) and " " in some and "FILE" not in some]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(*command: str) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ratscrew(command: str) -> str:
    """What `ratscrew` prints for these arguments; file names may contain a star."""
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
    if isinstance(declared, TyperGroup) and words and not words[0].startswith("--"):
        declared = declared.commands[words.pop(0)]
    flags = {flag for param in declared.params for flag in (*param.opts, *param.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= flags | {"--help"}


@pytest.mark.parametrize("command", RUN)
def test_a_command_of_a_page_runs(command: str) -> None:
    assert ratscrew(command)


def folders_in_tables(page: str) -> set[str]:
    """The folders in the first columns of a page's tables."""
    cells = re.findall(r"^\|(?: \d \|)? (`.*?) \| ", page, re.MULTILINE)
    return {folder for cell in cells for folder in re.findall(r"`([\w/]+)/`", cell)}


def test_the_design_names_every_folder_of_the_client() -> None:
    folders = {folder.name for folder in (ROOT / "client/src").iterdir() if folder.is_dir()}
    assert len(folders) > 10
    assert folders <= folders_in_tables(DESIGN)


def test_the_design_names_every_package() -> None:
    package = ROOT / "src/ratscrew"
    packages = {folder.parent.name for folder in package.glob("*/__init__.py")} - {"testing"}
    packages |= {
        f"{top}/{folder.parent.name}"
        for top in ("table", "web", "cli")
        for folder in (package / top).glob("*/__init__.py")
    }
    assert len(packages) > 12
    assert packages <= folders_in_tables(DESIGN)


def test_the_python_in_the_readme_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert re.fullmatch(r"\d [2-9TJQKA][CDHS]\n", run(sys.executable, "-c", code))


def test_the_run_on_the_page_of_the_lab_is_the_one_that_is_played() -> None:
    """Except for the line with the speed."""
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
    assert "wins.0" in run(sys.executable, "-c", code)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_runs(example: Path) -> None:
    assert len(example.read_text().splitlines()) <= 60
    assert run(sys.executable, str(example)).rstrip().splitlines()[-1].endswith("cards")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    for link, anchor, image in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)|src=\"([^\"]+)\"", page.read_text()):
        target = page.parent / (image or link) if image or link else page
        assert target.exists(), f"{page.name} links to {target}, which is not there"
        assert not anchor or anchor in anchors(target), f"{page.name} links to #{anchor} of {target.name}"


PATH = re.compile(
    r"(?<![\w/.*-])((?:[\w.-]+/)*(?:[\w.-]+|\{[\w,]+\})\.(?:py|ts|svelte|css|toml|md|json|txt|js|c|lock)|(?:[\w.-]+/)+)(?![\w/*{-])"
)
MADE = {".pytest_cache/second_runs.json", "run.json"}
"""Files that a page names and that a command writes."""

FILES = {path.name for top in ("src", "client/src", "tests", "benchmarks") for path in (ROOT / top).rglob("*.*")}


def named_paths(text: str) -> Iterator[str]:
    """The files and folders that a page names, between backticks or in a diagram."""
    diagrams = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    quoted = re.findall(r"`([^`\s]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    for path in (path for part in (*diagrams, *quoted) for path in PATH.findall(part)):
        choice = re.search(r"\{([\w,]+)\}", path)
        yield from (path.replace(choice[0], each) for each in choice[1].split(",")) if choice else (path,)


def is_there(path: str, page: Path) -> bool:
    """Whether a file or folder exists: in the repository, the package, the client, or beside the page."""
    folders = (ROOT, ROOT / "src/ratscrew", ROOT / "client/src", page.parent)
    return path in MADE | FILES or any((folder / path).exists() for folder in folders)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    assert [path for path in named_paths(page.read_text()) if not is_there(path, page)] == []


def test_paths_are_found_in_a_page_and_in_its_diagrams() -> None:
    text = "See `table/core/{table,pause}.py`, `web/`, `/tv/CODE` and\n```\nweb/socket.py → judge/race.py: judge\n```\n"
    found = ["web/socket.py", "judge/race.py", "table/core/table.py", "table/core/pause.py", "web/"]
    assert list(named_paths(text)) == found
    assert not is_there("table/room.py", ROOT / "README.md")


def test_every_method_in_the_design_exists() -> None:
    trees = [ast.parse(path.read_text()) for path in (ROOT / "src/ratscrew").rglob("*.py")]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    methods = {
        f"{each.name}.{method.name}"
        for each in classes
        for method in each.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    named = {".".join(each) for each in re.findall(r"(?<![\w./])([A-Z]\w+)\.([a-z_]\w+)", DESIGN)}
    files = {name for name in named if name.endswith((".md", ".ts", ".svelte"))}
    assert len(named) > 20
    assert named - files - methods == set()
