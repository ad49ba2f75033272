"""Makes the icons of the page from client/public/icon.svg: scripts/python scripts/icons.py

If a phone crops the icon itself, the background fills it; if it may crop to any shape, the picture stays in the middle.
"""

from __future__ import annotations

import re
import struct

from playwright.sync_api import sync_playwright

import browsers
import install

PUBLIC = install.ROOT / "client" / "public"
SIZES = {"icon-180": 180, "icon-192": 192, "icon-512": 512, "icon-maskable-512": 512}
FAVICON = 32
"""The size of favicon.ico, for browsers that show no SVG, and for bookmarks."""

FILLED = {"icon-180": 1.0, "icon-maskable-512": 0.8}
"""Icons whose background fills them, and the scale of the picture: for Apple's phones, and for any shape of crop."""


def main() -> None:
    """Render each icon in a page of its size."""
    drawing = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browsers.find_or_install(), args=["--no-sandbox"])
        for name, size in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            svg = filled(drawing, FILLED[name]) if name in FILLED else drawing
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        page = browser.new_page(viewport={"width": FAVICON, "height": FAVICON})
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing}")
        (PUBLIC / "favicon.ico").write_bytes(ico(page.screenshot(omit_background=True), FAVICON))
        browser.close()


def ico(png: bytes, size: int) -> bytes:
    """An icon file with one picture: a header, one directory entry, and the PNG file as it is."""
    directory = struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(png), 6 + 16)
    return struct.pack("<HHH", 0, 1, 1) + directory + png


def filled(drawing: str, scale: float) -> str:
    """The drawing with its background to the edges and the rest scaled in the middle."""
    found = re.search(r"(<rect [^>]*url\(#g\)[^>]*/>)(.*)</svg>", drawing, re.DOTALL)
    assert found, "icon.svg begins with its ground"
    ground, rest = found.groups()
    inner = f'<g transform="translate(50 50) scale({scale}) translate(-50 -50)">{rest}</g>'
    return drawing.replace(ground + rest, re.sub(r' rx="\d+"', "", ground) + inner)


if __name__ == "__main__":
    main()
