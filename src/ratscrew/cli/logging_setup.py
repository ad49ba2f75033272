"""Sets up logging to standard error: one line per event with its fields, as text or JSON.

No line contains a card, a token, a passkey or, at the default level, a person's name.
"""

from __future__ import annotations

import logging
from typing import Literal, TypeAlias

from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

LogFormat: TypeAlias = Literal["text", "json"]
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]


class TextFormatter(logging.Formatter):
    """Formats a message as readable text: the event, then its fields."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        """See `logging.Formatter`."""
        fields = (f" {name}={value}" for name, value in vars(record).items() if name not in RESERVED_ATTRS)
        return super().formatMessage(record) + "".join(fields)


def set_up_logging(form: LogFormat, level: LogLevel) -> None:
    """Log messages of this level and above to standard error."""
    handler = logging.StreamHandler()
    if form == "json":
        names = {"asctime": "time", "levelname": "level", "name": "from", "message": "event"}
        handler.setFormatter(JsonFormatter(" ".join(f"%({name})s" for name in names), rename_fields=names))
    else:
        handler.setFormatter(TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    logging.getLogger("fido2").setLevel(logging.WARNING)  # it logs the ids of passkeys, which are their owners'
