"""Makes the pictures that messengers show beside links: scripts/python scripts/link_picture.py

`client/public/link.png` is the picture of all links but those of rooms. From
`src/ratscrew/web/rendering/link_sheet.png` the server makes the picture of a room (`web/rendering/link_picture.py`): it
has the same picture, and below it the letters of codes.
"""

from __future__ import annotations

import base64
import io
import struct
import sys
import zlib
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import browsers
import install

sys.path.insert(0, str(install.ROOT / "src"))

from ratscrew.web.rendering.link_picture import HEIGHT, LETTERS, PER_ROW, SHEET, TILE, WIDTH, chunk

COLOURS = 96
FONT = install.ROOT / "client" / "src" / "fonts" / "figtree.woff2"
PAGE = Path(__file__).with_suffix(".html")


def main() -> None:
    """Render the sheet in a page of its size, reduce its colours, and store it without filters."""
    html = PAGE.read_text(encoding="utf-8")
    for name, value in {
        "FONT": base64.b64encode(FONT.read_bytes()).decode(),
        "WIDTH": WIDTH,
        "HEIGHT": HEIGHT,
        "PER_ROW": PER_ROW,
        "TILE_WIDTH": TILE[0],
        "TILE_HEIGHT": TILE[1],
        "LETTERS": "".join(f"<span>{letter}</span>" for letter in LETTERS),
    }.items():
        html = html.replace(f"${name}$", str(value))
    rows = -(-len(LETTERS) // PER_ROW)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browsers.find_or_install(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT + rows * TILE[1]})
        page.set_content(html)
        page.evaluate("document.fonts.ready")
        shot = page.screenshot()
        browser.close()
    image = Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    SHEET.write_bytes(png(image))
    public = install.ROOT / "client" / "public" / "link.png"
    image.crop((0, 0, WIDTH, HEIGHT)).save(public, optimize=True)
    print(f"{SHEET}: {SHEET.stat().st_size} bytes; {public}: {public.stat().st_size} bytes")


def png(image: Image.Image) -> bytes:
    """A picture of indexed colours whose rows have no filters, so that they can be read without a library."""
    pixels, (width, height) = image.tobytes(), image.size
    rows = b"".join(b"\0" + pixels[y * width : (y + 1) * width] for y in range(height))
    palette = bytes(image.getpalette() or ())[: COLOURS * 3]
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"PLTE", palette), chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


if __name__ == "__main__":
    main()
