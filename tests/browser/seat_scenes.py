"""Actions and seats of the table in every state, as scenes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.catalogue import VIEWS
from tests.browser.scenes import Places, scene, shown
from tests.browser.tables import CARD, ROOMY, change, gather, says, watch

PLAIN = ["deeds.mine", "deeds.grab", "deeds.placeMine", "deeds.place", "deeds.reveal"]


def state(
    name: str, changes: str, *then: str, places: Places | None = None, views: tuple[str, ...] = tuple(VIEWS)
) -> None:
    """A table with a card on the pile, after `changes`, which bring `then`: test IDs."""

    @scene(name, places, views)
    def open_it(page: Page, url: str) -> None:
        gather(page, url)
        change(page, CARD, changes)
        shown(page, *then)


state(
    "a tie that the others decide",
    "v.standing.phase = 'tie'; v.tied = [1, 2]",
    "award",
    places={"[data-testid=award] .label": ["deeds.award"]},
    views=ROOMY,
)
state("a choice of a half", "v.standing.phase = 'split'; v.standing.turn = 0", "choose-top")
state("a claim to contest", "v.standing.phase = 'claim'; v.standing.turn = 1; v.claimants = [1]", "contest")
state(
    "a pile that was picked up",
    "v.standing.phase = 'grab'; v.standing.turn = 1; v.thief = 1; v.stolen_pile = v.pile",
    "notice",
)
state("a pile to collect", "v.standing.phase = 'won'; v.standing.turn = 0; v.rules.collect = 'manual'", "collect")
state(
    "actions by hand",
    "Object.assign(v.rules, { judge: 'honour', redneck: 'all' })",
    "collect",
    "forehead",
    places={"[data-testid=deeds] .plain .label": PLAIN, "[data-testid=forehead] .label": ["deeds.forehead"]},
    views=ROOMY,
)
state(
    "a newcomer's place",
    "Object.assign(v.rules, { join_seat: 'choose', late_join: 'slap_in' }); "
    "v.seat_states[0].playing = false; v.cards_held[0] = 0",
    "behind",
    places={"[data-testid=behind] .label": ["deeds.behind", "deeds.atTheEnd"]},
    views=ROOMY,
)

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
state(
    "no cards and a blocked slap",
    "v.cards_held[0] = 0; Object.assign(v.seat_states[0], { debt: 12, locked: 'pile' })",
    places=BLOCKED,
)
state(
    "all that can be said of a seat",
    "Object.assign(v.seat_states[1], { locked: 'pile', hand_burned: true, debt: 12 }); "
    "v.cards_held[2] = 0; Object.assign(v.seat_states[2], { strikes: 3 }); "
    "w.seats[1].idle = true; w.seats[2].bot = 'gentle'; v.rules.redneck = 'all'",
    "mark",
)
state(
    "all else that can be said of a seat",
    "Object.assign(v.seat_states[1], { locked: 12, playing: false, touched: true }); "
    "Object.assign(v.seat_states[2], { locked: 'game' }); w.seats[2].gone = true; "
    "w.seats[2].here = false; v.rules.redneck = 'all'; v.standing.phase = 'grab'; "
    "v.standing.turn = 1; v.stolen_pile = v.pile; v.asides[1] = ['9H']; "
    "v.seat_states[0].out = true",
    "mark",
)
state(
    "a game on hold",
    "w.paused = true; w.paused_by = 0; w.clock = { t: 'clock', seat: 0, awaited: 'resume', left_ms: 3_599_000 }",
    "resume",
    places={
        ".interruption b": ["interruption.*aused", "interruption.ready", "interruption.idle", "interruption.still"],
        ".interruption span": ["interruption.goesOn", "interruption.idleWhy", "interruption.stillWhy"],
        ".interruption button": ["interruption.resume", "interruption.back"],
    },
)
state("a player who is away", "w.seats[0].idle = true; v.seat_states[1].out = true", "here-again")


@scene("quick chat")
def signs(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    page.get_by_test_id("say").click()
    page.locator("header .row").wait_for()
    says(page, t="reacted", seat=1, reaction="close")


@scene("a watcher's table", {"main .watch p": ["bar.watching", "bar.watchingLater"]})
def watching(page: Page, url: str) -> None:
    watch(page, url)
    change(page, CARD, "w.delay_ms = 5000")
