"""The architecture's rules: which module may import which, and that each has a docstring.

A module imports from its own package and from lower layers, never from another package of its own layer, not even for
types. Inside a package, modules and sub-packages import each other in one direction only.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from ratscrew import errors

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ratscrew"
CLIENT = ROOT / "client" / "src"

LAYERS = (
    {"__init__", "errors", "cards", "deck", "lazy"},
    {"rules", "judge"},
    {"game"},
    {"bots", "accounts", "log"},
    {"cluster", "supervision", "turns"},
    {"lab", "table"},
    {"limits"},
    {"protocol"},
    {"web"},
    {"cli"},
    {"__main__"},
    {"testing"},
)
LAYER_OF = {package: layer for layer, packages in enumerate(LAYERS) for package in packages}
"""The layer of each package; all of layer 0 are single modules. `testing` may import anything, nothing imports it."""

INSIDE = {
    "table": (
        {"names", "record"},
        {"state"},
        {"history", "session"},
        {"core"},
        {"room"},
        {"registry"},
        {"arenas"},
    ),
    "web": (
        {"schema"},
        {"http", "typescript", "upkeep"},
        {"access", "edge", "remote_bot"},
        {"rendering", "socket"},
        {"api"},
        {"routes"},
        {"cluster", "prices"},
        {"middleware"},
        {"openapi"},
        {"app"},
        {"metrics", "server_runner"},
    ),
    "cli": ({"config", "terminal"}, {"storage"}, {"games", "options", "server"}, {"people", "study"}, {"__init__"}),
}
"""The layers inside a package: as for packages, each imports from those before it."""

ASYNC = {"supervision", "turns", "cluster", "table", "limits", "protocol", "web", "cli"}
IMPURE = {package for package, layer in LAYER_OF.items() if layer >= 4} | {"accounts"}
LIBRARIES: Mapping[str, set[str]] = {
    "msgspec": {package for package, layer in LAYER_OF.items() if layer >= 1},
    "sqlite3": {"log"},
    "psycopg": {"log"},
    "distributed": {"lab"},
    "matplotlib": {"lab"},
    "numpy": {"lab"},
    "openskill": {"accounts"},
    "polars": {"lab"},
    "numba": {"lab"},
    "scipy": {"lab"},
    "jinja2": {"lab"},
    "statsmodels": {"lab"},
    "aiohttp": {"web"},
    "cryptography": {"accounts", "table"},
    "fido2": {"accounts"},
    "filelock": {"cli"},
    "glin_profanity": {"web"},
    "itsdangerous": {"accounts", "table"},
    "prometheus_client": {"web"},
    "pythonjsonlogger": {"cli"},
    "regex": {"table"},
    "typer": {"cli"},
    "rich": {"cli"},
    "platformdirs": {"log", "lab", "cli"},
    "uvloop": {"web", "cli"},
    "asyncio": ASYNC,
    "time": IMPURE | {"log"},
    "datetime": IMPURE,
    **dict.fromkeys(("random", "secrets"), IMPURE),
}
"""Which packages may import a library. Third-party ones missing here: none. Standard ones missing here: all."""

PURE = {
    module: {"asyncio", "time", "random", "secrets", "datetime"}
    for module in ("table/core/table", "table/session/game_session")
}
"""Modules that take time and chance as arguments, though their package may import these libraries."""

CLIENT_LAYERS = (
    {"base.ts", "browser", "cards", "i18n"},
    {"net", "table", "route.svelte.ts", "settings.svelte.ts"},
)
"""The lower folders and modules of the client, lowest first. They import from their own layer and those before it, and
the generated types; everything else may import from anywhere."""

CLIENT_IMPORT = re.compile(
    r"""^[ \t]*(?:import|export)\s(?!const|function|async|let|class)[^;"'=()]*?["'](\.[^"'?]+)["']""", re.MULTILINE
)
"""An import of the client that is not dynamic, also of types."""

GENERATED = {"wire.ts"}
"""Generated files of the client."""


def modules(folder: Path) -> list[Path]:
    """Every Python module in a folder."""
    return sorted(folder.rglob("*.py"))


