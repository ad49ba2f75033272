"""What travels over a socket between a browser and the server: the client's types are printed from here.

Messages are JSON objects told apart by their field `t`; what happened at the table (`EventMessage.e`) by the field `e`.
Cards are text (`7H`). Times are milliseconds where the name ends in `_ms`, microseconds where it ends in `_us`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ratscrew.game.view import View
from ratscrew.table.messages import Clock, Message
from ratscrew.table.records.entries import Appearance
from ratscrew.table.requests import Request

PageMs: TypeAlias = Annotated[float, Meta(ge=-1e12, le=1e12)]
"""Milliseconds of a page's own clock."""

PageId: TypeAlias = Annotated[str, Meta(min_length=16, max_length=32)]
"""What a page calls itself: a text that nobody guesses."""


class Seat(Struct, frozen=True):
    """Who sits somewhere: `bot` is the bot's strength, `here` whether a person is connected.

    `gone` has left for good: his seat is played for until the game ends, and free after it. The signs of who is
    `muted` are not passed on.
    """

    name: str
    bot: str | None
    here: bool
    appearance: Appearance
    gone: bool = False
    muted: bool = False


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The answer to `hello`: the table as it is. `you` is your seat, or null for who watches; `yours` are all seats in
    front of this page.

    After it come the events from `version` + 1 on. `wire` names these types; a page made for others reloads.
    `view` is null before the first game; `house` is the short text of the house that will be, or is, played; the
    host is the person at seat `host`; `listed` rooms are found by strangers, nobody new can join a `locked` one, and so
    many people were `removed` and cannot come back. `closed_ms` is until when (since 1970) the room is closed, or null.
    `promise` is the hash of the next shuffle's seed: answer it with a `nonce`; `commitment` is the hash of all that
    this game was shuffled from, null where it was not.
    """

    wire: str
    room: str
    game: str
    version: int
    you: int | None
    yours: tuple[int, ...]
    host: int
    seats: tuple[Seat, ...]
    house: str
    listed: bool
    locked: bool
    removed: int
    closed_ms: int | None
    view: View | None
    clock: Clock | None
    promise: str | None
    commitment: str | None


class Back(Struct, frozen=True, tag_field="t", tag="back"):
    """The answer to a `hello` that said which version it has: nothing is lost, the missing events follow."""

    version: int
    seats: tuple[Seat, ...]
    clock: Clock | None


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    """Answer at once with `pong` and the same `k`."""

    k: int


class Soon(Struct, frozen=True, tag_field="t", tag="soon"):
    """Card `n` comes next, and is to be seen at `at_ms` of your page's clock: everybody sees it at that moment.

    What follows this message is not to be shown before.
    """

    n: int
    at_ms: float


class Line(Struct, frozen=True):
    """How a seat's connection is: its round trip, and what that mostly takes longer."""

    rtt_ms: int
    jitter_ms: int


class Lines(Struct, frozen=True, tag_field="t", tag="lines"):
    """How everybody's connection is, by seat; null for a bot, who is gone, and who has just come."""

    lines: tuple[Line | None, ...]


class Unheard(Struct, frozen=True, tag_field="t", tag="unheard"):
    """You say too much: your last message is passed over, and so is what you say within `wait_ms`."""

    wait_ms: int


class Bye(Struct, frozen=True, tag_field="t", tag="bye"):
    """The connection ends and is not to be tried again by itself: no such room, or another page holds the seat.

    Where you or others at your address have asked too much (`too_much`), or too many watch (`crowded`), it may be tried
    again in `wait_s`. A game that is `unkept` cannot be written down at the moment, and is found later as it was told
    last; the record of one that is `damaged` cannot be read.
    """

    why: Literal["no_room", "elsewhere", "closed", "garbage", "removed", "too_much", "crowded", "unkept", "damaged"]
    wait_s: int = 0


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """The first message: who you are here, and what you have of the room (`game`, `version`).

    Several people may sit in front of one page, and none of them if it only watches; a cookie says that the seat of
    each is yours. A second socket, `only` for slaps, brings them past whatever holds up the first; each slap is sent
    on both.
    By its name, `page`, it is known again when it comes back, and what it says once more is not done once more.
    """

    player_ids: Annotated[tuple[int, ...], Meta(max_length=8)] = ()
    only: Literal["slaps"] | None = None
    game: str | None = None
    version: int = 0
    page: PageId | None = None


class Play(Struct, frozen=True, tag_field="t", tag="play"):
    """Turn my top card; `n` is the newest card I have seen, so that a message sent twice plays once."""

    n: int
    seat: int | None = None


class Slap(Struct, frozen=True, tag_field="t", tag="slap"):
    """I slap card `n`, painted at `p_ms`, at `t_ms` of my page's clock; `s` counts my slaps. `seat` is which of mine,
    here and in other messages, where I have several.

    `contact` is with how many fingers (the same slap again, with more, is one hand of which more has come down);
    `after` behind which seat I should like to sit, if this slap brings me in.
    """

    n: int
    p_ms: PageMs
    t_ms: PageMs
    s: int
    contact: Annotated[int, Meta(ge=1, le=5)] = 1
    after: int | None = None
    seat: int | None = None


class Seen(Struct, frozen=True, tag_field="t", tag="seen"):
    """My page shows card `n` from `p_ms` of its clock on; it draws a frame each `f_ms`."""

    n: int
    p_ms: PageMs
    f_ms: PageMs


class Beat(Struct, frozen=True, tag_field="t", tag="beat"):
    """My page's clock says `c_ms`: whatever I have slapped before, you have. Said while a card can be slapped."""

    c_ms: PageMs


class Look(Struct, frozen=True, tag_field="t", tag="look"):
    """My page is to be seen, or hidden behind others: who cannot see a card is not waited for."""

    visible: bool


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The answer to `ping`, with my page's clock."""

    k: int
    c_ms: PageMs


ServerMessage: TypeAlias = Welcome | Back | Soon | Lines | Ping | Unheard | Bye | Message
ClientMessage: TypeAlias = Hello | Play | Slap | Seen | Beat | Look | Pong | Request
