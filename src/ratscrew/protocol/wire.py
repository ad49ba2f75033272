"""Messages between browser and server over a WebSocket. The client's types are generated from this module.

A client's frame has one message; the server's has one, or an array of all that leave at one moment.
Messages are JSON objects with a tag `t`; events at the table (`EventMessage.e`) have a tag `e`.
Cards are text (`7H`). Times are milliseconds where the name ends in `_ms`, microseconds where it ends in `_us`.
Short names: `n` is the number of a card in its game, `v` of an event in its game, `s` of a request or slap of its page,
`k` of a ping; `us` is a reaction. Times of a page's clock: `p_ms` a card's painting, `t_ms` a slap, `c_ms` now; `f_ms`
is the time between two frames that a page draws.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ratscrew.game.bounds import Integer, PassText, ProofsText, ShortText
from ratscrew.game.view import View
from ratscrew.table.record.messages import Countdown, Message
from ratscrew.table.record.requests import Request
from ratscrew.table.record.room_kind import RoomKind
from ratscrew.table.session.seat import PublicSeat

PageMs: TypeAlias = Annotated[float, Meta(ge=-1e12, le=1e12)]
"""Milliseconds of a page's own clock."""

FrameMs: TypeAlias = Annotated[float, Meta(ge=0, le=1e6)]
"""Milliseconds between two frames."""

