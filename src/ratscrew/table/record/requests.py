"""The requests that a client can send to a room, besides turning cards and slapping. Each is a message on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Meta, Struct

from ratscrew.bots.ladder import Strength
from ratscrew.game.bounds import HouseText, Integer, ShortText
from ratscrew.table.record.entries import Nonce
from ratscrew.table.record.messages import Reaction, RequestName
from ratscrew.table.record.table_action import ActionName, Half

Serial: TypeAlias = Annotated[int, Meta(ge=1, le=2**53)] | None
"""A page numbers its requests from 1 and sends them in that order. A repeated request, also on another connection, is
done once and answered with `done` each time. A request without a number is done each time, and not answered."""


Who: TypeAlias = Literal["player", "host", "host_between", "device", "host_or_device", "nobody"]
"""Any player of the table; its host; the host while no game is running; players at the only device; nobody."""

ANYBODY: tuple[Who, ...] = ("player",) * 5
THE_HOST: tuple[Who, ...] = ("host", "host", "host", "nobody", "nobody")
"""Who may make a request in a room for friends, in a listed one, in a rated game, in quick play and in an arena.

Among strangers nobody has a right over the others: the server opens, begins and locks tables of quick play and of
arenas, and a player is removed by a vote of the others. In a game that may be rated the host has none that could
decide it."""


class Facts(NamedTuple):
    """What the server has to know of a kind of request, besides how to execute it.

    `price` is what it costs, by how much it logs and sends (`log_budget.py`). With a spent budget it is
    `refused`, done `always`, done from the `reserve` for the host's tools against others, or (`play`) done until the
    log is full. A `slow` one takes the event loop about a millisecond: rules are parsed, a game is dealt, or
    something is logged and sent to everybody. `by_page`: pages also make it by themselves, so it brings no player back.
    """

    who: tuple[Who, ...] = ANYBODY
    price: int = 2
    when_full: Literal["refused", "always", "reserve", "play"] = "refused"
    slow: bool = False
    by_page: bool = False


class Act(Struct, frozen=True, tag_field="t", tag="act"):
    """Do anything else at the table, where the rules have it.

    `place` lays the card that seat `target` has laid aside onto the pile, `slap_down` slaps its hovering hand down,
    `award` says that it was first; `choose` takes a `half`; `hover` holds my hand over the pile, `unhover` takes it
    away. `seat`, here and in other messages, says which of my seats, where I have several.
    """

    FACTS: ClassVar[Facts] = Facts(when_full="play")

    action: ActionName
    target: Integer | None = None
    half: Half | None = None
    seat: Integer | None = None
    s: Serial = None


class Start(Struct, frozen=True, tag_field="t", tag="start"):
    """As the host, deal the first game."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 60, "always", slow=True)

    s: Serial = None


class House(Struct, frozen=True, tag_field="t", tag="house"):
    """As the host, while no game is running: change the rules to those of this short text."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 40, slow=True)

    house: HouseText
    s: Serial = None


class Reopen(Struct, frozen=True, tag_field="t", tag="reopen"):
    """As the host, reopen the room that three sixes have closed."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, slow=True)

    s: Serial = None


class DealAgain(Struct, frozen=True, tag_field="t", tag="again"):
    """The game is over: deal another one to the same seats, without asking the others."""

    FACTS: ClassVar[Facts] = Facts(("player", "player", "player", "nobody", "nobody"), 60, "always", slow=True)

    s: Serial = None


class Ready(Struct, frozen=True, tag_field="t", tag="ready"):
    """No game is running: I am ready for one, or (`on` false) the others should wait.

    It is dealt as soon as all players who are here are ready, or five seconds after the first one was, unless somebody
    asks the others to wait. Before the first game the host has thirty seconds instead, to deal or to ask the others to
    wait. Where players wait for strangers, the game begins as soon as all who are here are ready.
    """

    FACTS: ClassVar[Facts] = Facts(("player", "player", "player", "player", "nobody"), 2, "always")

    on: bool
    s: Serial = None


