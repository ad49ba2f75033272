"""What is stored of a game under each account that played it, and what a profile says of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ratscrew.accounts.results import Unrated
from ratscrew.accounts.values import PREFIX, Values
from ratscrew.game.codec import Codec
from ratscrew.judge.suspicion import SlapTrace, indicators

KEPT = 500
"""How many of a player's latest games are stored for the profile."""

RECENT, RIVALS = 20, 5
FLAG_GAMES = 60
"""The indicators of `ratscrew suspicion` are computed over so many of a player's latest games."""


class AccountGame(Struct, frozen=True):
    """A game that an account has played. `others` are the other players with accounts, with their ranks.

    `came_back`: the player won after having been without cards. `slaps` are the player's slaps with their measurements.
    `listed`: anyone could watch it. `game` is its name in the log, which contains the room's code.
    """

    game: str
    end_us: int
    rules: str
    rank: int
    seats: int
    player_id: int
    others: dict[str, int]
    slaps: tuple[SlapTrace, ...]
    came_back: bool = False
    unrated: tuple[Unrated, ...] = ()
    listed: bool = False


class PatternTimes(Struct, frozen=True):
    """A player's reactions to a pattern: how many, their median in ms, and the share of all players' that is slower.

    `mine` and `everyone` are the numbers of reactions in steps of `CHART_MS`.
    """

    pattern: str
    slaps: int
    median_ms: int
    faster_than_percent: int | None
    mine: tuple[int, ...]
    everyone: tuple[int, ...]


class Recent(Struct, frozen=True):
    """One of a player's latest games. Unit: `end_us` microseconds since 1970.

    `game` leads to the whole game. It is null for those who were not in it, unless anyone could watch (`listed`).
    """

    game: str | None
    end_us: int
    rules: str
    rank: int
    seats: int
    rated: bool
    others: dict[str, int]
    listed: bool = False


class Rival(Struct, frozen=True):
    """Another player: in how many games they met, and how often each was ahead."""

    account: str
    games: int
    ahead: int
    behind: int


class Summary(Struct, frozen=True):
    """What a profile says of a player's games."""

    games: int
    wins: int
    streak: int
    best_streak: int
    comebacks: int
    accuracy_percent: int | None
    times: tuple[PatternTimes, ...]
    rivals: tuple[Rival, ...]
    recent: tuple[Recent, ...]


_PLAYED = Codec[AccountGame](AccountGame)
PLAYED_GAMES = Codec[list[AccountGame]](list[AccountGame])

BIN_MS = 10
"""Everyone's reactions are counted in steps of this size."""

CHART_MS, CHART_STEPS = 50, 30
"""A profile shows reactions in steps of this size; the last step has all that are slower."""

Everyone: TypeAlias = Mapping[str, Mapping[int, int]]
"""All players' reactions by pattern: how many are in each bin of `BIN_MS`."""

EVERYONE = Codec[dict[str, dict[int, int]]](dict[str, dict[int, int]])


def put_played(values: Values, account: str, played: AccountGame) -> None:
    """Store a game under an account; storing it again changes nothing.

    Raises: LogError.
    """
    values.put(_name(account, played), _PLAYED.encode(played))


def forget_played(values: Values, account: str, games: Iterable[AccountGame]) -> None:
    """Delete games that are stored under an account; their logs and results stay.

    Raises: LogError; the call can be repeated.
    """
    for played in games:
        values.delete_prefix(_name(account, played))


def rename_in_played(values: Values, account: str, played: AccountGame, pseudonym: str) -> None:
    """Put a pseudonym in place of an account in what the other players have of a game of its.

    Raises: LogError; the call can be repeated.
    """
    for other in played.others:
        if found := find_played(values, other, played.game, played.end_us):
            others = {pseudonym if each == account else each: rank for each, rank in found.others.items()}
            put_played(values, other, replace(found, others=others))


def find_played(values: Values, account: str, game: str, end_us: int) -> AccountGame | None:
    """A game of an account by its name and its end."""
    found = values.get(f"{PREFIX}played/{account}/{end_us:016}-{game}/")
    return _PLAYED.decode(next(iter(found.values()))) if found else None


def encoded_games(values: Values, account: str) -> bytes:
    """The games of an account, oldest first, as `PLAYED_GAMES` decodes them."""
    found = values.get(f"{PREFIX}played/{account}/")
    return b"[" + b",".join(found[name] for name in sorted(found)) + b"]"


def read_played(values: Values, account: str) -> list[AccountGame]:
    """The games of an account, oldest first."""
    found = values.get(f"{PREFIX}played/{account}/")
    return [_PLAYED.decode(found[name]) for name in sorted(found)]


def summary(games: Sequence[AccountGame], everyone: Everyone) -> Summary:
    """A profile's figures, from games oldest first."""
    streak = best = 0
    met: dict[str, list[int]] = {}
    by_pattern: dict[str, list[int]] = {}
    for game in games:
        streak = streak + 1 if game.rank == 0 else 0
        best = max(best, streak)
        for account, rank in game.others.items():
            met.setdefault(account, []).append(rank - game.rank)
        for slap in game.slaps:
            if slap.pattern:
                by_pattern.setdefault(slap.pattern, []).append(slap.reaction_us)
    slaps = [slap for game in games for slap in game.slaps]
    good = sum(slap.pattern is not None for slap in slaps)
    rivals = [
        Rival(account, len(ranks), sum(rank > 0 for rank in ranks), sum(rank < 0 for rank in ranks))
        for account, ranks in met.items()
    ]
    times = [_times(pattern, us, everyone.get(pattern, {})) for pattern, us in by_pattern.items()]
    return Summary(
        len(games),
        sum(game.rank == 0 for game in games),
        streak,
        best,
        sum(game.came_back for game in games),
        round(100 * good / len(slaps)) if slaps else None,
        tuple(sorted(times, key=lambda each: -each.slaps)),
        tuple(sorted(rivals, key=lambda each: (-each.games, each.account))[:RIVALS]),
        tuple(
            Recent(
                each.game, each.end_us, each.rules, each.rank, each.seats, not each.unrated, each.others, each.listed
            )
            for each in reversed(games[-RECENT:])
        ),
    )


def flags(games: Iterable[AccountGame]) -> list[str]:
    """The reasons to look at a player's latest games, as `ratscrew suspicion` gives them; see docs/fairness.md."""
    latest = list(games)[-FLAG_GAMES:]
    return [sign.meaning for sign in indicators([slap for game in latest for slap in game.slaps]) if sign.flagged]


def _times(pattern: str, us: Sequence[int], everyone: Mapping[int, int]) -> PatternTimes:
    middle, total = median(us) / 1000, sum(everyone.values())
    slower = sum(many for bin_, many in everyone.items() if bin_ * BIN_MS > middle)
    return PatternTimes(
        pattern,
        len(us),
        round(middle),
        round(100 * slower / total) if total else None,
        _steps(Counter(each // 1000 for each in us)),
        _steps(Counter({bin_ * BIN_MS: many for bin_, many in everyone.items()})),
    )


def _steps(by_ms: Mapping[int, int]) -> tuple[int, ...]:
    steps = [0] * CHART_STEPS
    for ms, many in by_ms.items():
        steps[min(ms // CHART_MS, CHART_STEPS - 1)] += many
    return tuple(steps)


def _name(account: str, played: AccountGame) -> str:
    return f"{PREFIX}played/{account}/{played.end_us:016}-{played.game}/"
