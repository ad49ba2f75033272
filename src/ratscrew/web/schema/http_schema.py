"""The bodies of HTTP requests and responses. The client's types and the OpenAPI schemas are generated from them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ratscrew.bots.ladder import Strength
from ratscrew.cards import Hand
from ratscrew.game.bounds import Choice, HouseText, Integer, NameText, PassText, PlayerIds, ShortText
from ratscrew.game.practice_stream import PracticeCard
from ratscrew.rules.house import Rules
from ratscrew.rules.rule_sheet import Sheet
from ratscrew.table.arenas.summary import ArenaRow, ArenaSummary, ArenaWait
from ratscrew.table.record.entries import Appearance, Nonce
from ratscrew.table.registry.lessons import Name

BODY_MOST = 4096
"""The longest request body. Unit: bytes."""

Day: TypeAlias = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", max_length=10, description="A date.")]


class NewRoom(Struct, frozen=True):
    """`POST /api/rooms`: a room for one player and bots. The game begins at once, or (`wait`) when the host starts it.

    `nonce` is the player's number for the shuffle of a game that begins at once. A player with an empty `name` gets one
    that is free at the table, here and in the other requests. `daily` is today's date where the player lives: everybody
    gets the same cards on it, against the same bots, whatever the request says of rules and bots.
    """

    name: NameText
    bots: Integer
    strength: Strength = "steady"
    house: HouseText = "1;classic"
    wait: bool = False
    listed: bool = False
    appearance: Appearance | None = None
    nonce: Nonce | None = None
    daily: Day | None = None


class NewArena(Struct, frozen=True):
    """`POST /api/arenas`: an arena that anyone can join. It begins after `starts_in_s` and lasts `minutes`."""

    title: NameText
    house: HouseText = "1;classic"
    minutes: Annotated[int, Meta(ge=5, le=120)] = 30
    starts_in_s: Annotated[int, Meta(ge=0, le=3600)] = 60


class NewPlayer(Struct, frozen=True):
    """`POST /api/rooms/CODE/arena/players`: join an arena, once with each browser."""

    name: NameText
    appearance: Appearance


class ArenaPlayer(Struct, frozen=True):
    """The response: the player's number and name. A cookie proves it."""

    player: int
    name: str


class ArenaAsk(Struct, frozen=True):
    """`POST /api/rooms/CODE/arena/ask`: a player is here, and wants a table."""


class ArenaState(Struct, frozen=True):
    """The response to `POST /api/rooms/CODE/arena/ask`: the player's rank and points, and the table to play at.

    A cookie proves the seat there, of the player with the number `seat`. `doubles`: the next win counts twice. `wait`
    says why a player without a table waits, and how long at most.
    """

    player: int
    rank: int
    points: int
    doubles: bool
    room: str | None
    seat: int | None
    wait: ArenaWait | None


class ArenaStandings(Struct, frozen=True):
    """The response to `GET /api/rooms/CODE/arena`: all players, the best first, and the time until begin and end."""

    arena: ArenaSummary
    begins_in_s: float
    ends_in_s: float
    players: tuple[ArenaRow, ...]


class NewLesson(Struct, frozen=True):
    """`POST /api/lessons`: a room for one player and the teacher, with the cards in the order that the lesson needs."""

    name: NameText
    lesson: Name
    appearance: Appearance | None = None


class Taught(Struct, frozen=True):
    """The response: the room and the seat, and in `slaps` which top cards are to be slapped, the newest card last."""

    room: str
    seat: int
    player_id: int
    slaps: tuple[Hand, ...]


class Continue(Struct, frozen=True):
    """`POST /api/games/GAME/continue`: a room whose game goes on after the `v`-th event of a finished one.

    The player takes this seat, bots the others.
    """

    name: NameText
    v: Integer
    seat: Integer
    appearance: Appearance | None = None


class Drill(Struct, frozen=True):
    """The response to `GET /api/drill`: cards for practice with a house, which is given by its short text."""

    house: str
    cards: tuple[PracticeCard, ...]