def imported(tree: ast.AST, where: tuple[str, ...]) -> Iterator[str]:
    """The absolute names of what a module imports, wherever in it; `where` is its folder, the package first."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = where[: len(where) + 1 - node.level] if node.level else ()
            source = (*base, *(node.module or "").split(".")) if node.module else base
            yield from (".".join((*source, alias.name)) for alias in node.names)


def violations(root: Path) -> Iterator[str]:
    """The violations of the rules by the modules below a root package, one sentence each."""
    for path in modules(root):
        inside = path.relative_to(root).with_suffix("")
        module, package = inside.as_posix(), inside.parts[0]
        tree = ast.parse(path.read_text(encoding="utf8"))
        if not ast.get_docstring(tree):
            yield f"{module}: no docstring"
        if package not in LAYER_OF:
            yield f"{module}: no layer for {package}"
            continue
        for name in imported(tree, (root.name, *inside.parts[:-1])):
            top, _, rest = name.partition(".")
            if is_public_name(root, name):
                yield f"{module} imports {name}: a name for users"
            elif top == root.name:
                other = rest.partition(".")[0]
                other = other if other in LAYER_OF or (root / other).is_dir() else "__init__"
                if not may_import(package, other):
                    yield f"{module} imports {name}: not below it"
            elif package != "testing" and not may_use(module, package, top):
                yield f"{module} imports {top}: not here"


def is_public_name(root: Path, name: str) -> bool:
    """Whether a name is one that a package offers to users: our code imports it from the module that defines it."""
    folder, last = root.parent.joinpath(*name.split(".")[:-1]), name.rpartition(".")[2]
    module = (folder / last).is_dir() or (folder / f"{last}.py").exists()
    return (folder / "__init__.pyi").exists() and not module and last != "__version__"


def may_import(package: str, other: str) -> bool:
    """Whether a module of one package may import from another."""
    layer, below = LAYER_OF[package], LAYER_OF.get(other, 99)
    return other == package or below < layer or layer == below == 0


def inside(root: Path) -> dict[str, dict[str, set[str]]]:
    """For each folder by its path below a root package: which of its modules and sub-packages imports which of them."""
    found: dict[str, dict[str, set[str]]] = {}
    for path in modules(root):
        parts = path.relative_to(root).with_suffix("").parts
        for name in imported(ast.parse(path.read_text(encoding="utf8")), (root.name, *parts[:-1])):
            first, *to = name.split(".")
            if first != root.name:
                continue
            depth = next((i for i, (a, b) in enumerate(zip(parts, to, strict=False)) if a != b), None)
            if depth is None or not any(
                root.joinpath(*to[: depth + 1]).with_suffix(end).exists() for end in ("", ".py")
            ):
                continue
            here = found.setdefault("/".join(parts[:depth]), {})
            here.setdefault(parts[depth], set()).add(to[depth])
    return found


def upwards(root: Path) -> Iterator[str]:
    """The imports inside a package against its layers, and the circles of imports in any folder, one sentence each."""
    for folder, arrows in inside(root).items():
        try:
            TopologicalSorter(arrows).prepare()
        except CycleError as error:
            yield f"{folder or root.name}: a circle of imports: {' -> '.join(error.args[1])}"
        layer_of = {part: layer for layer, parts in enumerate(INSIDE.get(folder, ())) for part in parts}
        for part, others in arrows.items() if layer_of else ():
            if part not in layer_of:
                yield f"{folder}/{part}: no layer"
            else:
                above = sorted(each for each in others if layer_of.get(each, 99) >= layer_of[part])
                yield from (f"{folder}/{part} imports {folder}/{each}: not below it" for each in above)


def may_use(module: str, package: str, library: str) -> bool:
    """Whether a module may import a library."""
    if library in PURE.get(module, ()):
        return False
    return package in LIBRARIES[library] if library in LIBRARIES else library in sys.stdlib_module_names


def client_imports(root: Path) -> dict[str, set[str]]:
    """Which modules of a client import which, by their paths below `root`; tests are left out."""
    files = {
        path.relative_to(root).as_posix()
        for ending in ("ts", "svelte")
        for path in root.rglob(f"*.{ending}")
        if not path.name.endswith((".test.ts", ".d.ts"))
    }
    found: dict[str, set[str]] = {}
    for file in files:
        names = CLIENT_IMPORT.findall((root / file).read_text(encoding="utf8"))
        wanted = {os.path.normpath(os.path.join(os.path.dirname(file), name)) for name in names}
        found[file] = {each + end for each in wanted for end in ("", ".ts") if each + end in files}
    return found


def client_violations(root: Path) -> Iterator[str]:
    """The circles of a client's imports, and those of its lower folders against their layers, one sentence each."""
    imports = client_imports(root)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        yield f"a circle of imports: {' -> '.join(error.args[1])}"
    layer_of = {part: layer for layer, parts in enumerate(CLIENT_LAYERS) for part in parts}
    for file, others in sorted(imports.items()):
        layer = layer_of.get(file.partition("/")[0], 99)
        above = {other for other in others - GENERATED if layer_of.get(other.partition("/")[0], 99) > layer}
        yield from (f"{file} imports {other}: not below it" for other in sorted(above))


