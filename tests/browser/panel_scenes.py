"""Panels over the table, and the ends of its connection, as scenes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.scenes import NOBODY, answers, press, scene, shown
from tests.browser.tables import CARD, LINES, PROOF, RACE, change, gather, happens, hit, says

# Panels over the table


def panel(name: str, opener: str, then: str, *more: str) -> None:
    """A panel that a button of the table opens."""

    @scene(name)
    def open_it(page: Page, url: str) -> None:
        answers(page, account=NOBODY)
        gather(page, url)
        change(page, CARD, "w.removed = 12")
        says(page, t="link_stats", links=LINES)
        for each, result in zip((opener, *more[::2]), (then, *more[1::2]), strict=True):
            press(page, each, result)


panel("the rules of the table", "rules", "house-title")
panel("the menu", "open-menu", "menu")
panel("settings at the table", "open-menu", "menu", "menu-settings", "settings")
panel("an invitation from the table", "open-menu", "menu", "menu-share", "copy-room")
panel("who can join", "open-menu", "menu", "menu-access", "readmit")
panel("my seat on another device", "open-menu", "menu", "menu-device", "copy-seat")
panel("leaving the table", "open-menu", "menu", "menu-leave", "leaving")


@scene("all connections, before a slap")
def connections(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    says(page, t="link_stats", links=[{"rtt_ms": rtt_ms, "jitter_ms": 0} for rtt_ms in (20, 200, 1500)])
    press(page, "meter", "how-title")


@scene(
    "deleting my name",
    {
        "[role=dialog] p": ["noName.text", "noName.pending"],
        "[role=dialog] button": ["noName.keep", "noName.go", "noName.close"],
    },
)
def no_name(page: Page, url: str) -> None:
    gather(page, url)
    press(page, "open-menu", "menu")
    press(page, "menu-name", "no-name")


@scene("a player at the table", {"[role=dialog] dt": ["player.average", "player.cards", "player.line"]})
def person(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    gather(page, url)
    change(page, CARD, "w.seats[1].muted = true")
    happens(page, RACE)
    says(page, t="link_stats", links=LINES)
    page.locator("[data-testid=about][data-of='1']").dispatch_event("click")
    shown(page, "person", "mute", "report")


@scene(
    "the host and a bot",
    {
        "[role=dialog] dd": ["player.bot", "player.none", "player.ofSlaps"],
        "[data-testid=report]": ["player.report", "player.block"],
    },
)
def host(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "w.host = 1")
    page.locator("[data-testid=about][data-of='1']").dispatch_event("click")
    shown(page, "is-host", "report")


@scene("removing a player")
def remove(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    page.locator("[data-testid=about][data-of='1']").dispatch_event("click")
    press(page, "remove", "remove-yes")


VOTE = ["player.vote", "player.unvote"]


def among_strangers(page: Page, url: str) -> None:
    """The panel of a player whom the others can remove by a vote."""
    gather(page, url)
    change(page, CARD, "w.kind = 'arena'; w.seats[1].here = true")
    page.locator("[data-testid=about][data-of='1']").dispatch_event("click")
    shown(page, "vote")


@scene(
    "a player among strangers",
    {"[data-testid=vote]": VOTE, "[data-testid=mute]": ["player.mute", "player.unmute"]},
)
def stranger(page: Page, url: str) -> None:
    among_strangers(page, url)


@scene(
    "a vote to remove a player",
    {
        "[data-testid=vote-yes]": VOTE,
        "[role=dialog] p": ["{player.voteNote} {player.voteRated}", "{player.voteNote} {player.voteArena}"],
    },
)
def vote(page: Page, url: str) -> None:
    among_strangers(page, url)
    press(page, "vote", "vote-yes")


@scene("reporting a player")
def report(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    gather(page, url)
    change(page, CARD)
    page.locator("[data-testid=about][data-of='1']").dispatch_event("click")
    press(page, "report", "send-report")


@scene("a report that was sent", {"[data-testid=reported]": ["moderation.thanks"]})
def reported(page: Page, url: str) -> None:
    report(page, url)
    page.get_by_test_id("reason-other").check()
    page.route("**/reports", lambda route: route.fulfill(json={}))
    press(page, "send-report", "reported")


TITLES = {"[data-testid=race] summary b": ["judge.panel.wrong", "judge.panel.noPattern", "say.pattern"]}
REASONS = {
    ".race .why": [
        "judge.why.wrong",
        "judge.why.tie",
        "judge.why.alone",
        "judge.why.sure",
        "judge.why.probably",
        "judge.why.doubtful",
        "judge.why.faster",
        "judge.why.iFaster",
        "judge.why.sooner",
        "judge.why.iSooner",
        "judge.why.own",
        "judge.why.iOwn",
        "judge.why.back",
        "judge.why.lateHands",
    ],
    ".notes": [
        "judge.hand.*Why",
        "judge.hand.bot",
        "judge.hand.server",
        "judge.hand.own",
        "judge.hand.noMore",
        "judge.hand.whole",
        "judge.hand.partly",
        "judge.hand.purse",
        "judge.hand.contradicted",
    ],
}


@scene("how a race was judged", {**TITLES, **REASONS})
def race(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "w.seats[2].bot = 'gentle'")
    says(page, t="link_stats", links=LINES)
    happens(
        page,
        RACE,
        {"e": "measured", "n": 108, "slap": hit(0, 400_000, PROOF)},
        {"e": "fouled", "seat": 0, "streak": 1},
    )
    press(page, "how", "how-title")
    page.locator(".race").first.wait_for()


@scene("a hand that came too late")
def late(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    happens(page, RACE)
    says(page, t="late", seat=2, n=1, us=1_600_000)
    press(page, "how", "how-title")
    page.locator(".race").first.wait_for()


@scene("all races", TITLES)
def races(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "w.seats[2].bot = 'gentle'")
    says(page, t="link_stats", links=[LINES[0], None, None])
    happens(
        page,
        {**RACE, "n": 108},
        {"e": "measured", "n": 108, "slap": hit(0, 400_000, PROOF)},
        {"e": "fouled", "seat": 0, "streak": 1},
    )
    press(page, "meter", "how-title")


BYE = {"[data-testid=bye]": ["link.bye.*.title"], "[data-testid^=bye-]": ["link.bye.*.text"]}


@scene(
    "a table that is shown elsewhere",
    {**BYE, "[data-testid=here]": ["link.here", "link.retry", "link.fetch", "link.openTable"]},
)
def elsewhere(page: Page, url: str) -> None:
    gather(page, url)
    says(page, t="bye", reason="elsewhere", wait_s=0)
    shown(page, "bye-elsewhere")


@scene("a table that the server cannot serve now", BYE)
def busy(page: Page, url: str) -> None:
    gather(page, url)
    says(page, t="bye", reason="busy", wait_s=3600)
    shown(page, "bye-busy")


@scene("a table that was not loaded", {"main p": ["link.connecting", "link.part"]})
def connecting(page: Page, url: str) -> None:
    page.add_init_script("window.WebSocket = class extends EventTarget { close() {} send() {} }")
    page.goto(f"{url}/room/WOLF4821")
    page.locator("main p").wait_for()
