"""Compiling: the lab's one door to numba. Nothing in this file knows a rule.

What is compiled is kept in a folder that is named by all sources of it, so that it can never be older than they are.
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
from ratscrew.game import card_timing, turn_logic
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
    # Many processors have registers of 512 bits that LLVM leaves alone unless it is told that they are wanted.
    vars(config)["CPU_FEATURES"] = f"{features},-prefer-256-bit"


@cache
def cache_dir() -> Path:
    """Where compiled code is kept."""
    outside = (
        cards,
        ranks,
        card_timing,
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
    """A function that is compiled with whoever calls it, and called by nobody else."""
    return _jit(function)


def jit_inline(function: F) -> F:
    """The same for a small function that is called all the time: it becomes a part of whoever calls it."""
    return _jit(function, forceinline=True)


def jit_cached(function: F) -> F:
    """A function that is called from Python: compiled when it is first called, and kept for later processes."""
    settings = vars(config)
    before, settings["CACHE_DIR"] = settings["CACHE_DIR"], str(cache_dir())
    try:
        return cast(F, njit(**_OUTSIDE)(function))
    finally:
        settings["CACHE_DIR"] = before


def jit_module(module: ModuleType, number: Callable[[int], object] = int) -> SimpleNamespace:
    """The functions of a module of pure functions, compiled, with its whole numbers as `number`s.

    They call each other, so each looks for its names among the compiled ones.
    """
    room = dict(vars(module))
    for name, value in vars(module).items():
        if type(value) is int:
            room[name] = number(value)
        elif isinstance(value, FunctionType) and value.__module__ == module.__name__:
            room[name] = jit_inline(FunctionType(value.__code__, room, name))
    return SimpleNamespace(**{name: room[name] for name in room if not name.startswith("__")})


def _jit(function: F, **options: Any) -> F:
    """A function that is compiled once, not again for each constant that it is called with."""
    room: Any = njit(**_INSIDE, **options)(function)
    template = room.get_call_template
    room.get_call_template = lambda args, kws: template(tuple(map(types.unliteral, args)), kws)
    return cast(F, room)
