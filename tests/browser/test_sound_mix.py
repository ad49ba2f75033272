"""The sounds are mixed against each other: each is rendered offline, and its loudness and peak are measured."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser.conftest import LAPTOP, OpenPage

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
CLIENT = HERE.parents[1] / "client"

SOUNDS = {
    "card": "sound.card()",
    "slap": "sound.slap()",
    "wrong": "sound.wrong()",
    "take_3": "sound.take(3, true)",
    "take_25": "sound.take(25, true)",
    "take_25_of_another": "sound.take(25, false)",
    "streak": "sound.take(6, true, 4)",
    "beaten": "sound.beaten()",
    "turn": "sound.turn()",
    "sign": "sound.sign()",
    "call": "sound.call()",
    "caught": "sound.caught()",
    "last": "sound.last()",
    "heart": "sound.heart()",
    "won": "sound.won()",
    "won_by_another": "sound.wonByAnother()",
    "lost": "sound.lost()",
}
"""Every sound, as it is played."""


UNDER_SLAP_DB = {
    **dict.fromkeys(("won", "lost"), (-2, 3)),
    **dict.fromkeys(("wrong", "heart", "last", "streak", "take_25", "caught", "call", "beaten"), (1.5, 8)),
    **dict.fromkeys(("card", "turn", "take_3", "take_25_of_another", "won_by_another"), (5, 12)),
    "sign": (9, 15),
}
"""How much quieter than the slap each sound is: at least and at most."""


class Measured(NamedTuple):
    """The loudness in LUFS, of the loudest 400 ms, and the highest sample."""

    loudness: float
    peak: float


def measured(open_page: OpenPage, tmp_path: Path, volume: int) -> dict[str, Measured]:
    """Each sound at this volume."""
    bundle = tmp_path / "sounds.js"
    node, bundler = os.environ.get("PLAYWRIGHT_NODEJS_PATH", "node"), CLIENT / "node_modules/rolldown/bin/cli.mjs"
    command = (node, bundler, HERE / "sound_mix.ts", "--format", "iife", "--name", "client", "--file", bundle)
    subprocess.run(command, check=True, capture_output=True)
    page = open_page(LAPTOP)
    page.goto("about:blank")
    page.add_script_tag(path=HERE / "sound_mix.js")
    given = [bundle.read_text(encoding="utf-8"), SOUNDS, volume]
    found = page.evaluate("([code, sounds, volume]) => measureSounds(code, sounds, volume)", given)
    page.close()
    return {name: Measured(each["loudness"], each["peak"]) for name, each in found.items()}


def test_what_matters_more_is_louder(open_page: OpenPage, tmp_path: Path) -> None:
    mix = {name: each.loudness for name, each in measured(open_page, tmp_path, 70).items()}
    under_slap = {name: mix["slap"] - loudness for name, loudness in mix.items()}
    shown = {name: round(db, 1) for name, db in under_slap.items()}
    for name, (least, most) in UNDER_SLAP_DB.items():
        assert least <= under_slap[name] <= most, shown
    assert set(UNDER_SLAP_DB) | {"slap"} == set(SOUNDS)
    assert mix["take_25"] - mix["take_25_of_another"] >= 3, shown
    assert mix["won"] - mix["won_by_another"] >= 3, shown
    assert mix["take_25"] - mix["take_3"] >= 3, shown


def test_no_sound_is_clipped_at_full_volume(open_page: OpenPage, tmp_path: Path) -> None:
    peaks = {name: round(each.peak, 2) for name, each in measured(open_page, tmp_path, 100).items()}
    assert max(peaks.values()) < 1, peaks
    assert min(peaks.values()) > 0.05, peaks
