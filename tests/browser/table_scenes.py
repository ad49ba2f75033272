"""Every screen of a room: its waiting room, its table in every state, its panels and its end; no game is played."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.browser.catalogue import VIEWS
from tests.browser.gathering import UNHURRIED, post, stands
from tests.browser.scenes import (
    ACCOUNT,
    MINE,
    NAME,
    NOBODY,
    OTHERS,
    answers,
    press,
    scene,
    settings,
    shown,
)

WIDE = f"w.seats = w.seats.map((seat, i) => ({{ ...seat, name: {json.dumps((NAME, *OTHERS))}[i] }}))"
"""A change of a table: its players have the widest names."""

TURN = "if (v) { v.standing = { ...v.standing, turn: 1 }; v.cards_held = [18, 17, 17] }"
"""It is not my turn, however the cards were dealt."""

PROOF = {
    "arrived_us": 700_000,
    "rtt_us": 100_000,
    "pressed_us": 400_000,
    "free_us": 25_000,
    "purse_us": 100_000,
    "granted_us": 60_000,
    "beat_us": 450_000,
    "lag_us": None,
    "frame_us": None,
    "shown_us": None,
}


def hit(seat: int, us: int, proof: dict[str, Any] | None = None) -> dict[str, Any]:
    """A slap as the server publishes it."""
    return {"seat": seat, "us": us, "proof": proof, "page": 1 if proof else None}


RACE = [
    {
        "e": "judged",
        "n": 1,
        "pattern": "top_bottom",
        "order": [hit(1, 1_400_000, PROOF), hit(0, 1_409_000, PROOF), hit(2, 1_500_000)],
        "tie": False,
        "confidence": 77,
        "unseen": 0,
    },
    {"e": "late_slap", "n": 1, "slap": hit(2, 1_600_000)},
]


def gather(page: Page, url: str, deal: bool = True, house: str = f"1;classic;{UNHURRIED}") -> str:
    """Three players at a table, the host at this page; the code of the room."""
    joined = post(page, f"{url}/api/rooms", name="Ana", bots=0, house=house, wait=True)
    room = str(joined["room"])
    for name in ("Ben", "Cleo"):
        post(page, f"{url}/api/rooms/{room}/seats", name=name)
    page.add_init_script(f"try {{ localStorage['ratscrew:seat:{room}'] = '{joined['player_id']}' }} catch {{}}")
    page.goto(f"{url}/room/{room}")
    shown(page, "start")
    if deal:
        page.get_by_test_id("start").click()
        stands(page, n=0, phase="play")
    return room


def change(page: Page, *changes: str) -> None:
    """Change the table `w` with its view `v`, as if the server had sent it so."""
    page.evaluate(f"table.show((w, v) => {{ {'; '.join((WIDE, TURN, *changes))} }})")


def happens(page: Page, *events: dict[str, Any]) -> None:
    """These events happen at the table."""
    for event in events:
        page.evaluate("event => table.event(event)", event)


def says(page: Page, **message: Any) -> None:
    """The server sends this message."""
    page.evaluate("message => table.send(message)", message)


ROOMY = tuple(name for name in VIEWS if name != "844 px, doubled")
LARGER = tuple(name for name in VIEWS if name != "320 px, doubled")
"""Where that size has no room for all there is at once: two long names in buttons, or German words of my turn."""
LINES = [{"rtt_ms": 1500, "jitter_ms": 450}] * 3
CARD = "v.n = 1; v.pile = [['9S', 'live']]"

# The waiting room


@scene(
    "the waiting room",
    {
        "[role=alert]": ["refused.*"],
        "[data-testid=waiting-seat] small": [
            "wait.you",
            "wait.host",
            "wait.bot",
            "wait.empty",
            "start.strengths.*.label",
        ],
    },
)
def waiting(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.removed = 12; w.seats[1].bot = 'gentle'; w.seats[2].here = false")
    says(page, t="link_stats", links=LINES)
    says(page, t="refused", request="start", reason="too_few", seat=None)
    shown(page, "readmit")
    page.locator("[role=alert]").wait_for()


@scene("the waiting room, locked and full")
def waiting_locked(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(
        page,
        "w.locked = true; w.removed = 1; "
        "while (w.seats.length < 8) w.seats.push({ ...w.seats[1], name: 'X' + w.seats.length })",
    )
    shown(page, "all-taken")


@scene("the waiting room, alone")
def waiting_alone(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.seats.length = 1")
    page.locator(".next p").wait_for()


@scene("the waiting room of strangers")
def waiting_fill(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.clock = { t: 'clock', seat: 0, awaited: 'fill', left_ms: 8000 }")
    shown(page, "filling")


@scene("the waiting room of a guest", {"[data-testid=new-host]": ["wait.hosts", "wait.iHost"]})
def waiting_guest(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    happens(page, {"e": "rules_changed", "link": "1;classic;slap_in=no"}, {"e": "host_passed", "seat": 1})
    shown(page, "rules-changed", "new-host", "waiting-for")
    change(page, "w.host = 1; w.house = '1;classic;slap_in=no'")


@scene("a lost connection in the waiting room")
def waiting_lost(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    page.evaluate("table.still = true; table.socket.close()")
    shown(page, "lost")


@scene("the warm-up", {"[data-testid=warm-up-card] .says": ["warmUp.*"]})
def warm_up(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    page.get_by_test_id("warm-up").click()
    shown(page, "warm-up-card")


@scene("what a host can do about a player")
def seat_options(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.seats[1].here = true")
    page.get_by_test_id("about-1").click()
    shown(page, "seat-options", "pass-host")


@scene("new rules in the waiting room")
def waiting_rules(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    page.get_by_test_id("change-house").click()
    shown(page, "use-house", "sheet-title")


@scene("the seat on another device")
def move_seat(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    page.get_by_test_id("other-device").click()
    shown(page, "copy-seat")


@scene("a pass that is over", {"[role=dialog] p": ["problem.*"]})
def pass_over(page: Page, url: str) -> None:
    room = gather(page, url, deal=False)
    page.goto("about:blank")
    page.goto(f"{url}/room/{room}#seat=abc")
    shown(page, "no-pass")


@scene(
    "friends to invite",
    {
        "[data-testid=invite-friend]": ["friends.invite", "friends.invited"],
        "[data-testid=friend] small": ["friends.online.*", "friends.offline"],
    },
)
def invite(page: Page, url: str) -> None:
    settings(page, account=True)
    friend = {"id": "f", "name": ACCOUNT, "mutual": True, "online": "playing"}
    answers(page, account=MINE, friends={"friends": [friend], "asking": [], "invitations": []})
    gather(page, url, deal=False)
    shown(page, "invite-friend")


def visit(page: Page, url: str, deal: bool) -> None:
    """Come to a table without a seat."""
    room = gather(page, url, deal)
    page.add_init_script("try { localStorage.clear() } catch {}")
    page.goto("about:blank")
    page.goto(f"{url}/room/{room}")


@scene(
    "the door",
    {
        "[data-testid=join-problem]": ["problem.*", "start.refused", "start.unreachable"],
        "[data-testid=join-other]": ["arrive.joinAs"],
    },
)
def door(page: Page, url: str) -> None:
    visit(page, url, deal=False)
    page.get_by_test_id("join-name").fill("Ben")
    page.get_by_test_id("join-go").click()
    shown(page, "join-problem", "join-other")
    change(page)


@scene("the door of a locked table")
def door_locked(page: Page, url: str) -> None:
    visit(page, url, deal=False)
    shown(page, "join-go")
    change(page, "w.locked = true")
    shown(page, "locked-note")


@scene(
    "the door of a running game",
    {"[data-testid=happens]": ["arrive.slapIn", "arrive.nextGame", "arrive.over", "problem.locked"]},
)
def arrive(page: Page, url: str) -> None:
    visit(page, url, deal=True)
    shown(page, "happens")
    change(page)


@scene("the door of a full table")
def arrive_full(page: Page, url: str) -> None:
    visit(page, url, deal=True)
    shown(page, "happens")
    change(page, "while (w.seats.length < 30) w.seats.push({ ...w.seats[1], name: 'X' + w.seats.length })")
    shown(page, "full")


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
    *["say.thrownOut", "say.iAmThrownOut", "say.dead"],
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
    happens(page, {**RACE[0], "order": [hit(1, 1_400_000), hit(2, 1_409_000)]})
    shown(page, "how")
    page.locator(".banner b + span").wait_for()


@scene("the table after a race", {"[data-testid=beaten]": ["say.beaten"]})
def after_race(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    says(page, t="link_stats", links=LINES)
    happens(page, RACE[0])
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
    {"[data-testid=reconnecting]": ["link.lost", "link.saving", "link.away", "link.blocked"]},
)
def lost(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD)
    page.evaluate("table.still = true; table.socket.close()")
    shown(page, "reconnecting")


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
    LARGER,
)
def by_hand(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "Object.assign(v.rules, { judge: 'honour', redneck: 'all' })")
    shown(page, "collect", "forehead")


@scene("a newcomer's place", {"[data-testid=behind] .label": ["deeds.behind", "deeds.atTheEnd"]})
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
panel("all connections, before a slap", "meter", "how-title")


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


@scene("a player at the table")
def person(page: Page, url: str) -> None:
    answers(page, account=NOBODY)
    gather(page, url)
    change(page, CARD, "w.seats[1].muted = true")
    happens(page, RACE[0])
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
        *RACE,
        {"e": "measured", "n": 108, "slap": hit(0, 400_000, PROOF)},
        {"e": "fouled", "seat": 0, "streak": 1},
    )
    press(page, "how", "how-title")
    page.locator(".race").first.wait_for()


@scene("all races", TITLES)
def races(page: Page, url: str) -> None:
    gather(page, url)
    change(page, CARD, "w.seats[2].bot = 'gentle'")
    says(page, t="link_stats", links=[LINES[0], None, None])
    happens(
        page,
        {**RACE[0], "n": 108},
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