PageId: TypeAlias = Annotated[str, Meta(min_length=16, max_length=32)]
"""The page's own random id, which cannot be guessed."""


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The reply to `hello`: a snapshot of the table.

    `you` is your seat, or null for a watching page; `yours` are all seats of this page. Events from `version` + 1
    follow. `wire` is the hash of these types; a page with another one reloads. `view` is null before the first
    game; `house` is the short text of the house of this or the next game; the host sits at seat `host`, and is null
    at a table of the server's (`kind` quick or arena); a running game may be `rated`; `listed` rooms are public, a
    `paused` game waits for its only device, or for the host, at seat `paused_by`, and the seats in `ready` want
    another game. No new player can join a `locked` room, and `removed` is the number of removed players, who cannot
    come back. `closed_ms` is the time (since 1970) until which the room is closed, or null. `promise` is the hash
    of the next shuffle's seed: reply with a `nonce`; `commitment` is the hash of everything that determined this
    game's shuffle, or null if it was not shuffled. `epoch` counts the servers that have owned the room: a page that
    has seen a higher one leaves this server. A page that watches from elsewhere sees the table `delay_ms` later
    than its players.
    """

    wire: str
    room: str
    game: str
    version: int
    you: int | None
    yours: tuple[int, ...]
    host: int | None
    kind: RoomKind
    rated: bool
    seats: tuple[PublicSeat, ...]
    house: str
    listed: bool
    locked: bool
    paused: bool
    paused_by: int | None
    ready: tuple[int, ...]
    removed: int
    closed_ms: int | None
    view: View | None
    clock: Countdown | None
    promise: str | None
    commitment: str | None
    epoch: int
    delay_ms: int = 0


class Reconnected(Struct, frozen=True, tag_field="t", tag="reconnected"):
    """The reply to a `hello` with a known version, from a page with the same types: the missed events follow.

    `epoch` is that of `Welcome`.
    """

    version: int
    seats: tuple[PublicSeat, ...]
    ready: tuple[int, ...]
    clock: Countdown | None
    epoch: int


class Ping(Struct, frozen=True, tag_field="t", tag="ping"):
    """Reply at once with `pong` and the same `k`. The next ping follows within `next_ms`, or the server is gone."""

    k: int
    next_ms: int


class RevealAt(Struct, frozen=True, tag_field="t", tag="reveal_at"):
    """Card `n` comes next; show it at `at_ms` of your page's clock, when all players see it.

    Do not show messages after this one before that time.
    """

    n: int
    at_ms: float


class Waiting(Struct, frozen=True, tag_field="t", tag="waiting"):
    """Your `hello` has come, but the table is not ready yet, as many are read from the log. Do not connect again."""


class RateLimited(Struct, frozen=True, tag_field="t", tag="rate_limited"):
    """You send too much: the server ignored your last message, and ignores more within `wait_ms`."""

    wait_ms: int


class Bye(Struct, frozen=True, tag_field="t", tag="bye"):
    """The connection ends; do not reconnect automatically. For example: no such room, or another page holds the seat.

    If your address sent too much (`too_much`), too many watch (`crowded`), or the server has no space for your table
    (`busy`), you may retry after `wait_s`. An `unkept` game cannot be saved at the moment, and continues later from its
    last saved state; the record of a `damaged` game cannot be read.
    """

    reason: Literal[
        "no_room", "elsewhere", "closed", "garbage", "removed", "too_much", "busy", "crowded", "unkept", "damaged"
    ]
    wait_s: int = 0


class RoomMoved(Struct, frozen=True, tag_field="t", tag="moved"):
    """Another server has this room: connect to the one at the URL `to`, or to this one again if that is not known.

    The `ticket` proves your seats there, in `hello`, where cookies do not reach. It is valid once, for some seconds.
    """

    to: str | None = None
    ticket: str | None = None


class Nodes(Struct, frozen=True, tag_field="t", tag="nodes"):
    """The URLs of all servers that can have this room: ask any other one if this one is gone."""

    urls: tuple[str, ...]


class Hello(Struct, frozen=True, tag_field="t", tag="hello"):
    """The first message: the players of this page, and what it has of the room (`game`, `version`).

    A page may have several players, or none if it only watches; a cookie proves each seat. A second socket, `only` for
    slaps, delivers them past anything that delays the first; each slap is sent on both.
    `page` identifies a page that reconnects, so that a repeated request runs only once. `wire` is the hash of the types
    that the page knows: with another one, or none, it gets a `welcome`, and reloads. `ticket` is that of `moved`.
    A page whose browser takes no cookies sends the `proofs` of its seats, separated by spaces.
    """

    player_ids: Annotated[tuple[Integer, ...], Meta(max_length=8)] = ()
    only: Literal["slaps"] | None = None
    game: ShortText | None = None
    version: Integer = 0
    page: PageId | None = None
    wire: ShortText | None = None
    ticket: PassText | None = None
    proofs: ProofsText | None = None


class PlayMessage(Struct, frozen=True, tag_field="t", tag="play"):
    """Turn my top card; `n` is the newest card that I have seen, so that a repeated message plays only once."""

    n: Integer
    seat: Integer | None = None


class SlapMessage(Struct, frozen=True, tag_field="t", tag="slap"):
    """I slap card `n`, painted at `p_ms`, at `t_ms` of my page's clock; `s` counts my slaps.

    `seat` says which of my seats, here and in other messages, if I have several. `contact` is the number of fingers
    (the same slap again with more fingers is one hand with more of it down); `after` is the seat after which I would
    like to sit, if this slap brings me in.
    """

    n: Integer
    p_ms: PageMs
    t_ms: PageMs
    s: Integer
    contact: Annotated[int, Meta(ge=1, le=5)] = 1
    after: Integer | None = None
    seat: Integer | None = None


class Beat(Struct, frozen=True, tag_field="t", tag="beat"):
    """My page's clock is at `c_ms`: I have sent all earlier slaps. Sent 10 ms after each slap, which also makes good
    for a packet that was lost."""

    c_ms: PageMs


class Visibility(Struct, frozen=True, tag_field="t", tag="visibility"):
    """My page is visible or hidden: the server does not wait for a player who cannot see a card."""

    visible: bool


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The reply to `ping`, with my page's clock: I have sent all earlier slaps. `n` is the newest card that is visible
    on my page, since `p_ms`; it draws a frame each `f_ms`.
    """

    k: Integer
    c_ms: PageMs
    n: Integer | None = None
    p_ms: PageMs | None = None
    f_ms: FrameMs | None = None


ServerMessage: TypeAlias = (
    Welcome | Reconnected | RevealAt | Ping | Waiting | RateLimited | Bye | RoomMoved | Nodes | Message
)
ClientMessage: TypeAlias = Hello | PlayMessage | SlapMessage | Beat | Visibility | Pong | Request
