"""What a table remembers besides the cards: who sat down, which house was chosen, how a race was judged.

Together with the game's own events these are the entries of its log, each with its time. Nothing in this file
decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from ratscrew.game.events import Event
from ratscrew.game.view import GAME_REDACTIONS, Public
from ratscrew.judge.credit import Credit
from ratscrew.rules.house import Rules
from ratscrew.table.shuffle.commit_reveal import NONCE

HUES = 8
"""How many colours a hand can have."""

Shape: TypeAlias = Literal["palm", "paw", "claw", "wing", "glove", "leaf"]
"""What a hand can look like, for who cannot tell its colour."""
SHAPES: tuple[Shape, ...] = get_args(Shape)


class Appearance(Struct, frozen=True):
    """How somebody's hand looks: its colour by number, and its shape."""

    hue: Annotated[int, Meta(ge=0, le=HUES - 1)]
    shape: Shape


class Sat(Struct, frozen=True, tag_field="e", tag="sat"):
    """Somebody took a seat: a person, or a bot of the strength `bot`.

    `player_id` is a number that he keeps as long as the room lasts, whichever seat he has.
    """

    seat: int
    name: str
    bot: str | None = None
    player_id: int | None = None
    appearance: Appearance | None = None


class Left(Struct, frozen=True, tag_field="e", tag="left"):
    """Somebody has left his seat for good: of himself, or (`removed`) because the host has sent him away."""

    seat: int
    removed: bool = False


class NameDeleted(Struct, frozen=True, tag_field="e", tag="name_deleted"):
    """Somebody's name was deleted: from now on, and in whatever is kept of the room, he is called "–"."""

    seat: int


class Muted(Struct, frozen=True, tag_field="e", tag="muted"):
    """The host has silenced somebody's reactions, or given them back."""

    seat: int
    on: bool


class Listed(Struct, frozen=True, tag_field="e", tag="listed"):
    """The room is, or is no longer, among those that strangers find."""

    on: bool


class RoomLocked(Struct, frozen=True, tag_field="e", tag="room_locked"):
    """The host has locked the room, so that nobody new can join, or has unlocked it."""

    on: bool


class RemovedPlayers(Struct, frozen=True, tag_field="e", tag="removed_players"):
    """The people whom the host removed in earlier games, by their player ids: they cannot come back."""

    player_ids: tuple[int, ...]


class Readmitted(Struct, frozen=True, tag_field="e", tag="readmitted"):
    """The host lets everybody come back who was removed."""


class FillScheduled(Struct, frozen=True, tag_field="e", tag="fill_scheduled"):
    """The room waits for strangers until `at_us` (since 1970); then bots take empty seats, and the game is dealt."""

    at_us: int


class Proof(Struct, frozen=True):
    """What a hand was judged by. Unit: microseconds.

    `arrived_us` is counted from the card's shared moment, by the server's clock; `pressed_us`, and `beat_us` of the
    newest heartbeat before it, from the card's painting by the page's own. `rtt_us` is the round trip that counted;
    `app_us` is what the page's answers say of it, `control_us` the browser's own, `kernel_us` the packets' underneath,
    `lag_us` how late that heartbeat came. `free_us` and `purse_us` could be credited, `granted_us` was. `paint_us` is
    how long after the shared moment the page painted the card, by the page's clock; null in older logs.
    """

    arrived_us: int
    rtt_us: int
    pressed_us: int
    free_us: int
    purse_us: int
    granted_us: int
    beat_us: int | None = None
    lag_us: int | None = None
    app_us: int | None = None
    control_us: int | None = None
    kernel_us: int | None = None
    paint_us: int | None = None


class Hit(Struct, frozen=True):
    """One hand on a card. Unit: `us` microseconds of reaction, as the judge counts them.

    `page` numbers the pages that had several hands on this card; `proof` is null where there is no page, as of a bot.
    """

    seat: int
    us: int
    proof: Proof | None = None
    page: int | None = None


class Judged(Struct, frozen=True, tag_field="e", tag="judged"):
    """A race to slap card `n` was decided: the hands in their order, the winner first; `tie` if a draw decided."""

    n: int
    pattern: str
    order: tuple[Hit, ...]
    tie: bool = False


