"""The bodies of HTTP requests and responses. The client's types and the OpenAPI schemas are generated from them."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ratscrew.bots.ladder import Strength
from ratscrew.cards import Hand
from ratscrew.game.practice_stream import PracticeCard
from ratscrew.rules.house import Rules
from ratscrew.rules.sheet import Sheet
from ratscrew.table.records.entries import Appearance, Nonce
from ratscrew.table.rooms.lessons import Name


class NewRoom(Struct, frozen=True):
    """`POST /api/rooms`: a room for one player and bots. The game begins at once, or (`wait`) when the host starts it.

    `nonce` is the player's number for the shuffle of a game that begins at once. A player with an empty `name` gets one
    that is free at the table, here and in the other requests.
    """

    name: str
    bots: int
    strength: Strength = "steady"
    house: str = "1;classic"
    wait: bool = False
    listed: bool = False
    appearance: Appearance | None = None
    nonce: Nonce | None = None


class NewLesson(Struct, frozen=True):
    """`POST /api/lessons`: a room for one player and the teacher, with the cards in the order that the lesson needs."""

    name: str
    lesson: Name
    appearance: Appearance | None = None


class Taught(Struct, frozen=True):
    """The response: the room and the seat, and in `slaps` which top cards are to be slapped, the newest card last."""

    room: str
    seat: int
    player_id: int
    slaps: tuple[Hand, ...]


class Drill(Struct, frozen=True):
    """The response to `GET /api/drill`: cards for practice with a house, which is given by its short text."""

    house: str
    cards: tuple[PracticeCard, ...]


class Quick(Struct, frozen=True):
    """`POST /api/quick`: a seat among strangers, in a room that waits for players, or in a new one.

    Bots take the empty seats after a few seconds, and the game begins.
    """

    name: str
    appearance: Appearance | None = None


class OpenRoom(Struct, frozen=True):
    """One of `GET /api/rooms`: a room that anyone may join. `most` is its number of seats; `playing`: a game is on."""

    room: str
    host: str
    house: str
    people: int
    bots: int
    most: int
    playing: bool


class NewSeat(Struct, frozen=True):
    """`POST /api/rooms/CODE/seats`: a seat for one more player. During a game they slap in, or wait."""

    name: str
    appearance: Appearance | None = None


class Choices(Struct, frozen=True):
    """`POST /api/house`: a house from choices, which override those of a preset."""

    choices: dict[str, Any]
    preset: str = "classic"


class Chosen(Struct, frozen=True):
    """A house: its short text, every option, its sheet, and how it differs from the nearest preset."""

    link: str
    rules: Rules
    sheet: Sheet
    preset: str
    title: str
    differences: tuple[str, ...]


class Joined(Struct, frozen=True):
    """The response: the room, the seat, and `player_id`, the player's number in the room, which stays the same.

    The seat belongs to the browser with the cookie `seat-WHO`, which comes with it and is valid for this room.
    """

    room: str
    seat: int
    player_id: int


class NewPass(Struct, frozen=True):
    """`POST /api/rooms/CODE/pass`, with the cookies of these seats: a pass that moves them to another device."""

    player_ids: tuple[int, ...]


class Pass(Struct, frozen=True):
    """The response, valid for ten minutes; the other device sends it to `POST /api/rooms/CODE/device`."""

    text: str


class Moved(Struct, frozen=True):
    """The response to a valid pass: whose seats this device holds now."""

    room: str
    player_ids: tuple[int, ...]


class Health(Struct, frozen=True):
    """The response to `GET /api/health`: the server is alive, with so many rooms in memory."""

    ok: bool
    rooms: int


class Ready(Struct, frozen=True):
    """The response to `GET /api/ready`: whether clients may be sent here, and if not (503), why."""

    ready: bool
    why: str | None


class OldNames(Struct, frozen=True):
    """`DELETE /api/rooms/CODE/name`, with the cookies of these players: delete their names from all games of the room.

    Everyone at the table receives `unnamed`.
    """

    player_ids: tuple[int, ...]


class DeletedNames(Struct, frozen=True):
    """The response: the names of these players are deleted from all games of the room, and no longer shown.

    `done` (status 200) says that the server's files have no trace of them either. Otherwise (status 202) another
    program, such as a backup, is reading the files; the server clears them as soon as it can.
    """

    player_ids: tuple[int, ...]
    done: bool


class Problem(Struct, frozen=True):
    """An error response: a code, and a sentence for each problem."""

    code: str
    problems: tuple[str, ...]


class SlowDown(Struct, frozen=True):
    """The response to too many requests (429), or while the server is busy (503): try again in `wait_s` seconds."""

    code: Literal["slow_down", "busy"]
    problems: tuple[str, ...]
    wait_s: int
