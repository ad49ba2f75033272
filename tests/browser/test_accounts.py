"""Keep my games, on phone and laptop: an account from one button, on another device, exported, and deleted for good."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import violations
from tests.browser.conftest import LAPTOP, PHONE, TABLET, OpenPage
from tests.browser.gathering import post
from tests.browser.large import whole_when_large
from tests.browser.qr import decoded
from tests.browser.server import Server

pytestmark = pytest.mark.browser

NAME = "Xanthippe"


def keep(page: Page, url: str, name: str = NAME) -> str:
    """Keep one's games, from the start page; returns the public name."""
    page.goto(url)
    page.get_by_test_id("settings-of-start").click()
    page.get_by_test_id("keep-my-games").click()
    page.get_by_test_id("account-name").fill(name)
    page.get_by_test_id("keep-games").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(rf"{name}#\d{{4}}"))
    return page.get_by_role("heading", level=1).inner_text()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_games_are_kept_on_two_devices_exported_and_deleted(
    viewport: ViewportSize, open_page: OpenPage, tmp_path: Path
) -> None:
    file = tmp_path / "games.sqlite3"
    with Server(file) as server:
        page = open_page(viewport, touch=viewport == PHONE, bypass_csp=True)
        room = post(page, f"{server.url}/api/rooms", name=NAME, bots=1)["room"]  # before there is an account
        page.add_init_script(f"localStorage['ratscrew:seat:{room}'] ??= '0@' + Date.now()")
        name = keep(page, server.url)
        assert not violations(page)
        whole_when_large(page)
        page.get_by_test_id("add-device").click()
        link = decoded(page)
        other = open_page(LAPTOP if viewport == PHONE else PHONE)
        other.goto(link)
        other.get_by_test_id("keep-account").click()  # a link alone signs nobody in
        expect(other.get_by_test_id("keep-games")).to_be_visible()
        other.goto(server.url)
        other.goto(link)
        other.get_by_test_id("take-account").click()
        expect(other.get_by_role("heading", level=1)).to_have_text(name)
        assert other.url == f"{server.url}/me"
        page.get_by_test_id("close-device").click()
        with page.expect_download() as download:
            page.get_by_test_id("export").click()
        assert name in Path(download.value.path()).read_text()
        page.get_by_test_id("delete-account").click()
        page.get_by_test_id("keep").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.get_by_test_id("delete-account").click()
        page.get_by_test_id("confirm-deletion").click()
        expect(page.get_by_test_id("keep-games")).to_be_visible()
        other.goto(server.url)
        other.get_by_test_id("settings-of-start").click()
        expect(other.get_by_test_id("keep-my-games")).to_have_text("Keep my games", timeout=30_000)
        for each in (page, other):
            each.close()
    left = [each.name for each in tmp_path.iterdir() if each.is_file() and NAME.encode() in each.read_bytes()]
    assert left == []


def test_a_link_that_was_used_says_so_and_another_account_is_not_lost(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        ana, bo = open_page(LAPTOP), open_page(PHONE, touch=True, refused=True)
        name, own = keep(ana, server.url, "Ana"), keep(bo, server.url, "Bo")
        ana.get_by_test_id("add-device").click()
        link = decoded(ana)
        bo.goto(link)
        bo.get_by_test_id("keep-account").click()
        expect(bo.get_by_role("heading", level=1)).to_have_text(own)
        bo.goto(server.url)
        bo.goto(link)
        bo.get_by_test_id("take-account").click()
        expect(bo.get_by_role("heading", level=1)).to_have_text(name)
        bo.goto(server.url)
        bo.goto(link)
        bo.get_by_test_id("take-account").click()
        expect(bo.get_by_text("This link has expired or was used")).to_be_visible()
        for page in (ana, bo):
            page.close()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_all_other_devices_are_signed_out(viewport: ViewportSize, open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page, other = open_page(viewport, touch=viewport == PHONE), open_page(TABLET)
        name = keep(page, server.url)
        page.get_by_test_id("add-device").click()
        other.goto(decoded(page))
        other.get_by_test_id("take-account").click()
        expect(other.get_by_role("heading", level=1)).to_have_text(name)
        page.reload()
        page.get_by_test_id("sign-out").click()
        expect(page.get_by_test_id("sign-out")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        other.goto(f"{server.url}/me")
        expect(other.get_by_test_id("keep-games")).to_be_visible()
        for each in (page, other):
            each.close()


def test_another_name_can_be_chosen_in_german(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(PHONE, touch=True, locale="de-DE")
        page.goto(f"{server.url}/me")
        expect(page.get_by_role("heading", level=1)).to_have_text("Meine Spiele behalten")
        page.get_by_test_id("account-name").fill("Jürgen")
        page.get_by_test_id("keep-games").click()
        page.get_by_test_id("rename").click()
        page.get_by_test_id("new-name").fill("Zoë")
        page.get_by_test_id("save-name").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"Zoë#\d{4}"))
        page.close()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_without_a_community_no_page_shows_a_trace_of_it(
    viewport: ViewportSize, open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3", more=("--community", "off")) as server:
        page = open_page(viewport, refused=True)
        page.add_init_script(
            "localStorage['ratscrew:settings'] = '{\"games\": 3, \"account\": true}'"
        )  # once there was one
        page.goto(server.url)
        with page.expect_response("**/api/account"):
            page.get_by_test_id("settings-of-start").click()
        page.wait_for_load_state("networkidle")
        expect(page.get_by_test_id("close-settings")).to_be_visible()
        expect(page.get_by_test_id("keep-my-games")).to_have_count(0)
        page.get_by_test_id("close-settings").click()
        page.get_by_test_id("open-rooms").click()
        expect(page.get_by_test_id("open-none")).to_be_visible()
        page.wait_for_load_state("networkidle")
        for link in ("arenas-link", "leaderboard-link"):
            expect(page.get_by_test_id(link)).to_have_count(0)
        for path in ("me", "me/friends", "players", "players/0123456789abcdef", "arena"):
            answer = page.goto(f"{server.url}/{path}")
            assert answer
            assert answer.status == 404
        page.close()


@pytest.mark.parametrize("viewport", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_a_passkey_brings_the_account_back_when_the_browser_has_forgotten_it(
    viewport: ViewportSize, open_page: OpenPage, tmp_path: Path
) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(viewport, touch=viewport == PHONE, refused=True)
        authenticator = page.context.new_cdp_session(page)
        authenticator.send("WebAuthn.enable")
        kind = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        options = {**kind, "isUserVerified": True, "automaticPresenceSimulation": True}
        made = authenticator.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
        name = keep(page, server.named_url, "Ana")
        page.get_by_test_id("add-passkey").click()
        expect(page.get_by_test_id("me")).to_contain_text("1 passkey can bring it back.")
        page.context.clear_cookies()
        page.reload()
        page.get_by_test_id("use-passkey").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        page.get_by_test_id("remove-passkeys").click()
        expect(page.get_by_test_id("me")).not_to_contain_text("passkey can")
        page.context.clear_cookies()
        page.reload()
        page.get_by_test_id("use-passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("brings back no account here")
        authenticator.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": made})
        page.close()


def test_a_server_that_is_opened_by_number_offers_no_passkeys(open_page: OpenPage, tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite3") as server:
        page = open_page(LAPTOP)
        keep(page, server.url)
        expect(page.get_by_test_id("add-device")).to_be_visible()
        expect(page.get_by_test_id("add-passkey")).to_have_count(0)
        page.close()
