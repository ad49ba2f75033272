"""JIT compilation: the only module of the lab that configures numba. No game rules here.

Compiled code is cached in a folder named by a hash of all its sources, so it is never out of date.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, cast

from numba import config, njit, types
from numba.core import codegen
from platformdirs import user_cache_path

from ratscrew import cards
from ratscrew.bots import reflexes, strategy_traits
from ratscrew.game import card_timing, penalty_logic, slap_logic, turn_logic
from ratscrew.lab import random_stream, tally
from ratscrew.rules import ranks

F = TypeVar("F", bound=Callable[..., Any])

_INSIDE: dict[str, Any] = {
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_OUTSIDE: dict[str, Any] = {"error_model": "numpy", "nogil": True, "cache": True}

if "+avx512f" in (features := vars(codegen)["get_host_cpu_features"]()) and vars(config)["CPU_FEATURES"] is None:
    # Many processors have 512-bit registers that LLVM does not use unless asked to.
    vars(config)["CPU_FEATURES"] = f"{features},-prefer-256-bit"


@cache
def cache_dir() -> Path:
    """The cache folder of compiled code."""
    outside = (
        cards,
        ranks,
        card_timing,
        penalty_logic,
        slap_logic,
        turn_logic,
        reflexes,
        strategy_traits,
        random_stream,
        tally,
    )  # their functions and numbers are compiled too
    here, rooms = Path(__file__), ("kernel", "bitboard")
    inside = [path for room in rooms for path in sorted((here.parent / room).glob("*.py"))]
    sources = [here, here.with_name("bits.py"), *(Path(inspect.getfile(module)) for module in outside), *inside]
    digest = sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    return user_cache_path("ratscrew") / "lab" / digest[:16]


def jit(function: F) -> F:
    """Decorator: compile a function for calls from compiled code only."""
    return _jit(function)


def jit_inline(function: F) -> F:
    """Decorator: like `jit`, and inline the function into its callers; for small, hot functions."""
    return _jit(function, forceinline=True)


def jit_cached(function: F) -> F:
    """Decorator: compile a function for calls from Python, at the first call, and cache it for later processes."""
    settings = vars(config)
    before, settings["CACHE_DIR"] = settings["CACHE_DIR"], str(cache_dir())
    try:
        return cast(F, njit(**_OUTSIDE)(function))
    finally:
        settings["CACHE_DIR"] = before


def jit_module(module: ModuleType, number: Callable[[int], object] = int) -> SimpleNamespace:
    """Compile the functions of a module of pure functions, with its integer constants converted by `number`.

    The functions may call each other: their globals are the compiled functions.
    """
    room = dict(vars(module))
    for name, value in vars(module).items():
        if type(value) is int:
            room[name] = number(value)
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            room[name] = jit_inline(FunctionType(value.__code__, room, name))
    return SimpleNamespace(**{name: room[name] for name in room if not name.startswith("__")})


def _jit(function: F, **options: Any) -> F:
    """Compile a function once, not again for each constant argument."""
    room: Any = njit(**_INSIDE, **options)(function)
    template = room.get_call_template
    room.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
    return cast(F, room)
