"""What is asked and answered over HTTP: the client's types are printed from here, as from `wire`."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ratscrew.bots.ladder import Strength
from ratscrew.cards import Hand
from ratscrew.game.drill import Drilled
from ratscrew.rules.house import Rules
from ratscrew.rules.sheet import Sheet
from ratscrew.table.records.entries import Guise, Nonce
from ratscrew.table.rooms.lessons import Name


class NewRoom(Struct, frozen=True):
    """`POST /api/rooms`: a room for a person and bots. The game begins at once, or (`wait`) when the host says so.

    `nonce` is the person's number for the shuffle of a game that begins at once. Somebody with an empty `name` gets one
    that nobody at the table has, here and in the other requests.
    """

    name: str
    bots: int
    strength: Strength = "steady"
    house: str = "1;classic"
    wait: bool = False
    listed: bool = False
    guise: Guise | None = None
    nonce: Nonce | None = None


class NewLesson(Struct, frozen=True):
    """`POST /api/lessons`: a room for one person and the teacher, whose cards lie as the lesson needs them."""

    name: str
    lesson: Name
    guise: Guise | None = None


class Taught(Struct, frozen=True):
    """The answer: where to go, and what has to lie on top, the newest card last, when one is to slap."""

    room: str
    seat: int
    who: int
    slaps: tuple[Hand, ...]


class Drill(Struct, frozen=True):
    """The answer to `GET /api/drill`: cards to practise with in a house, which is given by its short text."""

    house: str
    cards: tuple[Drilled, ...]


class Quick(Struct, frozen=True):
    """`POST /api/quick`: a seat among strangers, in a room that waits for some, or in a new one.

    Bots take the seats that are empty after a few seconds, and the game begins.
    """

    name: str
    guise: Guise | None = None


class OpenRoom(Struct, frozen=True):
    """One of `GET /api/rooms`: a room that strangers may come to. `most` may sit there; `playing`: a game is on."""

    room: str
    host: str
    house: str
    people: int
    bots: int
    most: int
    playing: bool


class NewSeat(Struct, frozen=True):
    """`POST /api/rooms/CODE/seats`: a seat for one more person; while a game is on he may slap in, or waits."""

    name: str
    guise: Guise | None = None


class Choices(Struct, frozen=True):
    """`POST /api/house`: a house by its choices, over those of a preset."""

    choices: dict[str, Any]
    preset: str = "classic"


class Chosen(Struct, frozen=True):
    """A house: its short text, every option, the sheet, and how it differs from the nearest preset."""

    link: str
    rules: Rules
    sheet: Sheet
    preset: str
    title: str
    differences: tuple[str, ...]


class Joined(Struct, frozen=True):
    """The answer: where to go, and which number you have there, in whichever seat.

    What makes the seat yours comes with it: the cookie `seat-WHO`, for the addresses of this room.
    """

    room: str
    seat: int
    who: int


class NewPass(Struct, frozen=True):
    """`POST /api/rooms/CODE/pass`, with the cookies of these: what brings their seats to another device."""

    who: tuple[int, ...]


class Pass(Struct, frozen=True):
    """The answer, good for ten minutes; the other device says it to `POST /api/rooms/CODE/device`."""

    text: str


class Moved(Struct, frozen=True):
    """The answer to a pass that is good: whose seats this device holds now."""

    room: str
    who: tuple[int, ...]


class Health(Struct, frozen=True):
    """The answer to `GET /api/health`: the server is alive, with so many rooms in memory."""

    ok: bool
    rooms: int


class Ready(Struct, frozen=True):
    """The answer to `GET /api/ready`: whether people may be sent here, and if not (503), why."""

    ready: bool
    why: str | None


class OldNames(Struct, frozen=True):
    """`DELETE /api/rooms/CODE/name`, with the cookies of these: their names are kept no longer, in no game of the room.

    Everybody at the table is told `unnamed`.
    """

    who: tuple[int, ...]


class DeletedNames(Struct, frozen=True):
    """The names of these are deleted from all games of the room: nobody is shown them any more.

    `done` (status 200) says that nothing of them is left in the server's files either. Otherwise (status 202) another
    program, such as a backup, is reading the files; the server clears them as soon as it can.
    """

    who: tuple[int, ...]
    done: bool


class Problem(Struct, frozen=True):
    """The answer to a request that cannot be met: a code, and each problem in a sentence."""

    code: str
    problems: tuple[str, ...]


class SlowDown(Struct, frozen=True):
    """The answer to a client that asks too much at once (429), or to any while the server is busy (503): try again in
    `wait_s` seconds.
    """

    code: Literal["slow_down", "busy"]
    problems: tuple[str, ...]
    wait_s: int
