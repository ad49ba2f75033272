"""A player at a page: reads the screen, and acts with pointer, finger and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page, TimeoutError

REACTION_MS = 200

_LOOK = """() => {
  const stage = document.querySelector('[data-n]'), me = document.querySelector('[data-turn]')
  const winner = document.querySelector('[data-testid=winner]')
  const seats = [...document.querySelectorAll('[data-seat][data-held]')]
  return {
    n: Number(stage?.dataset.n ?? 0), top: stage?.dataset.top ?? '', phase: stage?.dataset.phase ?? '',
    turn: me?.dataset.turn === 'true', over: !!winner,
    banners: [...(window.banners ?? [])],
    held: Object.fromEntries(seats.map(seat => [seat.dataset.seat, Number(seat.dataset.held)])),
  }
}"""


KEEP_BANNERS = """(() => {
  window.banners = new Set()
  new MutationObserver(() => {
    const banner = document.querySelector('[data-testid=banner]')?.textContent
    if (banner) window.banners.add(banner)
  }).observe(document, { subtree: true, childList: true, characterData: true })
})()
"""
"""Keeps every text of the banner: on a busy machine one may be gone before the next look."""


@dataclass
class Sight:
    """What is on the screen."""

    n: int
    top: str
    phase: str
    turn: bool
    over: bool
    banners: list[str]
    held: dict[str, int]


@dataclass
class Player:
    """Plays on a page until the game is over, `speed` times as fast as real time; records what the page shows."""

    page: Page
    touch: bool
    speed: float
    banners: set[str] = field(default_factory=set)
    tops: list[str] = field(default_factory=list)
    slapped: set[int] = field(default_factory=set)
    presses: int = 0

    def start(self, url: str, name: str = "Ana", bots: int = 2, strength: str = "gentle", preset: str = "") -> str:
        """Fill in the start screen and press Play; the answer is the room's code. Without `preset`: under `classic`."""
        self.page.add_init_script(KEEP_BANNERS)
        self.page.goto(url)
        self.page.get_by_test_id("name").fill(name)
        self.page.get_by_test_id("against").click()
        self.page.get_by_test_id("bots").locator(f"input[value='{bots}']").check()
        self.page.get_by_test_id("strength").locator(f"input[value='{strength}']").check()
        if preset:
            self.page.get_by_test_id("house").click()
            self.page.get_by_test_id(f"preset-{preset}").click()
        self.page.get_by_test_id("play").click()
        self.page.wait_for_url(re.compile(r"/room/[A-Z]{4}[0-9]{4,}$"))
        self.page.wait_for_selector("[data-n]")
        return self.page.url.rpartition("/")[2]

    def look(self) -> Sight:
        """What is on the screen now."""
        sight = Sight(**self.page.evaluate(_LOOK))
        self.banners.update(sight.banners)
        if sight.n > len(self.tops):
            self.tops += [""] * (sight.n - len(self.tops))
            self.tops[sight.n - 1] = sight.top
        return sight

    def turn_card(self) -> None:
        """Turn my top card: by finger or pointer on my deck, every other time by the key."""
        self._by_turns(lambda: self._press("deck"), "KeyF")

    def slap(self) -> None:
        """Slap: by finger or pointer on the pad or on the pile itself, every other time by the key."""
        self._by_turns(lambda: self._press("slap" if self.presses % 4 else "pile"), "Space")

    def play(self, until: Callable[[Sight], bool], both: bool = False, seconds: float = 240) -> Sight:
        """Play until the screen shows what a test waits for; slap doubles and sandwiches.

        With `both` slap others as well, any until the page has shown a wrong slap of mine, and every third until it has
        shown a good one. Not longer: who slaps wrongly again and again keeps a game from ending.
        """
        deadline = self.page.evaluate("performance.now()") + seconds * 1000
        while not until(sight := self.look()):
            assert self.page.evaluate("performance.now()") < deadline, f"the game does not go on: {sight}"
            fresh = sight.n not in self.slapped and sight.n > 0 and sight.phase != ""
            if fresh and (self.sees_pattern() or (both and self.owes_slap(sight.n))):
                self.slapped.add(sight.n)
                self.page.wait_for_timeout(REACTION_MS / self.speed)
                self.slap()
            elif sight.turn:
                self.turn_card()
            self.page.wait_for_timeout(15)
        return sight

    def owes_slap(self, n: int) -> bool:
        """Whether to slap any card, because the page has not shown a wrong and a good slap of mine."""
        wrong = any("Wrong slapYou" in banner for banner in self.banners)
        good = any("!You take" in banner for banner in self.banners)
        return not wrong or (not good and n % 3 == 0)

    def sees_pattern(self) -> bool:
        """Whether what I see looks like a double or a sandwich of this pile that I have not slapped yet."""
        ranks = [top[:-1] for top in self.tops[-3:]]
        return len(ranks) > 1 and ranks[-1] != "" and ranks[-1] in (ranks[-2], *ranks[-3:-2])

    def _by_turns(self, press: Callable[[], None], key: str) -> None:
        self.presses += 1
        if self.presses % 2:
            press()
        else:
            self.page.keyboard.press(key)

    def _press(self, what: str) -> None:
        target = self.page.get_by_test_id(what)
        try:
            if self.touch:
                target.tap(timeout=10_000)
            else:
                target.click(timeout=10_000)
        except TimeoutError:
            if not self.look().over:  # the end of the game may come between looking and pressing
                raise
