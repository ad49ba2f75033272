"""Caches what follows from an immutable object in the object itself: the rules of a game, or its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once(function: Callable[[T], R]) -> Callable[[T], R]:
    """Decorator: call the function, whose result is never None, once for each object, which must have a `__dict__`.

    Like `functools.cached_property`, for functions that the object's own class cannot have, in a module above it.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    def cached(each: T) -> R:
        known: dict[str, Any] = each.__dict__
        result: R | None = known.get(name)
        if result is None:
            result = known[name] = function(each)
        return result

    return cached
