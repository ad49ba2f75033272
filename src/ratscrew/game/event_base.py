"""The base class of events."""

from __future__ import annotations

import re

from msgspec import Struct


def _snake(name: str) -> str:
    return re.sub("(?<=.)(?=[A-Z])", "_", name).lower()


class EventBase(Struct, frozen=True, omit_defaults=True, tag_field="e", tag=_snake):
    """Something that happened; the field `e` has the type of event. In JSON, fields with their default are left out."""
