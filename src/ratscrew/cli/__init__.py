"""The command line `ratscrew`: options, help, and errors as sentences instead of tracebacks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from ratscrew import __version__
from ratscrew.bots.ladder import BOTS
from ratscrew.cli import config as configuring
from ratscrew.cli.games import watch as watching
from ratscrew.cli.games.census import census as count_windows
from ratscrew.cli.games.referee import referee as judge_files
from ratscrew.cli.games.replay import replay as replay_game
from ratscrew.cli.games.rules import show as show_rules
from ratscrew.cli.games.suspicion import suspicion as show_suspicion
from ratscrew.cli.games.verify import verify as verify_shuffle
from ratscrew.cli.options import (
    BasePath,
    Config,
    Data,
    Database,
    Durable,
    Hosts,
    Log,
    Proxies,
    Proxy,
    RttHeader,
    SocketHeader,
    TrustedProxies,
    games_location,
    parse_path,
)
from ratscrew.cli.people import community_commands as community
from ratscrew.cli.server import cluster, logging_setup
from ratscrew.cli.storage import backup_restore, copying, postgres, privacy, texts
from ratscrew.cli.study.lab import lab
from ratscrew.cli.terminal import echo, replace_unknown_characters
from ratscrew.errors import RatscrewError
from ratscrew.log.paths import default_file

app = typer.Typer(add_completion=False, no_args_is_help=False, pretty_exceptions_enable=False, rich_markup_mode=None)

PORT = 8765
Host = Annotated[str, typer.Option(help="The address to listen on; :: lets others on your network in.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any free one.")]
HOUSE = "House rules: a preset, a file of choices (.toml, .json) or the short text of a link."
House = Annotated[str, typer.Argument(metavar="HOUSE", help=HOUSE)]
Browse = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the game in the browser.")]


@app.callback(invoke_without_command=True)
def start(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Egyptian Ratscrew, the slapping card game. Without a command, it opens in the browser."""
    if version:
        typer.echo(f"ratscrew {__version__}")
        raise typer.Exit


@app.command()
def play(
    context: typer.Context,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    browser: Browse = True,
    durability: Durable = "full",
    hosts: Hosts = None,
    config: Config = None,
) -> None:
    """Start the game on this machine and open it in the browser."""
    from ratscrew.cli.server import serving

    policy = serving.proxy_policy(False, None, hosts=hosts or ())
    serving.serve(serving.ServeOptions(host, port, games_location(context), browser, durability, policy))


