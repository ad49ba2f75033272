"""Results of games as ratings need them, and where they are stored. Each follows from its game's log alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec

Unrated: TypeAlias = Literal[
    "bots", "guests", "prepared", "same_player", "same_network", "unvouched", "late_join", "no_winner", "absent"
]
"""Why a game is not rated: bots played; players without an account; the cards were laid out; one account at two seats;
two players in one network; connections
whose round trip the kernel does not measure; someone joined during it; nobody won; players who were
away at the deal, or fewer than two who took part."""


class RankedPlayer(Struct, frozen=True):
    """A player's place in a game: rank 0 is the winner's; players with the same rank drew."""

    account: str
    player_id: int
    rank: int


class GameResult(Struct, frozen=True):
    """The result of a game. `rules` is the short text of its house; `end_us` is the time of its end, since 1970.

    `reactions` are those of the players with accounts, by pattern. Unit: milliseconds. `voters` are the accounts that
    voted a player out during the game.
    """

    game: str
    end_us: int
    rules: str
    places: tuple[RankedPlayer, ...]
    unrated: tuple[Unrated, ...] = ()
    reactions: dict[str, tuple[int, ...]] = {}
    voters: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[int, str]:
        """The order in which games are rated: by their end."""
        return self.end_us, self.game


_RESULT = Codec[GameResult](GameResult)


def season_of(us: int) -> str:
    """The season of a time: a quarter of a year, such as 2026-4."""
    moment = datetime.fromtimestamp(us / 1e6, UTC)
    return f"{moment.year}-{(moment.month + 2) // 3}"


def hour_of(us: int) -> str:
    """The hour of a time, such as 2026-11-25T07."""
    return datetime.fromtimestamp(us / 1e6, UTC).strftime("%Y-%m-%dT%H")


def put_result(values: Values, result: GameResult) -> None:
    """Store a result; storing it again changes nothing.

    Raises: LogError.
    """
    values.get_or_create(f"{PREFIX}season/{season_of(result.end_us)}/", lambda: b"1")
    values.put(_key(result.game, result.end_us), _RESULT.encode(result))


def rename_in_result(values: Values, game: str, end_us: int, account: str, pseudonym: str) -> None:
    """Put a pseudonym in place of an account in a stored result.

    Raises: LogError; the call can be repeated.
    """
    for value in values.get(_key(game, end_us)).values():
        result = _RESULT.decode(value)
        places = tuple(
            replace(place, account=pseudonym) if place.account == account else place for place in result.places
        )
        put_result(values, replace(result, places=places))


def read_results(values: Values, season: str, hour: str = "") -> Iterator[GameResult]:
    """The stored results of a season, or of one hour of it, in the order in which they are rated."""
    found = values.get(f"{PREFIX}result/{season}/{hour}")
    return iter(sorted(map(_RESULT.decode, found.values()), key=lambda result: result.order))


def result_pieces(values: Values, season: str, count: int) -> Iterator[list[GameResult]]:
    """The stored results of a season in the order in which they are rated, decoded so many at a time."""
    found = values.get(f"{PREFIX}result/{season}/")
    names = sorted(found)  # by their ends, which have as many digits for three centuries
    for begin in range(0, len(names), count):
        yield sorted(
            (_RESULT.decode(found[name]) for name in names[begin : begin + count]), key=lambda each: each.order
        )


def seasons(values: Values) -> list[str]:
    """The seasons with results, oldest first."""
    prefix = f"{PREFIX}season/"
    return sorted(name[len(prefix) : -1] for name in values.get(prefix))


def _key(game: str, end_us: int) -> str:
    return f"{PREFIX}result/{season_of(end_us)}/{hour_of(end_us)}/{end_us}-{game}/"
