"""The commands of the community: ratings, reports and bans."""

from __future__ import annotations

from typing import Annotated

import typer

from ratscrew.cli.options import Config, Data, Log, games_location

ratings = typer.Typer(no_args_is_help=True, help="Ratings of players with accounts.")
Who = Annotated[str, typer.Argument(metavar="WHO", help="A player, as in Ana#0042.")]


@ratings.command("rebuild")
def rebuild_ratings(
    context: typer.Context,
    data: Data = None,
    log: Log = None,
    config: Config = None,
    rated: Annotated[list[str] | None, typer.Option(metavar="HOUSE", help="More rated rules, as for `serve`.")] = None,
) -> None:
    """Compute all results anew from the logs, and print the ratings of each season; stop the server first."""
    from ratscrew.cli.people import ratings as rating

    rating.rebuild(games_location(context), rated or ())


@ratings.command("flags")
def rating_flags(context: typer.Context, data: Data = None, log: Log = None, config: Config = None) -> None:
    """Print the players whose games are not rated, with the reasons, and pairs of whom one loses suspiciously often."""
    from ratscrew.cli.people import ratings as rating

    rating.print_flags(games_location(context))


@ratings.command("allow")
def allow_player(
    context: typer.Context,
    who: Who,
    data: Data = None,
    log: Log = None,
    config: Config = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take it back.")] = False,
) -> None:
    """Rate the games of a flagged player; stop the server first."""
    from ratscrew.cli.people import ratings as rating

    rating.set_allowed(who, games_location(context), not undo)


reports = typer.Typer(invoke_without_command=True, help="Reports of players by players.")


@reports.callback()
def list_reports(
    context: typer.Context,
    data: Data = None,
    log: Log = None,
    config: Config = None,
    every: Annotated[bool, typer.Option("--all", help="Print the closed ones too.")] = False,
) -> None:
    """Print the open reports, with the evidence; also while the server runs."""
    from ratscrew.cli.people import moderation

    if context.invoked_subcommand is None:
        moderation.print_reports(games_location(context), every)


@reports.command("close")
def close_report(
    context: typer.Context,
    report: Annotated[str, typer.Argument(metavar="REPORT", help="The report, as `ratscrew reports` names it.")],
    outcome: Annotated[str, typer.Option(help="What came of it.")] = "",
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Close a report; its text is deleted."""
    from ratscrew.cli.people import moderation

    moderation.close(report, outcome, games_location(context))


bans = typer.Typer(no_args_is_help=True, help="Players who cannot play on this server.")


@bans.command("add")
def add_ban(
    context: typer.Context,
    who: Annotated[str, typer.Argument(metavar="WHO", help="A player, as in Ana#0042, or a report of them.")],
    reason: Annotated[str, typer.Option(help="The reason, which the player reads.")],
    days: Annotated[float | None, typer.Option(min=0.001, max=3650, help="For how long; without it for good.")] = None,
    network: Annotated[
        bool, typer.Option("--network", help="Refuse everybody in a reported player's network, too, for a day at most.")
    ] = False,
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Ban a player: their account, or the seat that was reported, and the browsers that hold it."""
    from ratscrew.cli.people import moderation

    moderation.add_ban(who, reason, days, games_location(context), network)


@bans.command("list")
def list_bans(context: typer.Context, data: Data = None, log: Log = None, config: Config = None) -> None:
    """Print the bans."""
    from ratscrew.cli.people import moderation

    moderation.print_bans(games_location(context))


@bans.command("remove")
def remove_ban(
    context: typer.Context,
    ban: Annotated[str, typer.Argument(metavar="BAN", help="The ban, as `ratscrew bans list` names it.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Remove a ban."""
    from ratscrew.cli.people import moderation

    moderation.remove(ban, games_location(context))