class ActivityEntry(Struct, frozen=True):
    """`POST /api/activity`: to the room of an instance of the Discord activity, in which all its players meet."""

    instance: Annotated[str, Meta(min_length=1, max_length=200)]
    name: NameText
    appearance: Appearance | None = None


class ActivityRoom(Struct, frozen=True):
    """The response: the room. It was opened with the host's seat for this player; without a seat it was there."""

    room: str
    seat: int | None = None
    player_id: int | None = None


class Quick(Struct, frozen=True):
    """`POST /api/quick`: a seat among strangers, in a room that waits for players, or in a new one.

    Bots take the empty seats after a few seconds, and the game begins.
    """

    name: NameText
    appearance: Appearance | None = None


class ListedRoom(Struct, frozen=True):
    """One of `GET /api/rooms`: a room that anyone may join; or of `GET /api/watch`: one with a game to watch.

    `most` is its number of seats; `playing`: a game is on.
    """

    room: str
    host: str
    house: str
    people: int
    bots: int
    most: int
    playing: bool


class NewSeat(Struct, frozen=True):
    """`POST /api/rooms/CODE/seats`: a seat for one more player. During a game they slap in, or wait."""

    name: NameText
    appearance: Appearance | None = None


class Choices(Struct, frozen=True):
    """`POST /api/house`: a house from choices, which override those of a preset."""

    choices: Annotated[dict[ShortText, Choice], Meta(max_length=200)]
    preset: ShortText = "classic"


class Chosen(Struct, frozen=True):
    """A house: its short text, every option, its sheet, and how it differs from the preset that it starts from."""

    link: str
    rules: Rules
    sheet: Sheet
    preset: str
    title: str
    differences: tuple[str, ...]


class JoinedRoom(Struct, frozen=True):
    """The response: the room, the seat, and `player_id`, the player's number in the room, which stays the same.

    The seat belongs to the browser with the cookie `seat-IDENTITY-WHO`, which comes with it and is valid for this room.
    """

    room: str
    seat: int
    player_id: int


class NewPass(Struct, frozen=True):
    """`POST /api/rooms/CODE/pass`, with the cookies of these seats: a pass that moves them to another device."""

    player_ids: PlayerIds


class Pass(Struct, frozen=True):
    """The response, valid for ten minutes; the other device sends it to `POST /api/rooms/CODE/device`."""

    text: PassText


class Moved(Struct, frozen=True):
    """The response to a valid pass: whose seats this device holds now."""

    room: str
    player_ids: tuple[int, ...]


class Health(Struct, frozen=True):
    """The response to `GET /api/health`: the server is alive, with so many rooms in memory."""

    ok: bool
    rooms: int


class ReadyState(Struct, frozen=True):
    """The response to `GET /api/ready`: whether clients may be sent here, and if not (503), why."""

    ready: bool
    why: str | None


class OldNames(Struct, frozen=True):
    """`DELETE /api/rooms/CODE/name`, with the cookies of these players: delete their names from all games of the room.

    Everyone at the table receives `unnamed`.
    """

    player_ids: PlayerIds


class DeletedNames(Struct, frozen=True):
    """The response: the names of these players are deleted from all games of the room, and no longer shown.

    `done` (status 200) says that the server's files have no trace of them either. Otherwise (status 202) another
    program, such as a backup, is reading the files; the server clears them as soon as it can.
    """

    player_ids: tuple[int, ...]
    done: bool


class Problem(Struct, frozen=True, omit_defaults=True):
    """An error response: a code, and a sentence for each problem, in the player's language.

    Of a body that is not as its schema has it, `field` is the path of the wrong field, such as `$.bots`, and `detail`
    what is wrong with it: both are for developers, and pages do not show them.
    """

    code: str
    problems: tuple[str, ...]
    field: str | None = None
    detail: str | None = None


class SlowDown(Struct, frozen=True):
    """The response to too many requests (429), or while the server is busy (503): try again in `wait_s` seconds."""

    code: Literal["slow_down", "busy"]
    problems: tuple[str, ...]
    wait_s: int
