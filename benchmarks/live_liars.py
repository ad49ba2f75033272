"""Players of `benchmarks.fairness_live` who lie.

Most pretend to be far away: the judge makes up for a distance they have not. They answer every ping late, let no
browser answer, and date what they send back by half of that, as a page would that is so far away. They differ in how
they try to keep the server from measuring their packets. One pauses the game at each card that can be slapped, to
choose when everybody's time for it begins again.
"""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.live_page import SLAPPABLE, Page, now_ms
from benchmarks.player_model import Trial
from benchmarks.simulated_player import Message

FARTHER_MS = 380.0
"""How much farther away they pretend to be: together with a short round trip, as much as is made up for."""

QUICKEST_MS = 155.0
"""The shortest reaction that they claim: a shorter one than 150 would be refused."""

DISCORD = "123456789012345678"


class Liar(NamedTuple):
    """`slow_at_first`: the network is as slow as they pretend while they connect. `headers` of their handshake;
    `server`: options for the server process that the lie is meant for."""

    server: tuple[str, ...]
    slow_at_first: bool = False
    headers: str = ""


PAUSES_AFTER_MS, RESUMES_AFTER_MS = 20.0, 400.0
EXPECTED_MS = 200.0
"""The reaction of somebody who knows when a card can be slapped."""

LIARS = {
    "late": Liar(()),
    "slow_at_first": Liar(("--behind-relay",), slow_at_first=True),
    "pauses": Liar(()),
    "discord_origin": Liar(("--discord", DISCORD), headers=f"Origin: https://{DISCORD}.discordsays.com\r\n"),
}
"""`late` does nothing against the measurement: what the two others gain beyond it, they gain by that."""


class PausingPage(Page):
    """The page of a host who pauses as soon as a card can be slapped, goes on when they like, and slaps then.

    They do not have to look."""

    def _paint(self, event: Message, trial: Trial, painted: float) -> None:
        super()._paint(event, trial, painted)
        if event["card"][0] in SLAPPABLE:
            self._at("pause", painted + PAUSES_AFTER_MS, lambda: self._send({"t": "pause", "on": True}))

    def _on_event(self, event: Message, now: float) -> None:
        super()._on_event(event, now)
        if event["e"] == "paused" and event["on"]:
            self._at("resume", now + RESUMES_AFTER_MS, lambda: self._send({"t": "pause", "on": False}))
        elif event["e"] == "paused" and self._card is not None:
            self._at("slap", now + EXPECTED_MS, lambda: super(PausingPage, self)._slap(self._n, now, now + EXPECTED_MS))


class LiarPage(Page):
    """The page of a liar who pretends to be far away."""

    async def connect(self) -> None:
        """See `Page`."""
        await super().connect()
        for socket in self._sockets:
            socket.answers_pings = False

    def _send(self, message: Message) -> None:
        match message["t"]:
            case "pong":
                late = {**message, "c_ms": message["c_ms"] + FARTHER_MS / 2}
                self._at(f"pong {message['k']}", now_ms() + FARTHER_MS, lambda: super(LiarPage, self)._send(late))
            case "beat":
                super()._send({**message, "c_ms": message["c_ms"] - FARTHER_MS / 2})
            case _:
                super()._send(message)

    def _slap(self, n: int, painted: float, pressed: float) -> None:
        """As if the press were on its way for longer. It waits for 150 ms, as less would be refused."""
        claimed = max(pressed - FARTHER_MS / 2, painted + QUICKEST_MS)
        self._at("slap", claimed + FARTHER_MS / 2, lambda: super(LiarPage, self)._slap(n, painted, claimed))


def page_of(liar: str) -> type[Page]:
    """The kind of page that tells a lie."""
    return PausingPage if liar == "pauses" else LiarPage
