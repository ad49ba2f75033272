"""Houses by name. A preset is the choices in which it differs from `classic`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratscrew.errors import RulesError
from ratscrew.rules.house import Rules

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "classic": {},
}


def house(preset: str = "classic", /, **options: Any) -> Rules:
    """The rules of a preset, with some options replaced (`slaps` switch by switch).

    Raises: RulesError if there is no such preset, or with every problem of the options.
    """
    if preset not in PRESETS:
        raise RulesError([f"there is no preset {preset!r}; there are {', '.join(PRESETS)}"])
    base, slaps = PRESETS[preset], options.get("slaps", {})
    merged = {**base.get("slaps", {}), **slaps} if isinstance(slaps, Mapping) else slaps
    return Rules.read({**base, **options, "slaps": merged})