@app.command(context_settings={"auto_envvar_prefix": configuring.PREFIX})
def serve(
    context: typer.Context,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    log: Log = None,
    durability: Durable = "full",
    speed: Annotated[
        float, typer.Option(min=0.1, max=100, help="How many times as fast as real time; for trials.")
    ] = 1,
    deal: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=parse_path, help="A game as text; every game gets its deal; for trials."),
    ] = None,
    proxy: Proxy = False,
    proxies: Proxies = 1,
    hosts: Hosts = None,
    trusted_proxies: TrustedProxies = None,
    socket_header: SocketHeader = None,
    rtt_header: RttHeader = None,
    base_path: BasePath = "",
    takeover: Annotated[
        float, typer.Option(min=0, help="How many seconds to wait for the previous server to end.")
    ] = 0,
    node: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of several servers on this PostgreSQL; its name.")
    ] = None,
    public_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address of this node for players' browsers.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many processes share the port; more than one need a node.")
    ] = 1,
    metrics: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port of the metrics for Prometheus; without one there are none."),
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="The address of the metrics.")] = "127.0.0.1",
    log_format: Annotated[
        logging_setup.LogFormat, typer.Option(help="The format of log messages on standard error.")
    ] = "text",
    log_level: Annotated[
        logging_setup.LogLevel, typer.Option(help="The least severe log messages to write.")
    ] = "warning",
    community: Annotated[
        Literal["on", "off"], typer.Option(help="Whether players can keep their games: accounts, ratings, friends.")
    ] = "on",
    rated: Annotated[
        list[str] | None, typer.Option(metavar="HOUSE", help="More rules whose games are rated; their short text.")
    ] = None,
    hourly_arena: Annotated[
        str | None, typer.Option(metavar="HOUSE", help="Open an arena each hour, with these rules; their short text.")
    ] = None,
    discord: Annotated[str | None, typer.Option(metavar="ID", help="The Discord application of this activity.")] = None,
    names: Annotated[
        str, typer.Option(metavar="on|off|FILE", help="Screen names; FILE has more words to refuse, one a line.")
    ] = "on",
    config: Config = None,
    show_config: Annotated[
        bool, typer.Option("--show-config", help="Print the settings in effect and where each comes from.")
    ] = False,
) -> None:
    """Start the game server without a browser. The environment (RATSCREW_PORT=80) and a file (port = 80) work too."""
    if show_config:
        typer.echo("\n".join(configuring.format_settings(context)))
        return
    from ratscrew.cli.server import serving, worker_processes
    from ratscrew.web.metrics import Metrics

    logging_setup.set_up_logging(log_format, log_level)
    worker = worker_processes.this_worker()
    if metrics and worker:
        metrics += worker.group.number - 1
    endpoint = None if metrics is None else serving.MetricsEndpoint(metrics_host, metrics, Metrics())
    policy = serving.proxy_policy(
        proxy, rtt_header, proxies, hosts or (), discord, socket_header, trusted_proxies or (), base_path
    )
    identity = serving.node_identity(node, public_url, log)
    if workers > 1:
        worker_processes.check_workers(workers, identity)
    if workers > 1 and identity and not worker:
        worker_processes.run_workers(workers, identity, host, port)
        return
    if identity and worker:
        identity = worker.identity(identity)
    people = serving.community_options(community == "on", rated or (), hourly_arena)
    where = games_location(context)
    options = serving.ServeOptions(host, port, where, False, durability, policy, speed, deal, takeover, endpoint)
    serving.serve(options._replace(node=identity, worker=worker, community=people, names=names))


@app.command()
def watch(
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same game; random if not given.")] = None,
    players: Annotated[int, typer.Option(min=2, max=8, help="How many bots play.")] = 4,
    strength: Annotated[str, typer.Option(help=f"How strong the bots are: {', '.join(BOTS)}.")] = "steady",
    preset: Annotated[str, typer.Option(help=HOUSE)] = "classic",
    speed: Annotated[float, typer.Option(min=0, help="How many times as fast as real time; 0 does not wait.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the events, one per line.")] = False,
) -> None:
    """Let bots play a whole game in the terminal."""
    watching.watch(seed, players, strength, preset, speed, json)


@app.command("bot")
def send_bot(
    module: Annotated[str, typer.Option(help="A Python module with a bot called BOT, such as my_bot.py.")],
    room: Annotated[str, typer.Option(help="The code of the room.")],
    server: Annotated[str, typer.Option(help="The address of the server.")] = f"http://127.0.0.1:{PORT}",
    name: Annotated[str | None, typer.Option(help="The bot's name at the table; default: its module's.")] = None,
) -> None:
    """Send a bot of your own to a room: it takes a seat and plays like a person."""
    from ratscrew.cli.games import remote_bot

    remote_bot.play(module, room, server, name)


@app.command()
def rules(
    what: House = "classic",
    against: Annotated[str | None, typer.Option(help="Print only the differences from these house rules.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print every option, the rule sheet and the link text.")] = False,
    link: Annotated[bool, typer.Option("--link", help="Print the short text for a link.")] = False,
    lang: Annotated[str, typer.Option(help="The language of the rules: en or de.")] = "en",
) -> None:
    """Print house rules in plain words."""
    show_rules(what, against, json, link, lang)