def goes_on_after_any_error(tree: ast.AST) -> bool:
    """Whether a loop of a coroutine catches every error."""
    return any(
        isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "Exception")
        for function in ast.walk(tree)
        if isinstance(function, ast.AsyncFunctionDef)
        for loop in ast.walk(function)
        if isinstance(loop, ast.While)
        for node in ast.walk(loop)
    )


def test_only_the_supervisor_goes_on_after_any_error() -> None:
    """Another loop that does would log the same failure each time, and readiness would not know."""
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in modules(PACKAGE)
        if goes_on_after_any_error(ast.parse(path.read_text(encoding="utf8")))
    }
    assert found == {"supervision.py"}


def test_every_module_keeps_the_rules() -> None:
    assert list(violations(PACKAGE)) == []


def test_imports_inside_a_package_go_one_way() -> None:
    assert list(upwards(PACKAGE)) == []


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {"bots/a.py": "from ratscrew.bots.b import B", "bots/b.py": "from ratscrew.bots import a"},
            "bots: a circle of imports: ",
        ),
        (
            {"game/x/a.py": "import ratscrew.game.y.b", "game/y/b.py": "from ..x import c", "game/x/c.py": ""},
            "game: a circle of imports: ",
        ),
        (
            {"table/record/a.py": "from ratscrew.table.core.table import Table", "table/core/table.py": ""},
            "table/record imports table/core: not below it",
        ),
        (
            {"web/api/a.py": "from ratscrew.web.socket import b", "web/socket/b.py": "from ..rendering import c"}
            | {"web/rendering/c.py": ""},
            "web/socket imports web/rendering: not below it",
        ),
        ({"web/x/a.py": "import ratscrew.web.http.b", "web/http/b.py": ""}, "web/x: no layer"),
    ],
)
def test_an_import_against_the_direction_is_found(files: dict[str, str], sentence: str, tmp_path: Path) -> None:
    (found,) = upwards(build(tmp_path, files))
    assert found.startswith(sentence)


def test_no_two_classes_have_one_name() -> None:
    """A search for a name finds one class; the types of the client are named after them too."""
    found: dict[str, list[str]] = {}
    for path in modules(PACKAGE):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_no_docstring_only_names_another_place() -> None:
    """What a method of an interface does is said there. Where it does more, its docstring says what."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in modules(PACKAGE)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) > 1
        if re.fullmatch(r"See `[\w.]+`\.", ast.get_docstring(node) or "")
    ]
    assert found == []


def test_the_rules_are_checked_on_the_whole_package() -> None:
    found = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in modules(PACKAGE)}
    assert len(modules(PACKAGE)) >= 25
    assert found >= {"__init__", "errors", "cards", "rules", "game"}


def test_the_imports_of_the_client_go_one_way() -> None:
    assert list(client_violations(CLIENT)) == []
    assert len(client_imports(CLIENT)["App.svelte"]) > 2  # or the pattern has grown old


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (
            {
                "room/a.ts": "import { b } from './b.svelte'",
                "room/b.svelte": "<script>\n  import type { A } from './a'",
            },
            "a circle of imports: ",
        ),
        (
            {"net/a.ts": "import {\n  b,\n  c\n} from '../room/b'", "room/b.ts": ""},
            "net/a.ts imports room/b.ts: not below it",
        ),
        ({"cards/a.ts": "export * from '../table/b'", "table/b.ts": ""}, "cards/a.ts imports table/b.ts: not below it"),
    ],
)
def test_an_import_of_the_client_against_the_direction_is_found(
    files: dict[str, str], sentence: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf8")
    (found,) = client_violations(tmp_path)
    assert found.startswith(sentence)


def test_a_dynamic_import_of_the_client_is_no_circle(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("export const load = () => import('./b')", encoding="utf8")
    (tmp_path / "b.ts").write_text("import { load } from './a'", encoding="utf8")
    assert list(client_violations(tmp_path)) == []


def test_a_generated_file_says_so() -> None:
    for name in GENERATED:
        assert (CLIENT / name).read_text(encoding="utf8").splitlines()[0].endswith(": do not edit.")


def test_no_browser_test_waits_for_a_string_that_the_page_refuses_to_evaluate() -> None:
    """Playwright evaluates a string anew at each later look, which the page's security policy forbids."""
    for path in sorted((ROOT / "tests" / "browser").glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "wait_for_function":
                text = call.args[0]
                assert not isinstance(text, ast.Constant) or "=>" in str(text.value), f"{path.name}:{call.lineno}"


def test_the_tree_of_errors_in_the_docstring_is_the_real_one() -> None:
    documented: dict[str, str] = {}
    branch: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        drawn, _, words = line.partition("── ")
        if words or line.strip() == "RatscrewError":
            name, depth = (words or line).split()[0], (len(drawn) - 1) // 4 if words else 0
            branch[depth:] = [name]
            documented[name] = branch[depth - 1] if depth else "Exception"
    defined = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, Exception)]
    assert documented == {error.__name__: error.__bases__[0].__name__ for error in defined}
    assert all(issubclass(error, errors.RatscrewError) for error in defined)


