"""The events of a table besides those of its game: seats taken, rules chosen, races judged; and the entries of its log.

An entry is one of these, or an event of the game, with its time. No decisions here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeGuard, get_args

from msgspec import Meta, Struct

from ratscrew.game.events import Event
from ratscrew.game.view import Public
from ratscrew.rules.house import Rules
from ratscrew.table.record.commit_reveal import NONCE
from ratscrew.table.record.room_kind import KindSet, RatingTerms

HUES = 8
"""How many colours a hand can have."""

Shape: TypeAlias = Literal["palm", "paw", "claw", "wing", "glove", "leaf"]
"""The shapes of hands, for players who cannot tell the colours apart."""
SHAPES: tuple[Shape, ...] = get_args(Shape)


class Appearance(Struct, frozen=True):
    """How a player's hand looks: its colour by number, and its shape."""

    hue: Annotated[int, Meta(ge=0, le=HUES - 1)]
    shape: Shape


class Sat(Struct, frozen=True, tag_field="e", tag="sat"):
    """A player, or a bot of strength `bot`, took a seat.

    They keep their `player_id` as long as the room lasts, whichever seat they have. Imported games
    have neither ids nor appearances.
    """

    seat: int
    name: str
    bot: str | None = None
    player_id: int | None = None
    appearance: Appearance | None = None


class AccountLinked(Struct, frozen=True, tag_field="e", tag="account_linked"):
    """The player at a seat has an account, by its id. When an account is deleted, `account` is replaced everywhere.

    `network` numbers the networks of the room's players, so that two players of one network are found. Both are null in
    public: nobody learns from a table which account a player has.
    """

    seat: int
    account: str | None
    network: int | None = None


class TookPart(Struct, frozen=True, tag_field="e", tag="took_part"):
    """A player has turned a card or slapped for the first time in a game that may be rated: they are there."""

    seat: int


class Left(Struct, frozen=True, tag_field="e", tag="left"):
    """A player or bot has left their seat for good: by themselves, or `removed`.

    They were removed by the host, or, in a running game with strangers, by the votes of the seats in `by`.
    """

    seat: int
    removed: bool = False
    by: tuple[int, ...] = ()


class NameDeleted(Struct, frozen=True, tag_field="e", tag="name_deleted"):
    """A player's name was deleted: from now on, and in everything stored of the room, their name is "–"."""

    seat: int


class Muted(Struct, frozen=True, tag_field="e", tag="muted"):
    """The host has muted a player's reactions, or unmuted them."""

    seat: int
    on: bool


class Idle(Struct, frozen=True, tag_field="e", tag="idle"):
    """A player has let several turns pass at a connected page (`on`), or acts again.

    In between a bot of strength `bot` plays for them. Null: their cards are only turned, as for a player who is away.
    """

    seat: int
    on: bool
    bot: str | None = None


class HostPassed(Struct, frozen=True, tag_field="e", tag="host_passed"):
    """The player at this seat is the host now: the host has passed the role on, or was `away` for too long.

    A host who was away is host again when they come back.
    """

    seat: int
    away: bool = False


class Listed(Struct, frozen=True, tag_field="e", tag="listed"):
    """The room was listed for strangers, or is no longer listed."""

    on: bool


class RoomLocked(Struct, frozen=True, tag_field="e", tag="room_locked"):
    """The host has locked the room, so that nobody new can join, or has unlocked it."""

    on: bool


class Paused(Struct, frozen=True, tag_field="e", tag="paused"):
    """The game was paused, or goes on. Nothing is due in between, and the turn timer stands still.

    `seat` is the host's, who paused it for players at other devices; null if all players are at one.
    """

    on: bool
    seat: int | None = None


class Readmitted(Struct, frozen=True, tag_field="e", tag="readmitted"):
    """The host lets all removed players come back."""


class FillScheduled(Struct, frozen=True, tag_field="e", tag="fill_scheduled"):
    """The room waits for strangers until `at_us` (since 1970); then bots take empty seats, and the game is dealt."""

    at_us: int


class Owned(Struct, frozen=True, tag_field="e", tag="owned"):
    """Another process of a cluster goes on with the room: its first entry. `epoch` rises with each.

    `node` is the process's name in the cluster; in public it is null.
    """

    epoch: int
    node: str | None


