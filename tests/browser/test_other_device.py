"""A seat moves to another device by a link that is good for some minutes; no page ever has the secret in its hands."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, OpenPage
from tests.browser.gathering import UNHURRIED, Gather, gather, held, panel_ready, slap, stands, turn
from tests.browser.qr import decoded

__all__ = ["gather"]

pytestmark = pytest.mark.browser


def test_a_seat_moves_to_another_device_and_back(gather: Gather, open_page: OpenPage) -> None:
    ana, ben = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    turn(ana, n=1)
    ana.get_by_test_id("open-menu").tap()
    ana.get_by_test_id("menu-device").tap()
    link = decoded(ana)
    other = open_page(LAPTOP)
    other.add_init_script("window.tableSpeed = 2")
    other.goto(link)
    other.get_by_test_id("take-seat-yes").click()
    stands(other, n=1, phase="play")
    assert other.url == link.partition("#")[0]
    secret = link.partition("#seat=")[2]
    assert len(secret) == 32  # 24 random bytes
    kept = "JSON.stringify([document.cookie, {...sessionStorage}, {...localStorage}, location.href])"
    assert not any(secret[:20] in page.evaluate(kept) for page in (ana, other))
    assert other.evaluate("document.cookie") == ""
    assert held(other) == [2, 3]
    expect(ana.get_by_test_id("bye-elsewhere")).to_be_visible()
    turn(ben, n=2)
    slap(other, n=2)
    expect(ben.get_by_test_id("banner")).to_contain_text("Ana takes 2")
    panel_ready(ana)
    ana.get_by_test_id("here").tap()
    stands(ana, n=2, phase="play")
    assert held(ana) == [4, 2]
    expect(other.get_by_test_id("bye-elsewhere")).to_be_visible()
    other.close()


def test_a_link_that_has_run_out_says_so_and_leads_to_the_table(gather: Gather, open_page: OpenPage) -> None:
    (ana, _) = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    other = open_page(LAPTOP, refused=True)
    other.goto(f"{ana.url}#seat=0.1.gone")
    other.get_by_test_id("take-seat-yes").click()
    expect(other.get_by_text("This link has expired")).to_be_visible()
    assert other.url == ana.url
    other.get_by_test_id("no-pass-table").click()
    expect(other.get_by_test_id("join-go")).to_be_visible()
    other.close()


def test_a_link_alone_gives_a_browser_no_seat(gather: Gather, open_page: OpenPage) -> None:
    (ana, _) = gather(f"1;classic;{UNHURRIED}", "5H 8C 2S", "5S 3C 9D")
    ana.get_by_test_id("open-menu").tap()
    ana.get_by_test_id("menu-device").tap()
    other = open_page(LAPTOP)
    asked: list[str] = []
    other.on("request", lambda request: asked.append(request.url))
    other.goto(decoded(ana))
    other.get_by_test_id("take-seat-no").click()
    expect(other.get_by_test_id("join-go")).to_be_visible()
    assert not [url for url in asked if url.endswith("/device")]
    assert held(ana) == [3, 3]
    other.close()
