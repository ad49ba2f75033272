"""Modules of a user's own: bots by name, and slap patterns, which are declared when their module is imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from ratscrew.bots.bot import Bot
from ratscrew.errors import RatscrewError

_loaded: dict[str, ModuleType] = {}


def load(name: str) -> ModuleType:
    """Import a module by its name; those in the current folder are found too.

    Raises: RatscrewError if it cannot be imported.
    """
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        _loaded[name] = importlib.import_module(name)
    except Exception as error:  # a user's module may raise anything
        raise RatscrewError(f"the module {name} cannot be imported: {type(error).__name__}: {error}") from error
    return _loaded[name]


def load_all(names: Iterable[str]) -> None:
    """Import modules.

    Raises: RatscrewError if one cannot be imported.
    """
    for name in names:
        load(name)


def loaded() -> tuple[str, ...]:
    """The names of the modules that were loaded."""
    return tuple(_loaded)


def find_bot(module: str, name: str = "BOT") -> Bot:
    """The bot of a module by its name.

    Raises: RatscrewError if there is no such module or bot.
    """
    bot: Bot | None = getattr(load(module), name, None)
    if bot is None or not callable(getattr(bot, "plan", None)):
        raise RatscrewError(f"the module {module} has no {name} with a method plan; see examples/my_bot.py")
    return bot


def source_files(name: str) -> list[Path]:
    """The source files of a module: its file, or all those of a package.

    Raises: RatscrewError if it has none, so that nobody could say what was played.
    """
    file = getattr(load(name), "__file__", None)
    if file is None:
        raise RatscrewError(f"the module {name} has no source file: write it to one")
    path = Path(file)
    return sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
