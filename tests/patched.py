"""A second implementation of what clients do with the changes of a view."""

from __future__ import annotations

from typing import Any

from msgspec.json import decode

from ratscrew.game.codec import Codec
from ratscrew.game.view import View

_VIEWS = Codec[View](View)


def patched(view: Any, message: Any) -> Any:
    """A view as JSON after a message of an event; None before the deal."""
    if view is None or "view" in message:
        return message.get("view")
    standing = message["e"].get("standing", view["standing"])
    return {**view, "standing": standing, **{name: _new(view[name], how) for name, how in message.get("c", {}).items()}}


def whole(view: Any) -> Any:
    """A view as JSON with all fields of its standings."""
    if view is None or isinstance(view, View):
        return view and whole(decode(_VIEWS.encode(view)))
    none = {"challenger": None, "chances_left": 0, "reason": None}
    back = view["resume_state"]
    return {**view, "standing": none | view["standing"], "resume_state": back and none | back}


def _new(value: Any, change: Any) -> Any:
    if isinstance(change, list):
        start, removed, *added = change
        return value[:start] + added + value[start + removed :]
    if isinstance(change, dict) and isinstance(value, list):
        return [_new(each, change[str(at)]) if str(at) in change else each for at, each in enumerate(value)]
    if isinstance(change, dict):
        return {**(value or {}), **change}
    return change
