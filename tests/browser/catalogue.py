"""Every text of the page by its path in the catalogues of client/src/i18n, and whether it fits where it stands.

The texts of a page are recorded as it asks for them: so each text on the screen is known by its path. What it says of
names, numbers or cards is then replaced by the widest there are, and what else may stand there is put in its place.
"""

from __future__ import annotations

import fnmatch
import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, Route, TimeoutError, ViewportSize

from ratscrew.table.registry.codes import WORDS
from ratscrew.web.http import static_files
from tests.browser.conftest import LAPTOP, PHONE, SMALL, TABLET
from tests.browser.large import DOUBLED, LARGE, SPACED

if TYPE_CHECKING:
    from tests.browser.scenes import Scene

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "client" / "src"
LANGUAGES = tuple(sorted(file.stem for file in (SOURCES / "i18n").glob("??.ts")))
"""Every language that has a catalogue."""
SHOWN = "de"
"""The language of the pages; in its place the texts of the others are tried too."""

LYING: ViewportSize = {"width": 844, "height": 390}
ZOOMED: ViewportSize = {"width": 640, "height": 400}
REFLOWED: ViewportSize = {"width": 320, "height": 256}
"""A window of 1280 by 1024 pixels at 400 %, WCAG 1.4.10. A table does not scroll: test_every_shape looks at what of it
can be pressed there."""
FOLDED: ViewportSize = {"width": 280, "height": 653}
"""The outer screen of a foldable phone, the narrowest that the layouts fit."""
USUAL_SIZE = (
    "() => { document.adoptedStyleSheets = []; "
    "for (const one of document.querySelectorAll('#app *')) one.style.fontSize = '' }"
)
VIEWS: dict[str, tuple[ViewportSize, str]] = {
    "280 px": (FOLDED, ""),
    "320 px": (SMALL, ""),
    "a laptop at 400 %": (REFLOWED, ""),
    "390 px": (PHONE, ""),
    "844 px": (LYING, ""),
    "a laptop at 200 %": (ZOOMED, ""),
    "1180 px": (TABLET, ""),
    "1280 px": (LAPTOP, ""),
    "390 px, spaced": (PHONE, SPACED),
    "1280 px, spaced": (LAPTOP, SPACED),
    "320 px, doubled": (SMALL, DOUBLED),
    "844 px, doubled": (LYING, DOUBLED),
    "1280 px, doubled": (LAPTOP, DOUBLED),
}
"""Every size at which all words have to be there: the screen, and what is done to its text."""

_CATALOGUE = Path(__file__).with_name("catalogue.js").read_text(encoding="utf-8")
_EXPORT = re.compile(r"export\s*\{\s*(\w+) as (\w+)\s*\};?\s*$")


@cache
def arguments() -> dict[str, list[list[str]] | None]:
    """Every text by its path, with the names and types of its arguments; None for those without."""
    node = subprocess.run(
        [sys.executable, "hatch_build.py", "node"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    command = [node.stdout.strip(), str(Path(__file__).with_name("arguments.mjs"))]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def parts_of(language: str) -> list[str]:
    """The addresses of the parts of a catalogue."""
    return [f"/assets/{file.name}" for file in sorted((static_files.PAGE / "assets").glob(f"{language}-*.js"))]


def record(page: Page, language: str) -> None:
    """Record the texts of this page's catalogue, from its next load on."""

    def listened(route: Route) -> None:
        built = (static_files.PAGE / "assets" / route.request.url.rpartition("/")[2]).read_text(encoding="utf-8")
        source, count = _EXPORT.subn(r"const recorded = catalogue.record(\1); export { recorded as \2 }", built)
        assert count == 1, f"{route.request.url} is not a part of a catalogue"
        route.fulfill(body=source, content_type="text/javascript")

    page.add_init_script(_CATALOGUE)
    page.add_init_script(LARGE)
    page.context.route(re.compile(rf"/assets/{language}-[^/]*\.js$"), listened)


@cache
def world(url: str) -> dict[str, Any]:
    """How texts are made, and what of them comes from the server at this address."""
    with urllib.request.urlopen(f"{url}/api/rules") as answer:
        described = json.load(answer)
    banner = (SOURCES / "room" / "Banner.svelte").read_text(encoding="utf-8")
    long = re.search(r"const LONG = (\d+)", banner)
    assert long
    widest = max(WORDS, key=lambda word: word.count("M") + word.count("W"))
    return {
        "made": {path: given for path, given in arguments().items() if given},
        "others": [parts_of(language) for language in LANGUAGES if language != SHOWN],
        "patterns": [kind["title"] for kind in described["slaps"]],
        "houses": [preset["title"] for preset in described["presets"]],
        "titles": [option["title"] for group in described["groups"] for option in group["options"]],
        "code": f"{widest} 8888",
        "long": int(long[1]),
    }


def lost_at_any_size(page: Page, scene: Scene, url: str) -> list[str]:
    """What is lost of a screen at any of its sizes, with any of the texts that may stand on it."""
    page.evaluate("world => catalogue.know(world)", world(url))
    found, unseen = [], set(scene.places)
    fixed = page.locator("body:has(.stage):not(:has([role=dialog]))").count()
    for name in scene.views:
        screen, change = VIEWS[name]
        if fixed and screen is REFLOWED:
            continue
        page.set_viewport_size(screen)
        laid = page.evaluate(
            f"""async ([places, {{ width, height }}]) => {{
                const frame = () => new Promise(requestAnimationFrame)
                while (innerWidth !== width || innerHeight !== height) await frame() // each comes on its own
                for (const change of [{USUAL_SIZE}, {change or "() => {}"}]) change()
                await document.fonts.ready
                for (let last = null; ; ) {{ // until the layout rests: two looks find the same
                    for (let i = 0; i < (last ? 20 : 2); i++) await frame()
                    const laid = catalogue.lay(places)
                    const found = laid.faults.join()
                    if (!found || found === last) return laid
                    last = found
                }}
            }}""",
            [dict(scene.places), screen],
        )
        found += [f"{name}: {fault}" for fault in laid["faults"]]
        unseen -= {*laid["seen"]}
    return found + [f"nowhere to be seen: {css}" for css in sorted(unseen)]


def shows(page: Page, paths: set[str]) -> None:
    """Wait until all these texts are seen on a page, read aloud or the names of controls: some of it may come later.

    Raises: AssertionError with the texts that do not come.
    """
    left = "paths => { const here = catalogue.present(); return paths.filter(path => !here.has(path)) }"
    try:
        page.wait_for_function(f"paths => ({left})(paths).length === 0", arg=sorted(paths))
    except TimeoutError:
        raise AssertionError(f"texts.toml says that these are here: {page.evaluate(left, sorted(paths))}") from None


def may_stand_in(places: Mapping[str, list[str]]) -> set[str]:
    """The paths of all texts that may stand in these places."""
    patterns = [pattern for each in places.values() for pattern in each]
    named = [path for pattern in patterns for path in (re.findall(r"\{(.*?)\}", pattern) or [pattern])]
    return {path for path in arguments() for pattern in named if fnmatch.fnmatchcase(path, pattern)}