class Proof(Struct, frozen=True):
    """The measurements by which a slap was judged. Unit: microseconds.

    `arrived_us` is counted from the card's shared moment, by the server's clock; `pressed_us`, and `beat_us` of the
    newest heartbeat before it, from the card's painting by the page's own. `rtt_us` is the round trip that counted;
    `app_us` is the one measured by the page's answers, `control_us` by the browser's, `kernel_us` by the packets
    underneath; `lag_us` is how late that heartbeat came. `free_us` and `purse_us` could be credited, `granted_us` was.
    `paint_us` is how long after the shared moment the page painted the card, by its clock, and `frame_us` how long its
    frames last, as it says; null if it has not said so. In public all but the page's own times is rounded or null
    (`redaction.py`).
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
    frame_us: int | None = None


class SlapRecord(Struct, frozen=True):
    """One slap of a card. Unit: `us` microseconds of reaction, as the judge counts them.

    `page` numbers the pages with several slaps of this card; `proof` is null for slaps without a page, such as a bot's.
    """

    seat: int
    us: int
    proof: Proof | None = None
    page: int | None = None


class Judged(Struct, frozen=True, tag_field="e", tag="judged"):
    """A race to slap card `n` was decided: the slaps in their order, the winner's first; `tie` if a draw decided.

    `confidence` is the probability in percent that the winner was truly the fastest; null where a person's page gave
    no times. `unseen` players had not slapped, and their pages had not proved it yet.
    """

    n: int
    pattern: str
    order: tuple[SlapRecord, ...]
    tie: bool = False
    confidence: int | None = None
    unseen: int = 0


class Measured(Struct, frozen=True, tag_field="e", tag="measured"):
    """A slap of card `n` where there was nothing to slap, with its measurements."""

    n: int
    slap: SlapRecord


class LateSlap(Struct, frozen=True, tag_field="e", tag="late_slap"):
    """A player's slap of card `n` after the verdict, or after the card was covered, with its measurements.

    It changes nothing in the game and costs no credit. It is logged because a player's slowest slaps belong to their
    reactions too. At most one entry for each seat and card.
    """

    n: int
    slap: SlapRecord


class RulesChanged(Struct, frozen=True, tag_field="e", tag="rules_changed"):
    """The host has chosen the rules for the next game; `link` is their short text."""

    rules: Rules
    link: str


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """The room is closed until `until_us` (microseconds since 1970), unless the host reopens it."""

    until_us: int


class Reopened(Struct, frozen=True, tag_field="e", tag="reopened"):
    """The host has reopened the room."""


Nonce: TypeAlias = Annotated[str, Meta(pattern=NONCE, max_length=32)]
"""A random number from a player's page for the shuffle, in 32 hexadecimal digits."""


class Promised(Struct, frozen=True, tag_field="e", tag="promised"):
    """The seed of the next game was drawn, and its hash published. The seed is secret: in public it is null."""

    hash: str
    seed: str | None


class NonceGiven(Struct, frozen=True, tag_field="e", tag="nonce_given"):
    """A player's page has given its nonce for the next shuffle."""

    seat: int
    nonce: Nonce


class Committed(Struct, frozen=True, tag_field="e", tag="committed"):
    """The cards were shuffled from a seed and these nonces, by seat; `commitment` is the hash of all that.

    `promise` is the hash that was published before any player gave a nonce, or null where the game began at once. The
    seed is secret until the game is over: in public it is null.
    """

    commitment: str
    nonces: tuple[str, ...]
    promise: str | None = None
    seed: str | None = None


class LaidOut(Struct, frozen=True, tag_field="e", tag="laid_out"):
    """The cards of this game were not shuffled, but laid out in a given order."""


TableEvent: TypeAlias = (
    Sat
    | AccountLinked
    | TookPart
    | Left
    | NameDeleted
    | Muted
    | Idle
    | Readmitted
    | HostPassed
    | KindSet
    | RatingTerms
    | Listed
    | RoomLocked
    | Paused
    | FillScheduled
    | RulesChanged
    | Judged
    | Measured
    | LateSlap
    | Closed
    | Reopened
    | Owned
    | Promised
    | NonceGiven
    | Committed
    | LaidOut
)
Recorded: TypeAlias = Event | TableEvent
PublicEvent: TypeAlias = Public | TableEvent
"""Any event as every client may see it."""

TABLE_EVENTS = frozenset(get_args(TableEvent))


def is_game_event(event: Recorded) -> TypeGuard[Event]:
    """Whether an event is one of the game, and not of its table. `isinstance` of the union takes ten times as long."""
    return type(event) not in TABLE_EVENTS


class RequestId(NamedTuple):
    """Identifies a request: the page's name, and the page's number for it."""

    page: str
    s: int


class DoneRequest(NamedTuple):
    """A request that has stored something, with the time of its entry (`at_us`, as in `Entry`).

    `player_id` is that of the player who took a seat by it.
    """

    page: str
    s: int
    at_us: int
    player_id: int | None = None


class Entry(Struct, frozen=True, omit_defaults=True):
    """One entry of a table's log. Unit: `at_us` microseconds of the server's clock since 1970.

    The first entry that a request stored has its `request`, and so has that of each seat that it took: it is not done
    again after a crash. The first entry of a game, and some later ones, have the `state` of the table after them
    (`log_snapshot.py`); `since` is the number of the newest entry that has one. None of these leaves the server.
    """

    at_us: int
    event: Recorded
    request: RequestId | None = None
    state: dict[str, Any] | None = None
    since: int = 0