class Measured(Struct, frozen=True, tag_field="e", tag="measured"):
    """A hand on card `n` where there was nothing to slap: what it was judged by."""

    n: int
    hit: Hit


class LateSlap(Struct, frozen=True, tag_field="e", tag="late_slap"):
    """A person's hand on card `n` that came after the verdict, or after the card was covered: what it was judged by.

    It changes nothing in the game and costs no credit. It is logged because the slowest hands of a player belong to the
    player's reactions too. At most one entry for each seat and card.
    """

    n: int
    hit: Hit


class RulesChanged(Struct, frozen=True, tag_field="e", tag="rules_changed"):
    """The host has chosen the house for the next game; `link` is its short text."""

    rules: Rules
    link: str


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """Nobody may play here before `until_us` (microseconds since 1970), unless the host lifts it."""

    until_us: int


class Reopened(Struct, frozen=True, tag_field="e", tag="reopened"):
    """The host has opened the room again."""


Nonce: TypeAlias = Annotated[str, Meta(pattern=NONCE)]
"""A number that a player's page has drawn for the shuffle, in 32 hexadecimal digits."""


class Promised(Struct, frozen=True, tag_field="e", tag="promised"):
    """The seed of the next game is drawn, and is promised by its hash. It is secret: to the public it is null."""

    hash: str
    seed: str | None


class NonceGiven(Struct, frozen=True, tag_field="e", tag="nonce_given"):
    """Somebody's page has given a number of its own for the next shuffle."""

    seat: int
    nonce: Nonce


class Committed(Struct, frozen=True, tag_field="e", tag="committed"):
    """The cards are shuffled from a seed and these numbers, by seat; `commitment` is the hash of all that.

    `promise` is the hash that was told before anybody gave his number, or null where the game began at once. The seed
    is secret until the game is over: to the public it is null.
    """

    commitment: str
    nonces: tuple[str, ...]
    promise: str | None = None
    seed: str | None = None


class LaidOut(Struct, frozen=True, tag_field="e", tag="laid_out"):
    """The cards of this game are not shuffled: somebody has laid them out."""


Seal: TypeAlias = Promised | NonceGiven | Committed | LaidOut
Seating: TypeAlias = Sat | Left | NameDeleted | Muted | RemovedPlayers | Readmitted
TableEvent: TypeAlias = (
    Seating
    | Listed
    | RoomLocked
    | FillScheduled
    | RulesChanged
    | Judged
    | Measured
    | LateSlap
    | Closed
    | Reopened
    | Seal
)
Recorded: TypeAlias = Event | TableEvent
PublicEvent: TypeAlias = Public | TableEvent
"""Whatever may be told to everybody at the table."""


class RequestId(NamedTuple):
    """What a page wished for, by the page's name and its number for it."""

    page: str
    s: int


class LedgerSnapshot(Struct, frozen=True):
    """What a room's earlier games say of its players, so that restoring a room does not read those games again.

    `next_player_id` is the first number that nobody has had; `credits` holds the credits that differ from a new one, by
    number.
    """

    next_player_id: int
    credits: dict[int, Credit]


class Entry(Struct, frozen=True, omit_defaults=True):
    """One entry of a table's log. Unit: `at_us` microseconds of the server's clock since 1970.

    With the `request` by which somebody sat down it is known, also after a crash, that this has been done. The first
    entry of a game has the `ledger` as it was then; logs of earlier versions have none. Neither leaves the server.
    """

    at_us: int
    event: Recorded
    request: RequestId | None = None
    ledger: LedgerSnapshot | None = None


def signed(entries: Sequence[Entry], request: RequestId | None) -> tuple[Entry, ...]:
    """These entries; each seat taken carries its request, because only that request is not safe to repeat."""
    return tuple(replace(entry, request=request) if isinstance(entry.event, Sat) else entry for entry in entries)


def redact(event: Recorded) -> PublicEvent:
    """A recorded event as the public may see it."""
    hide = REDACTIONS.get(type(event))
    return hide(event) if hide else event


def _without_seed(event: Any) -> Any:
    return replace(event, seed=None)


REDACTIONS: Mapping[type, Callable[[Any], Any]] = {
    **GAME_REDACTIONS,
    Promised: _without_seed,
    Committed: _without_seed,
}
"""How each kind of event that has secrets is shown to the public; any other is shown as it is."""
