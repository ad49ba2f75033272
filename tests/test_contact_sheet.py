"""The contact sheet has every page of the client, and a place for each picture."""

from __future__ import annotations

import re
from pathlib import Path

import contact_sheet
import install
from contact_sheet import Picture, Rooms, shots, table_of

PAGES = re.search(r"const PAGES.*?\{\n(.*?)\n\}", (install.ROOT / "client/src/pages.ts").read_text(), re.DOTALL)


def test_every_page_of_the_client_is_on_the_sheet() -> None:
    assert PAGES
    names = set(re.findall(r"^  (\w+): ", PAGES[1], re.MULTILINE)) - {"activity"}  # only a server at Discord has it
    assert {"rules", "tv"} <= names
    paths = [re.split(r"[/#]", shot.path)[1] for shot in shots(Rooms("WOLF4821", 0, "FROG1234"))]
    assert {"", "room", *names} <= set(paths)


def test_pictures_are_in_one_row_for_each_page_and_in_one_column_for_each_width(tmp_path: Path) -> None:
    taken = [Picture(name, width, tmp_path / f"{name}-{width}.png") for width in (320, 390) for name in ("a < b", "c")]
    assert table_of("firefox", taken) == (
        '<tr><th>a &lt; b</th><td><img src="firefox/a &lt; b-320.png" width="160"></td>'
        '<td><img src="firefox/a &lt; b-390.png" width="195"></td></tr>'
        '<tr><th>c</th><td><img src="firefox/c-320.png" width="160"></td>'
        '<td><img src="firefox/c-390.png" width="195"></td></tr>'
    )
    assert set(contact_sheet.SIZES) == {320, 390, 844, 1280}
