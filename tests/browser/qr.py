"""QR codes on a page, read by a decoder that is not the page's own."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import Page

CLIENT = Path(__file__).parents[2] / "client"


def decoded(page: Page) -> str:
    """What the QR code on the page says, read by a decoder from its picture: each module four pixels wide."""
    drawn = page.get_by_test_id("qr")
    size = int(str(drawn.get_attribute("viewBox")).split()[2])
    dark = re.findall(r"M(\d+) (\d+)h1v1h-1z", str(drawn.locator("path").get_attribute("d")))
    script = """
      import decode from 'qr/decode.js'
      const { size, dark } = JSON.parse(await new Response(process.stdin).text())
      const wide = size * 4, data = new Uint8ClampedArray(wide * wide * 4).fill(255)
      for (const [x, y] of dark)
        for (let i = 0; i < 16; i++) {
          const at = 4 * ((y * 4 + (i >> 2)) * wide + x * 4 + (i & 3))
          data.fill(0, at, at + 3)
        }
      console.log(decode({ width: wide, height: wide, data }))
    """
    given = json.dumps({"size": size, "dark": [[int(x), int(y)] for x, y in dark]})
    command = ["node", "--input-type=module", "-e", script]
    return subprocess.run(command, cwd=CLIENT, input=given, capture_output=True, text=True, check=True).stdout.strip()
