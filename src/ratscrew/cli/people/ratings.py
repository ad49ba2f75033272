"""`ratscrew ratings`: compute ratings anew from the logs, and decide about flagged players."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.accounts.accounts import Account, Accounts
from ratscrew.accounts.one_network import one_network
from ratscrew.accounts.one_sided import one_sided
from ratscrew.accounts.ratings import RATED, Ratings
from ratscrew.accounts.results import read_results, seasons
from ratscrew.accounts.values import Values
from ratscrew.cli.server.serving import community_options
from ratscrew.cli.storage.location import Location, open_for_writing, resolve
from ratscrew.cli.storage.log_lookup import open_log
from ratscrew.cli.terminal import echo, one_line
from ratscrew.errors import RatscrewError
from ratscrew.table.history.settling import allow, allowed, excluded, flagged
from ratscrew.table.history.settling import rebuild as rebuild_results
from ratscrew.table.names.names import looks


def rebuild(where: Location, rated: Sequence[str]) -> None:
    """Compute all results and flags anew from the logs, and print the ratings of each season.

    Raises: RatscrewError if a server uses the log; LogError.
    """
    options = community_options(True, rated)
    rules = tuple(dict.fromkeys((*RATED, *(options.rated if options else ()))))
    with open_for_writing(resolve(where)) as log:
        results = rebuild_results(log)
        echo(f"games: {len(results)}, of which not rated: {sum(bool(each.unrated) for each in results)}")
        accounts, out = Accounts(log, looks), excluded(log)
        for season in seasons(log):
            ratings = Ratings(rules, out)
            ratings.add(read_results(log, season))
            for house in rules:
                for account, rating in ratings.leaders(house):
                    state = "provisional" if rating.provisional else ""
                    figures = f"{rating.points:5} mu {rating.mu!r} sigma {rating.sigma!r} games {rating.games} {state}"
                    echo(f"{season} {house} {_name(accounts.get(account))}: {figures}".rstrip())


def print_flags(where: Location) -> None:
    """Print the players whose games are not rated, with the reasons; and of the last season, pairs of players of whom
    one loses more often than their other games explain, and pairs who play each other in one network.

    Raises: RatscrewError if there is no such file; LogError.
    """
    with open_log(where) as log:
        found, seen = flagged(_readable(log)), allowed(_readable(log))
        accounts = Accounts(_readable(log), looks)
        results = [each for season in seasons(_readable(log))[-1:] for each in read_results(_readable(log), season)]
        for pair in one_sided(results, {each.rules for each in results}, found.keys() - seen):
            loser, winner = (_name(accounts.get(account)) for account in (pair.loser, pair.winner))
            figures = f"{pair.lost} of {pair.games} games, expected {pair.expected:.1f}, p {pair.chance:.1g}"
            echo(f"{loser} ({pair.loser}) lost to {winner} ({pair.winner}) in {figures}; {pair.rules}")
        for near in one_network(results):
            loser, winner = (_name(accounts.get(account)) for account in (near.loser, near.winner))
            echo(
                f"{loser} ({near.loser}) and {winner} ({near.winner}) played {near.games} games in one network, "
                f"not rated: {loser} lost {near.lost}"
            )
        for account, reasons in sorted(found.items()):
            state = "allowed" if account in seen else "not rated"
            echo(f"{_name(accounts.get(account))} ({account}), {state}: {'; '.join(reasons)}")
    if not found:
        echo("no player is flagged")


def set_allowed(who: str, where: Location, on: bool) -> None:
    """Rate a flagged player's games, or no longer.

    Raises: RatscrewError if there is no such player, or a server uses the log; LogError.
    """
    with open_for_writing(resolve(where)) as log:
        accounts = Accounts(log, looks)
        if (account := accounts.find(who) or accounts.get(who)) is None:
            raise RatscrewError(f"there is no player {who!r}: write the name with its number, as in Ana#0042")
        allow(log, account.id, on)
    state = "are rated" if on else "are rated only without flags"
    echo(f"the games of {one_line(account.public_name)} {state}")


def _readable(log: object) -> Values:
    """A log that is open for reading, of which only `get` is called."""
    return log  # type: ignore[return-value]


def _name(account: Account | None) -> str:
    return one_line(account.public_name) if account else "(deleted)"
