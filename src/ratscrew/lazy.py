"""The names that a package offers, imported when they are first used: so `import ratscrew` costs next to nothing.

They stand once, in the package's stub `__init__.pyi`, where type checkers look for them too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module


def lazy_exports(
    package: str, file: str, install: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package: the names of the stub beside its `file`.

    A stub has lines such as `from ratscrew.game.view import view as view`. `install` says how to get packages of other
    projects that the names need and that are not installed with Ratscrew.
    """
    module_of: dict[str, str] = {}
    with open(file + "i", encoding="utf8") as stub:
        for line in stub:
            match line.split():
                case ["from", module, "import", name, "as", _]:
                    module_of[name] = module

    def load(name: str) -> object:
        """A name of the package, imported; from then on the package has it.

        Raises: AttributeError if the package does not offer it; ModuleNotFoundError if another package is missing.
        """
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}; it offers {', '.join(names)}")
        try:
            module = import_module(module_of[name])
            found = vars(module)[name] if name in vars(module) else import_module(f"{module_of[name]}.{name}")
        except ModuleNotFoundError as error:
            if install and not (error.name or "").startswith("ratscrew"):
                error.add_note(f"{package}.{name} needs packages that are not installed: {install}")
            raise
        setattr(sys.modules[package], name, found)
        return found

    names = sorted(module_of)
    return load, lambda: sorted({*vars(sys.modules[package]), *names}), names
