"""Sets up logging to standard error: one line per event with its fields, as text or JSON.

What clients can cause as often as they like is logged a few times a second (`RepeatFilter`). No line contains a card, a
token, a passkey or, at the default level, a person's name.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Literal, TypeAlias

from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

LogFormat: TypeAlias = Literal["text", "json"]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]


MOST, WITHIN_S = 10, 1.0
"""So many lines of a kind are logged within so many seconds: a flood is cut, a change that follows another is not."""

KINDS_MOST = 1000
"""Kinds of lines that are remembered at the same time; further ones count as one kind."""

Kind: TypeAlias = tuple[str, int, str]


class RepeatFilter(logging.Filter):
    """Drops lines of the same kind that come too often: from one logger, at one level, with one template.

    The next line of the kind that is logged says in `repeated` how many were dropped. Lines at the level `debug` pass.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s, self._lock = now_s, Lock()
        self._kinds: dict[Kind, tuple[float, int]] = {}
        """By the kind: when its present second began, and how many lines it has had in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno <= logging.DEBUG:
            return True
        with self._lock:
            now_s, kind = self._now_s(), (record.name, record.levelno, str(record.msg))
            if kind not in self._kinds and len(self._kinds) >= KINDS_MOST:
                self._kinds = {each: last for each, last in self._kinds.items() if now_s < last[0] + WITHIN_S}
                if len(self._kinds) >= KINDS_MOST:
                    kind = ("", 0, "")
            began_s, lines = self._kinds.get(kind, (now_s, 0))
            if now_s < began_s + WITHIN_S:
                self._kinds[kind] = began_s, lines + 1
                return lines < MOST
            self._kinds[kind] = now_s, 1
        if lines > MOST:
            record.repeated = lines - MOST
        return True


class TextFormatter(logging.Formatter):
    """Formats a message as readable text: the event, then its fields."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        fields = (f" {name}={value}" for name, value in vars(record).items() if name not in RESERVED_ATTRS)
        return super().formatMessage(record) + "".join(fields)


def set_up_logging(form: LogFormat, level: LogLevel) -> None:
    """Log messages of this level and above to standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter())  # of the handler: loggers' filters do not see the records of their children
    if form == "json":
        names = {"asctime": "time", "levelname": "level", "name": "from", "message": "event"}
        handler.setFormatter(JsonFormatter(" ".join(f"%({name})s" for name in names), rename_fields=names))
    else:
        handler.setFormatter(TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    logging.getLogger("fido2").setLevel(logging.WARNING)  # it logs the ids of passkeys, which are their owners'
