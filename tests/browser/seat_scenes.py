"""Actions and seats of the table in every state, as scenes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.scenes import scene, shown
from tests.browser.tables import CARD, ROOMY, change, gather, says, visit

PLAIN = ["deeds.mine", "deeds.grab", "deeds.placeMine", "deeds.place", "deeds.reveal"]


@scene("a tie that the others decide", {"[data-testid=award] .label": ["deeds.award"]}, ROOMY)
def tie(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing.phase = 'tie'; v.tied = [1, 2]")
    shown(page, "award")


@scene("a choice of a half")
def split(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing.phase = 'split'; v.standing.turn = 0")
    shown(page, "choose-top")


@scene("a claim to contest")
def contest(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing.phase = 'claim'; v.standing.turn = 1; v.claimants = [1]")
    shown(page, "contest")


@scene("a pile that was picked up")
def pickup(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing.phase = 'grab'; v.standing.turn = 1; v.thief = 1; v.stolen_pile = v.pile")
    shown(page, "notice")


@scene("a pile to collect")
def collect(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.standing.phase = 'won'; v.standing.turn = 0; v.rules.collect = 'manual'")
    shown(page, "collect")


@scene(
    "actions by hand",
    {"[data-testid=deeds] .plain .label": PLAIN, "[data-testid=forehead] .label": ["deeds.forehead"]},
    ROOMY,
)
def by_hand(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "Object.assign(v.rules, { judge: 'honour', redneck: 'all' })")
    shown(page, "collect", "forehead")


@scene("a newcomer's place", {"[data-testid=behind] .label": ["deeds.behind", "deeds.atTheEnd"]}, ROOMY)
def behind(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        CARD,
        "Object.assign(v.rules, { join_seat: 'choose', late_join: 'slap_in' }); "
        "v.seat_states[0].playing = false; v.cards_held[0] = 0",
    )
    shown(page, "behind")


BLOCKED = {
    ".mine .note": [
        "me.nextGame",
        "me.thrownOut",
        "me.barred",
        "me.lastChance",
        "me.newcomer",
        "me.noSlapIn",
        "me.strikesLeft",
        "me.noCards",
    ],
    "[data-testid=slap] .word": [
        "me.slap",
        "me.barredShort",
        "me.lockedPile",
        "me.lockedFor",
        "me.handBurned",
        "me.foreheadFirst",
    ],
}


@scene("no cards and a blocked slap", BLOCKED)
def no_cards(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "v.cards_held[0] = 0; Object.assign(v.seat_states[0], { debt: 12, locked: 'pile' })")
    page.locator(".mine small").wait_for()


@scene("all that can be said of a seat")
def marks(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        CARD,
        "Object.assign(v.seat_states[1], { locked: 'pile', hand_burned: true, debt: 12 }); "
        "v.cards_held[2] = 0; Object.assign(v.seat_states[2], { strikes: 3 }); "
        "w.seats[1].idle = true; w.seats[2].bot = 'gentle'; v.rules.redneck = 'all'",
    )
    page.get_by_test_id("mark").first.wait_for()


@scene("all else that can be said of a seat")
def more_marks(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        CARD,
        "Object.assign(v.seat_states[1], { locked: 12, playing: false, touched: true }); "
        "Object.assign(v.seat_states[2], { locked: 'game' }); w.seats[2].gone = true; "
        "w.seats[2].here = false; v.rules.redneck = 'all'; v.standing.phase = 'grab'; "
        "v.standing.turn = 1; v.stolen_pile = v.pile; v.asides[1] = ['9H']; "
        "v.seat_states[0].out = true",
    )
    page.get_by_test_id("mark").first.wait_for()


@scene(
    "a game on hold",
    {
        ".interruption b": ["interruption.paused", "interruption.iPaused", "interruption.idle", "interruption.still"],
        ".interruption span": ["interruption.goesOn", "interruption.idleWhy", "interruption.stillWhy"],
        ".interruption button": ["interruption.resume", "interruption.back"],
    },
)
def paused(page: Page, url: str) -> None:
    gather(page, url)
    change(
        page,
        CARD,
        "w.paused = true; w.paused_by = 0; w.clock = { t: 'clock', seat: 0, awaited: 'resume', left_ms: 3_599_000 }",
    )
    shown(page, "resume")
    page.locator(".interruption span").wait_for()


@scene("a player who is away")
def away(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "w.seats[0].idle = true")
    shown(page, "here-again")


@scene("quick chat")
def signs(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    page.get_by_test_id("say").click()
    page.locator("header .row").wait_for()
    says(page, t="reacted", seat=1, reaction="close")


@scene("a watcher's table", {"main .watch p": ["bar.watching", "bar.watchingLater"]})
def watching(page: Page, url: str) -> None:
    visit(page, url, deal=True)
    page.get_by_test_id("just-watch").click()
    shown(page, "stage", "sit")
    change(page, CARD, "w.delay_ms = 5000")