class Pause(Struct, frozen=True, tag_field="t", tag="pause"):
    """Pause the game, or go on with it. Possible while all players have their seats at this page, and for the host.

    The host has five minutes a game for pauses in which players at other devices wait.
    """

    FACTS: ClassVar[Facts] = Facts(
        ("host_or_device", "host_or_device", "nobody", "device", "nobody"), 2, "always", by_page=True
    )

    on: bool
    s: Serial = None


class ComeBack(Struct, frozen=True, tag_field="t", tag="come_back"):
    """I play again, after a bot had my seat because I let turns pass."""

    FACTS: ClassVar[Facts] = Facts(when_full="always")

    seat: Integer | None = None
    s: Serial = None


class AddBot(Struct, frozen=True, tag_field="t", tag="bot"):
    """As the host, while no game is running: add a bot."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 3, slow=True)

    strength: Strength = "steady"
    s: Serial = None


class Remove(Struct, frozen=True, tag_field="t", tag="remove"):
    """As the host, remove the player or bot at this seat; with strangers only while no game is running."""

    FACTS: ClassVar[Facts] = Facts(("host", "host_between", "host_between", "nobody", "nobody"), 2, "always", slow=True)

    seat: Integer
    s: Serial = None


class Vote(Struct, frozen=True, tag_field="t", tag="vote"):
    """Among strangers, vote for the removal of the player or bot at this seat, or (`on` false) take that back.

    It takes more than half of the others, and at least two. In a rated game all who voted for a removal are rated as
    the last, and nobody else; in an arena nobody gets points for such a game.
    """

    FACTS: ClassVar[Facts] = Facts(("nobody", "player", "player", "player", "player"), 2, "always")

    seat: Integer
    on: bool
    s: Serial = None


class Leave(Struct, frozen=True, tag_field="t", tag="leave"):
    """Leave my seat for good."""

    FACTS: ClassVar[Facts] = Facts(when_full="always", slow=True)

    seat: Integer | None = None
    s: Serial = None


class Mute(Struct, frozen=True, tag_field="t", tag="mute"):
    """As the host, hide the reactions of this seat, or show them again."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 2, "reserve", slow=True)

    seat: Integer
    on: bool
    s: Serial = None


class PassHost(Struct, frozen=True, tag_field="t", tag="pass_host"):
    """As the host, make the player at this seat the host. They have to be here."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST)

    seat: Integer
    s: Serial = None


class ListRoom(Struct, frozen=True, tag_field="t", tag="list"):
    """As the host, list the room for strangers, or no longer."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, slow=True)

    on: bool
    s: Serial = None


class LockRoom(Struct, frozen=True, tag_field="t", tag="lock"):
    """As the host, lock the room, so that nobody new can join, or unlock it."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 2, "reserve", slow=True)

    on: bool
    s: Serial = None


class Readmit(Struct, frozen=True, tag_field="t", tag="readmit"):
    """As the host, let all removed players come back."""

    FACTS: ClassVar[Facts] = Facts(THE_HOST, 2, "reserve", slow=True)

    s: Serial = None


class React(Struct, frozen=True, tag_field="t", tag="react"):
    """Send a reaction."""

    FACTS: ClassVar[Facts] = Facts(when_full="always")

    reaction: Reaction
    seat: Integer | None = None
    s: Serial = None


class GiveNonce(Struct, frozen=True, tag_field="t", tag="nonce"):
    """My nonce for the next shuffle, whose seed was promised by this hash. Each seat gives one, for good."""

    FACTS: ClassVar[Facts] = Facts(by_page=True)

    promise: ShortText
    nonce: Nonce
    seat: Integer | None = None
    s: Serial = None


Request: TypeAlias = (
    Act
    | House
    | Start
    | Reopen
    | DealAgain
    | Ready
    | Pause
    | ComeBack
    | AddBot
    | Remove
    | Vote
    | Leave
    | Mute
    | PassHost
    | ListRoom
    | LockRoom
    | Readmit
    | React
    | GiveNonce
)

FACTS: Mapping[RequestName, Facts] = {kind.__struct_config__.tag: kind.FACTS for kind in get_args(Request)}
"""The facts of each request, by its tag on the wire."""


def seat_of(request: Request) -> int | None:
    """Which of the page's own seats makes a request; None for its first. In others `seat` is whom it is about."""
    return request.seat if isinstance(request, Act | ComeBack | Leave | React | GiveNonce) else None