def build(folder: Path, files: Mapping[str, str]) -> Path:
    """A package `ratscrew` of these files; each gets a docstring if its text does not begin with one."""
    package = folder / "ratscrew"
    for name, text in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if text.startswith('"""') else f'"""A module."""\n{text}', encoding="utf8")
    return package


VIOLATIONS = {
    "a lower layer imports a higher one": ("rules/x.py", "import ratscrew.game.state", "not below it"),
    "layer 0 imports layer 1": ("cards.py", "from ratscrew.rules.house import Rules", "not below it"),
    "the root module imports a layer": ("__init__.py", "from ratscrew.game.engine import decide", "not below it"),
    "a package imports its neighbour: judge": ("judge/x.py", "from ratscrew.rules import house", "not below it"),
    "a package imports its neighbour: bots": (
        "bots/x.py",
        "from ratscrew.log.memory import Log",
        "not below it",
    ),
    "a package imports its neighbour: lab": (
        "lab/x.py",
        "from ratscrew.table.core.table import Table",
        "not below it",
    ),
    "a package imports its neighbour: table": ("table/x.py", "import ratscrew.lab", "not below it"),
    "a whole package is imported": ("rules/x.py", "from ratscrew import game", "not below it"),
    "for types only": (
        "table/x.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ratscrew.protocol.wire import Seat",
        "not below it",
    ),
    "inside a function": ("game/x.py", "def f():\n    from ratscrew.bots.bot import Bot", "not below it"),
    "under another name": ("game/x.py", "import ratscrew.web.app as errors", "not below it"),
    "relatively, by two dots": ("rules/x.py", "from ..game import state", "not below it"),
    "relatively, a whole package": ("rules/x.py", "from .. import game", "not below it"),
    "relatively, from a deep folder": ("game/decide/x.py", "from ...table.core import Table", "not below it"),
    "a name for users": ("web/x.py", "from ratscrew.rules import sheet", "a name for users"),
    "the command line is imported": ("web/x.py", "from ratscrew.cli import app", "not below it"),
    "testing is for tests": ("cli.py", "from ratscrew.testing.strategies import games", "not below it"),
    "testing is for tests, by dots": ("cli/x.py", "from ..testing import strategies", "not below it"),
    "a module without a layer": ("utils.py", "", "no layer"),
    "a folder without a layer": ("helpers/x.py", "", "no layer"),
    "a package without a layer is imported": ("web/x.py", "from ratscrew.unknown.x import y", ""),
    "msgspec in layer 0": ("cards.py", "import msgspec", "not here"),
    "a part of msgspec in layer 0": ("errors.py", "from msgspec.structs import replace", "not here"),
    "a library that no package may use": ("cli.py", "import requests", "not here"),
    "hypothesis outside testing": ("cli.py", "import hypothesis.strategies as st", "not here"),
    "psycopg outside the log": ("cli/x.py", "import psycopg", "not here"),
    "sqlite3 outside the log": ("table/x.py", "import sqlite3", "not here"),
    "asyncio below the table": ("bots/x.py", "import asyncio", "not here"),
    "the cluster imports the table": ("cluster/x.py", "from ratscrew.table.registry import codes", "not below it"),
    "psycopg in the cluster": ("cluster/x.py", "import psycopg", "not here"),
    "asyncio in the lab": ("lab/x.py", "from asyncio import run", "not here"),
    "asyncio in the log": ("log/x.py", "import asyncio.tasks", "not here"),
    "the protocol imports the web": ("protocol/x.py", "from ratscrew.web.http import responses", "not below it"),
    "aiohttp in the protocol": ("protocol/x.py", "from aiohttp import web", "not here"),
    "aiohttp in the limits": ("limits/x.py", "import aiohttp", "not here"),
    "the accounts import the table": ("accounts/x.py", "import ratscrew.table.room.room", "not below it"),
    "asyncio in the table's core": ("table/core/table.py", "import asyncio", "not here"),
    "numpy outside the lab": ("table/x.py", "import numpy as np", "not here"),
    "numba outside the lab": ("game/turn_logic.py", "from numba import njit", "not here"),
    "aiohttp outside the web": ("table/x.py", "from aiohttp import web", "not here"),
    "typer outside the command line": ("web/x.py", "import typer", "not here"),
    "rich outside the command line": ("table/x.py", "from rich.table import Table", "not here"),
    "time below the table": ("judge/x.py", "import time", "not here"),
    "random below the table": ("bots/x.py", "from random import Random", "not here"),
    "secrets below the table": ("cards.py", "import secrets", "not here"),
    "datetime below the table": ("log/x.py", "from datetime import datetime", "not here"),
    "time in the table's core": ("table/core/table.py", "from time import monotonic_ns", "not here"),
    "random in the table's core": ("table/core/table.py", "import random", "not here"),
    "secrets in the table's core": ("table/core/table.py", "import secrets", "not here"),
    "datetime in the table's core": ("table/core/table.py", "import datetime", "not here"),
    "time in a running game": ("table/session/game_session.py", "import time", "not here"),
    "random in the deck": ("deck.py", "import random", "not here"),
    "the deck imports the rules": ("deck.py", "from ratscrew.rules.house import Rules", "not below it"),
    "a module without a docstring": ("game/x.py", '""""""', "no docstring"),
}


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_a_violation_is_found(violation: str, tmp_path: Path) -> None:
    name, text, sentence = VIOLATIONS[violation]
    if violation == "a package without a layer is imported":
        build(tmp_path, {"unknown/x.py": ""})
    package = build(tmp_path, {name: text, "rules/__init__.pyi": "", "rules/house.py": ""})
    found = [each for each in violations(package) if each.startswith(name.removesuffix(".py"))]
    assert len(found) == 1
    assert sentence in found[0]


