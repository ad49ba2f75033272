"""The waiting room, and the door of a room, as scenes."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.scenes import ACCOUNT, MINE, Places, answers, press, scene, settings, shown
from tests.browser.tables import LINES, change, gather, happens, says, visit

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


def waiting_room(name: str, *then: str, changes: str = "", pressed: str = "", places: Places | None = None) -> None:
    """A waiting room after `changes` or a press on the test ID `pressed`, which bring `then`: test IDs."""

    @scene(name, places)
    def open_it(page: Page, url: str) -> None:
        gather(page, url, deal=False)
        if changes:
            change(page, changes)
        if pressed:
            page.get_by_test_id(pressed).click()
        shown(page, *then)


waiting_room(
    "the waiting room, locked and full",
    "all-taken",
    changes="w.locked = true; w.removed = 1; "
    "while (w.seats.length < 8) w.seats.push({ ...w.seats[1], name: 'X' + w.seats.length })",
)
waiting_room("the waiting room, alone", changes="w.seats.length = 1")
waiting_room(
    "the waiting room of strangers",
    "filling",
    changes="w.clock = { t: 'clock', seat: 0, awaited: 'fill', left_ms: 8000 }; w.ready = [1]",
)
waiting_room(
    "the warm-up",
    "warm-up-card",
    pressed="warm-up",
    places={"[data-testid=warm-up-card] .says": ["warmUp.*"]},
)
waiting_room(
    "what a host can do about a player",
    "seat-options",
    "pass-host",
    changes="w.seats[1].here = true",
    pressed="about-1",
)
waiting_room("new rules in the waiting room", "use-house", "sheet-title", pressed="change-house")
waiting_room("the seat on another device", "copy-seat", pressed="other-device")


@scene("the waiting room of a guest", {"[data-testid=new-host]": ["wait.hosts", "wait.iHost"]})
def waiting_guest(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    happens(page, {"e": "rules_changed", "link": "1;classic;slap_in=no"}, {"e": "host_passed", "seat": 1})
    shown(page, "rules-changed", "new-host", "waiting-for", "begin-anyway")
    change(page, "w.host = 1; w.house = '1;classic;slap_in=no'")


@scene("the waiting room, whose host does nothing")
def waiting_host_asleep(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.host = 1; w.ready = [0]; w.clock = { t: 'clock', seat: 1, awaited: 'again', left_ms: 30000 }")
    shown(page, "rematch", "hold")


@scene("the waiting room, whose host is away", {"[data-testid=host-away]": ["awaited.hostAway", "awaited.hostAwayMe"]})
def waiting_host_away(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(
        page,
        "w.host = 1; w.seats = [w.seats[0], { ...w.seats[1], here: false, bot: null }]; "
        "w.clock = { t: 'clock', seat: 0, awaited: 'host', left_ms: 20000 }",
    )
    shown(page, "host-away")
    page.get_by_test_id("host-away").get_by_text("20").wait_for()


@scene("the waiting room of an arena's table")
def waiting_arena(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    change(page, "w.host = null; w.kind = 'arena'")
    shown(page, "gathering")


@scene("a lost connection in the waiting room")
def waiting_lost(page: Page, url: str) -> None:
    gather(page, url, deal=False)
    page.evaluate("table.still = true; table.socket.close()")
    shown(page, "lost")


@scene("a pass that is over", {"[role=dialog] p": ["problem.*"]})
def pass_over(page: Page, url: str) -> None:
    come_with_a_pass(page, url)
    press(page, "take-seat-yes", "no-pass")


@scene("a pass that has come")
def come_with_a_pass(page: Page, url: str) -> None:
    room = gather(page, url, deal=False)
    page.goto("about:blank")
    page.goto(f"{url}/room/{room}#seat=abc")
    shown(page, "take-seat")


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
