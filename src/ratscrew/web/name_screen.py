"""Screens what players call themselves, their accounts and arenas: by a maintained list, and the operator's own.

The list of glin-profanity has English and German words, also in disguise; it takes whole words, so Scunthorpe passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from ratscrew.errors import ConfigError, RulesError
from ratscrew.rules.words import say
from ratscrew.table.players.names import faults, tidy

WORDS_MOST = 5000
"""How many words of their own an operator can add."""

_TEXTS = ("name", "title")
"""The fields of a request by which players call something."""

_BORDERS = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|[\W_]+")
"""Where words meet in a name without spaces: FuckYou, xx_fuck_xx."""


class NameScreen:
    """Refuses names. `words` are an operator's own; one that begins with `+` is allowed although the list has it."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        from glin_profanity import Filter  # it takes a tenth of a second, which only a server needs

        words = list(words)
        self._filter = Filter(
            {
                "languages": ["english", "german"],
                "detect_leetspeak": True,
                "custom_words": [word for word in words if not word.startswith("+")],
                "whitelist": [word[1:].strip() for word in words if word.startswith("+")],
            }
        )
        self.refuses = lru_cache(1024)(self._refuses)
        """Whether a tidy name is refused; takes about half a millisecond of CPU."""

    def check(self, body: Any) -> None:
        """Check the names in the body of a request. Those that are none are not read: who takes them refuses them.

        Raises: RulesError.
        """
        for field in _TEXTS:
            text = getattr(body, field, None)
            if isinstance(text, str) and not faults(name := tidy(text)) and self.refuses(name):
                raise RulesError([say("This name isn't allowed here: choose another one")])

    def _refuses(self, name: str) -> bool:
        return any(self._filter.is_profane(each) for each in {name, _BORDERS.sub(" ", name)})


def read_words(file: Path) -> list[str]:
    """An operator's words: one a line; empty lines and those that begin with `#` are ignored.

    Raises: ConfigError if the file cannot be read, or has too many words.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError([f"--names {file}: it cannot be read: {error}"]) from error
    words = [word for line in lines if (word := line.strip()) and not word.startswith("#")]
    if len(words) > WORDS_MOST:
        raise ConfigError([f"--names {file}: it has {len(words)} words, and {WORDS_MOST} are the most"])
    return words
