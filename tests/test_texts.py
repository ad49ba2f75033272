"""Every text of the catalogues is on a screen that is looked at in every language and size, or has a reason not to be.

tests/browser/texts.toml names for each text the screen that shows it; tests/browser/test_texts.py opens the screens.
"""

from __future__ import annotations

import fnmatch
import tomllib
from pathlib import Path

from tests.browser.catalogue import arguments

TEXTS = tomllib.loads((Path(__file__).parent / "browser" / "texts.toml").read_text(encoding="utf-8"))


def test_every_text_is_on_a_screen_or_has_a_reason_not_to_be() -> None:
    shown = {path for paths in TEXTS["screens"].values() for path in paths}
    excluded = {pattern for entry in TEXTS["excluded"] for pattern in entry["texts"]}
    unknown = sorted(shown - {*arguments()})
    assert not unknown, f"texts.toml names texts that are in no catalogue: {unknown}"
    left = [
        path for path in arguments() if path not in shown and not any(fnmatch.fnmatch(path, one) for one in excluded)
    ]
    assert not left, (
        f"No screen shows these texts: {left}. Open one in tests/browser/*scenes.py, and name it in texts.toml."
    )


def test_no_reason_is_needless() -> None:
    shown = {path for paths in TEXTS["screens"].values() for path in paths}
    left = [path for path in arguments() if path not in shown]
    for entry in TEXTS["excluded"]:
        assert entry["reason"].strip()
        for pattern in entry["texts"]:
            assert fnmatch.filter(left, pattern), f"{pattern} is shown, or in no catalogue: remove it from texts.toml"