@app.command()
def census(
    preset: Annotated[str, typer.Option(help=HOUSE)] = "classic",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count how many windows of cards of one pack match each slap pattern of the house rules."""
    count_windows(preset, json)


@app.command()
def referee(files: Annotated[list[Path], typer.Argument(help="Worked examples, as JSON.")]) -> None:
    """Play worked examples of the rules, and print where the game differs from them."""
    raise typer.Exit(judge_files(files))


@app.command()
def replay(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a room's code for its latest game.")],
    judge: Annotated[bool, typer.Option("--judge", help="Judge every slap again, and explain each ruling.")] = False,
    data: Data = None,
    log: Log = None,
    config: Config = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the events, one per line, or the rulings as one object.")
    ] = False,
) -> None:
    """Print a game from the log as text, or judge it again."""
    raise typer.Exit(replay_game(game, games_location(context), judge, json))


@app.command()
def verify(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a room's code for its latest game.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check that a game's shuffle was fair: verify its commitment, and deal again."""
    raise typer.Exit(verify_shuffle(game, games_location(context), json))


@app.command()
def suspicion(
    context: typer.Context,
    room: Annotated[str, typer.Argument(metavar="ROOM", help="A room's code.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare the slaps of a room's players with what people do: reasons to look closer, never proof."""
    show_suspicion(room, games_location(context), json)


@app.command()
def export(
    context: typer.Context,
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME|ROOM]...", help="Export only these.")] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", parser=parse_path, help="The folder for the text files.")
    ] = Path(),
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Write each finished game as a text file, which `import` can read."""
    raise typer.Exit(texts.export(games or (), out, games_location(context)))


@app.command("import")
def import_games(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="Games as text files.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Add games from text files to the stored ones; their times are made up, one second per event."""
    texts.import_games(files, games_location(context))


@app.command()
def copy(log: Database, data: Data = None, config: Config = None) -> None:
    """Copy all games of a file into an empty PostgreSQL database, to go on there; stop the server first."""
    copying.copy(data or default_file(), log)


@app.command()
def migrate(log: Database, config: Config = None) -> None:
    """Create the tables in a PostgreSQL database, or upgrade them to this version; no other command changes them."""
    postgres.migrate(log)


@app.command()
def nodes(
    log: Database,
    config: Config = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per node.")] = False,
) -> None:
    """Print the nodes of a cluster: their addresses, rooms, load and leases."""
    cluster.print_nodes(log, json)


@app.command()
def drain(
    node: Annotated[str, typer.Argument(metavar="NODE", help="The name of the node.")],
    log: Database,
    config: Config = None,
) -> None:
    """Have a node give its rooms to the others and take no more, until it is started again."""
    cluster.drain(log, node)


@app.command()
def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file for the copy.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Copy all games into another file, even while a server runs; the copy is checked."""
    backup_restore.backup(file, games_location(context), force)


@app.command()
def rescue(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The damaged file; it is not changed.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The file for the readable part.")],
) -> None:
    """Copy the readable part of a damaged file into a new one, and print what is missing."""
    raise typer.Exit(backup_restore.rescue(file, new))


@app.command()
def forget(
    context: typer.Context,
    room: Annotated[str, typer.Argument(metavar="ROOM", help="A room's code.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a player in the room.")],
    data: Data = None,
    log: Log = None,
    config: Config = None,
) -> None:
    """Delete a player's name from all games of a room; stop the server first."""
    privacy.forget_name(room, name, games_location(context))


@app.command()
def rotate_keys(context: typer.Context, data: Data = None, log: Log = None, config: Config = None) -> None:
    """Invalidate every player's claim to a seat, for example after a theft of the file; stop the server first."""
    privacy.rotate_keys(games_location(context))


app.add_typer(lab, name="lab")
app.add_typer(community.ratings, name="ratings")
app.add_typer(community.reports, name="reports")
app.add_typer(community.bans, name="bans")


def main() -> None:
    """Run the command; print an error of Ratscrew as a sentence, with exit code 1."""
    replace_unknown_characters()
    try:
        app(sys.argv[1:] or ["play"], prog_name="ratscrew")
    except RatscrewError as error:
        problems = getattr(error, "problems", (str(error),))
        for problem in problems:
            echo(f"ratscrew: {problem}", file=sys.stderr)
        raise SystemExit(1) from None
    except OSError as error:
        if error.filename is None or isinstance(error, BrokenPipeError):
            raise
        advice = "; run the command as the user who owns it, for instance with sudo"
        echo(
            f"ratscrew: {error.filename}: {error.strerror}{advice if isinstance(error, PermissionError) else ''}",
            file=sys.stderr,
        )
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(141) from None
