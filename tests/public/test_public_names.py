"""The public API: its names exist and are documented, an import is cheap, and users' code needs nothing else."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ratscrew

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
PACKAGES = ("ratscrew", "ratscrew.rules", "ratscrew.bots", "ratscrew.lab", "ratscrew.testing")
MODULES = ("ratscrew.cards", "ratscrew.rules.ranks")
"""Modules whose every name is public; `commands` and `events` are names of `ratscrew`."""


def stub_of(package: str) -> Path:
    """The stub that lists the public names of a package."""
    return SOURCE.joinpath(*package.split("."), "__init__.pyi")


def names_in(stub: Path) -> dict[str, str]:
    """The names of a stub, each with the module that has it; anything but imports and annotations is refused."""
    found = dict[str, str]()
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.ImportFrom):
            (alias,) = node.names
            assert alias.asname == alias.name, f"{stub}:{node.lineno}: a public name is imported as itself"
            found[alias.name] = str(node.module)
        else:
            assert isinstance(node, ast.AnnAssign), f"{stub}:{node.lineno}"
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_offers_what_its_stub_lists_and_documents_it(package: str) -> None:
    module = importlib.import_module(package)
    names = names_in(stub_of(package))
    assert vars(module)["__all__"] == sorted(names)
    assert set(names) <= set(dir(module))
    for name, source in names.items():
        found = getattr(module, name)
        if inspect.ismodule(found):
            assert found.__name__ == f"{source}.{name}"
        else:
            assert found is getattr(importlib.import_module(source), name)
        documented = inspect.isroutine(found) or inspect.isclass(found) or inspect.ismodule(found)
        assert not documented or inspect.getdoc(found), f"{name} has no docstring"
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'nothing'; it offers "):
        getattr(module, "nothing")  # noqa: B009 (a name that mypy would refuse)


def test_only_public_packages_have_stubs() -> None:
    assert sorted(SOURCE.rglob("*.pyi")) == sorted(map(stub_of, PACKAGES))


def test_the_api_is_that_of_a_game() -> None:
    offered = set(vars(ratscrew)["__all__"])
    assert {"Card", "Game", "Rules", "View", "deal", "decide", "evolve", "house", "legal", "replay", "view"} <= offered
    assert {"cards", "commands", "events", "read_game", "write_game"} <= offered
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", ratscrew.__version__)


IMPORTED = """
import sys
before = {*sys.modules}
import ratscrew, ratscrew.rules, ratscrew.bots, ratscrew.lab, ratscrew.testing
print(*{*sys.modules} - before)
ratscrew.deal, ratscrew.decide, ratscrew.house, ratscrew.view, ratscrew.read_game
ratscrew.rules.sheet, ratscrew.bots.BOTS
print(*{*sys.modules} - before)
"""
HEAVY = {"aiohttp", "asyncio", "cryptography", "matplotlib", "numba", "numpy", "polars", "psycopg", "sqlite3", "typer"}


def test_an_import_loads_nothing_else_and_the_rules_load_no_server_and_no_lab() -> None:
    printed = subprocess.run([sys.executable, "-c", IMPORTED], check=True, capture_output=True, text=True).stdout
    at_once, used = (set(line.split()) for line in printed.splitlines())
    ours = {name for name in at_once if name.partition(".")[0] == "ratscrew"}
    assert ours == {*PACKAGES, "ratscrew.lazy"}
    others = {name.partition(".")[0] for name in at_once - ours}
    assert others <= sys.stdlib_module_names - {"asyncio", "dataclasses", "inspect", "re", "sqlite3", "typing"}
    assert used >= {"ratscrew.game.engine", "ratscrew.rules.rule_sheet"}
    assert not HEAVY & {name.partition(".")[0] for name in used}
    assert not [name for name in used if name.startswith(("ratscrew.web", "ratscrew.table", "ratscrew.log"))]


def test_a_missing_package_is_named_with_how_to_install_it() -> None:
    code = "import sys; sys.modules['polars'] = None\nfrom ratscrew.lab import run_games"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.endswith('needs packages that are not installed: pip install "ratscrew[lab]"\n')


def is_public(name: str) -> bool:
    """Whether a name that is imported from Ratscrew is public."""
    module, _, last = name.rpartition(".")
    return name in PACKAGES or module in MODULES or (module in PACKAGES and last in names_in(stub_of(module)))


def private_imports(code: str) -> Iterator[str]:
    """What code imports from Ratscrew that is private."""
    for node in ast.walk(ast.parse(code)):
        names = list[str]()
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.partition(".")[0] == "ratscrew" and not is_public(name))


def user_code() -> Iterator[tuple[str, str]]:
    """Code as users write it: examples, notebooks, the pages, and the tests of the public API."""
    for path in (*(ROOT / "examples").glob("*.py"), *Path(__file__).parent.glob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text()
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        cells = json.loads(notebook.read_text())["cells"]
        yield notebook.name, "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for code in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
            yield page.name, code


def test_examples_pages_and_these_tests_use_public_names_only() -> None:
    checked = dict[str, list[str]]()
    for name, code in user_code():
        checked.setdefault(name, []).extend(private_imports(code))
    assert {"examples/my_bot.py", "lab.ipynb", "README.md", "lab.md", "tests/public/test_types.py"} <= set(checked)
    assert {name: found for name, found in checked.items() if found} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from ratscrew.game.engine import deal",
        "import ratscrew.table.core.table",
        "from ratscrew import table",
        "def f():\n    from ratscrew.rules.house import Rules",
        "from ratscrew.testing import PRIVATE",
    ],
)
def test_a_private_import_is_found(code: str) -> None:
    assert len(list(private_imports(code))) == 1
    assert not list(
        private_imports("import ratscrew\nfrom ratscrew.rules import sheet\nfrom ratscrew.cards import text")
    )