def test_allowed_imports_are_no_violations(tmp_path: Path) -> None:
    allowed = {
        "__init__.py": "from importlib.metadata import version",
        "__main__.py": "from ratscrew.cli import app",
        "cards.py": "from ratscrew.errors import CardError\nimport functools",
        "rules/__init__.pyi": "",
        "rules/slaps.py": "",
        "rules/house.py": "import msgspec\nfrom . import slaps\nfrom ..cards import Card\nfrom .. import errors",
        "game/decide/play.py": "from ratscrew.game.decide import at\nfrom .. import flow\nfrom ...rules import house",
        "bots/bot.py": "from ratscrew.game.view import View\nfrom ratscrew.judge import race",
        "log/sqlite.py": "import sqlite3\nfrom ratscrew import __version__",
        "log/postgres/session.py": "import psycopg, time",
        "cluster/node.py": "import asyncio, time\nfrom ratscrew.log.postgres.session import SessionPool",
        "lab/kernel.py": "import numpy, numba, time\nfrom ratscrew.bots.bot import Bot",
        "table/room/room.py": "import asyncio, time, secrets\nfrom ratscrew.log.memory import Log",
        "table/core/table.py": "from ratscrew.judge.race import Race",
        "web/app.py": "import aiohttp, asyncio\nfrom ratscrew.table.room.room import Room",
        "cli/serve.py": "import typer, rich, asyncio, time\nfrom ratscrew.web import app\nfrom . import show",
        "testing/strategies.py": "import hypothesis, time, random\nfrom ratscrew.cli import app",
    }
    package = build(tmp_path, allowed)
    assert len(modules(package)) == len(allowed) - 1  # without the stub
    assert list(violations(package)) == []
