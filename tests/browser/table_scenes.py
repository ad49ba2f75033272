"""The table after every kind of event, as scenes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.scenes import scene, shown
from tests.browser.tables import CARD, LARGER, LINES, NORMAL, RACE, change, gather, happens, hit, says
from tests.browser.test_detour import refuse_sockets

# The table

HEADLINES = [
    *[
        "say.pattern",
        "say.wrong",
        "say.back",
        "say.streak",
        "say.takes",
        "say.iTake",
        "say.withdrawn",
        "say.iGive",
    ],
    *["say.caught", "say.stows", "say.iStow"],
    *["say.gets", "say.iGet", "say.joins", "say.iJoin", "say.redealt", "say.misplays", "say.iMisplay", "say.exposes"],
    *["say.iExpose", "say.iDown", "say.downsMe"],
    *["notice.claims", "notice.iClaim", "notice.tie", "notice.grabs", "notice.iGrab", "notice.splits", "notice.iSplit"],
    *["notice.last", "notice.voided"],
    *["end.won", "end.iWon", "end.lost", "end.drawn"],
    *["say.limit", "say.lastPile", "votes"],
]
DETAILS = [
    *[
        "say.tie",
        "say.near",
        "say.withdrawnWhy",
        "say.takes",
        "say.iTake",
        "say.unbeaten",
        "say.iUnbeaten",
        "say.why.*",
    ],
    *["say.iAmCaught", "say.burns", "say.iBurn", "say.strike", "say.myStrike"],
    *[
        "say.barred",
        "say.iAmBarred",
        "say.locked",
        "say.iAmLocked",
        "say.burnsHand",
        "say.iBurnHand",
        "say.owes",
        "say.iOwe",
    ],
    *["say.thrownOut", "say.iAmThrownOut", "say.dead", "say.mostCards"],
    *["notice.contested", "notice.myClaim", "notice.myGrab", "notice.mySplit", "notice.voidedUntil"],
    "{say.takes} ({say.near})",
    "{say.takes} ({say.tie})",
    "{say.takes} ({say.withdrawnShort})",
    "{say.takes} {say.joinsToo}",
    "{say.iTake} {say.iJoinToo}",
    "{say.pattern} {say.takes}",
    *["{notice.turns} {notice.maySlap}", "{notice.iTurn} {notice.maySlap}"],
]
BANNER = {"[data-testid=banner] b": HEADLINES, "[data-testid=banner] b + span": DETAILS}


@scene("the table after a race of others", BANNER)
def others_race(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    happens(page, {**RACE, "order": [hit(1, 1_400_000), hit(2, 1_409_000)]})
    shown(page, "how")
    page.locator(".banner b + span").wait_for()


@scene("the table after a race", {"[data-testid=beaten]": ["say.beaten"]})
def after_race(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    says(page, t="link_stats", links=LINES)
    happens(page, RACE)
    shown(page, "how", "beaten")


@scene("two players in one headline", {"[data-testid=banner] b": ["say.gives", "say.downs"]})
def given(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    happens(page, {"e": "given", "seat": 1, "to_seat": 2, "card": None})
    page.locator(".banner b").wait_for()


@scene(
    "the table after a wrong slap",
    {
        "[data-testid=hint] span": ["hint.missed.*", "hint.other", "hint.nothing", "hint.alone", "hint.dead"],
        "[data-testid=banner] b": ["say.wrong"],
    },
)
def hint(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    happens(
        page,
        {"e": "measured", "n": 1, "slap": hit(0, 400_000)},
        {"e": "slapped", "seats": [0], "under": False},
        {"e": "fouled", "seat": 0, "streak": 1},
    )
    shown(page, "hint", "how")


@scene("the table when a press has no effect", {"[data-testid=banner] .no": ["refused.*", "refusedInGame.*"]})
def refused(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    says(page, t="refused", request="slap", reason="too_late", seat=0)
    page.locator(".banner .no").wait_for()


@scene(
    "the table without the server",
    {"[data-testid=reconnecting]": ["link.lost", "link.saving", "link.away"]},
)
def lost(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    page.evaluate("table.still = true; table.socket.close()")
    shown(page, "reconnecting")


@scene("a table whose connection takes a detour", views=LARGER)
def detour(page: Page, url: str) -> None:
    refuse_sockets(page)
    gather(page, url)
    shown(page, "detour")


@scene("the table behind a proxy that blocks connections", {"[data-testid=reconnecting]": ["link.blocked"]}, NORMAL)
def blocked(page: Page, url: str) -> None:
    lost(page, url)


@scene(
    "the table before its first card",
    {
        ".status .pill .cut": ["status.leads", "status.iLead"],
        "[data-testid=deck] strong": ["say.yourTurn", "me.turn", "me.take"],
    },
    LARGER,
)
def first_card(page: Page, url: str) -> None:
    gather(page, url)
    change(page)


@scene("a challenge of mine")
def my_challenge(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        "v.n = 1; v.pile = [['AS', 'live'], ['2C', 'burned']]; "
        "v.standing = { ...v.standing, turn: 1, challenger: 0, chances_left: 4 }; v.answer_number = 1",
    )
    page.locator(".gold").wait_for()


@scene("a challenge for me", views=LARGER)
def challenge(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        "v.n = 1; v.pile = [['QS', 'live']]; "
        "v.standing = { ...v.standing, turn: 0, challenger: 1, chances_left: 2 }; v.answer_number = 1",
    )
    page.locator(".gold").wait_for()


@scene(
    "a pile that is won",
    {
        "[data-testid=waits] span": [
            "status.waits",
            "status.iWait",
            "status.mayTake",
            "status.iMayTake",
            "status.stalemate",
            "status.lastLeft",
            "status.seconds.*",
        ]
    },
)
def won(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing = { ...v.standing, phase: 'won', turn: 1, reason: 'challenge' }")
    says(page, t="clock", seat=1, awaited="claim", left_ms=900_000)
    shown(page, "waits")


@scene("the last cards before a limit", {"[data-testid=cards-left] span": ["status.cardsLeft"]})
def limited(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.limit = 4")
    shown(page, "cards-left")
