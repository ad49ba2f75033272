"""The command `ratscrew`: words in, words out. A mistake is answered with a sentence, never with a traceback."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ratscrew import __version__
from ratscrew.bots.ladder import BOTS
from ratscrew.cli import backup_restore, logging_setup, privacy, texts
from ratscrew.cli import config as configuring
from ratscrew.cli import watch as watching
from ratscrew.cli.census import census as count_windows
from ratscrew.cli.lab import lab
from ratscrew.cli.referee import referee as judge_files
from ratscrew.cli.replay import replay as replay_game
from ratscrew.cli.rules import show as show_rules
from ratscrew.cli.suspicion import suspicion as show_suspicion
from ratscrew.cli.terminal import echo
from ratscrew.cli.verify import verify as verify_shuffle
from ratscrew.errors import RatscrewError
from ratscrew.log.database import Durability
from ratscrew.log.paths import default_file

app = typer.Typer(add_completion=False, no_args_is_help=False, pretty_exceptions_enable=False, rich_markup_mode=None)

PORT = 8765
Host = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others on your network in.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes any free one.")]
Data = Annotated[Path | None, typer.Option(help="The file that keeps the games, or a folder for it.")]
Durable = Annotated[
    Durability, typer.Option(help="What a game survives: the end of the process only, or a loss of power too.")
]
HOUSE = "A preset, a file of choices (.toml, .json) or the short text of a link."
House = Annotated[str, typer.Argument(metavar="HOUSE", help=HOUSE)]
Config = Annotated[
    Path | None,
    typer.Option(callback=configuring.load_config, is_eager=True, help="A file (TOML) that says what no flag says."),
]
Hosts = Annotated[
    list[str] | None, typer.Option(help="Another name of this server, as in the address that players open.")
]
Browse = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the game in the browser.")]


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which Ratscrew this is.")] = False,
) -> None:
    """Egyptian Ratscrew, the slapping card game. Without a command: play it in the browser."""
    if version:
        typer.echo(f"ratscrew {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        play()


@app.command()
def play(
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    browser: Browse = True,
    durability: Durable = "full",
    hosts: Hosts = None,
) -> None:
    """Start the game on this machine and open it in the browser."""
    from ratscrew.cli import serving

    policy = serving.proxy_policy(False, None, hosts=hosts or ())
    serving.serve(serving.ServeOptions(host, port, data or default_file(), browser, durability, policy))


@app.command(context_settings={"auto_envvar_prefix": configuring.PREFIX})
def serve(
    context: typer.Context,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    data: Data = None,
    durability: Durable = "full",
    speed: Annotated[float, typer.Option(min=0.1, max=100, help="How many times as fast as life; for trials.")] = 1,
    deal: Annotated[Path | None, typer.Option(help="A game as text, whose deal every game gets; for trials.")] = None,
    proxy: Annotated[
        bool,
        typer.Option(
            "--proxy", help="People come through a proxy: its line is not theirs, and its X-Forwarded-… are true."
        ),
    ] = False,
    proxies: Annotated[int, typer.Option(min=1, help="How many proxies stand one behind the other.")] = 1,
    hosts: Hosts = None,
    rtt_header: Annotated[str | None, typer.Option(help="The proxy's header with their round trip, in µs.")] = None,
    takeover: Annotated[float, typer.Option(min=0, help="How many seconds to wait for the server before.")] = 0,
    metrics: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port for figures that Prometheus reads; none if not said.")
    ] = None,
    metrics_host: Annotated[str, typer.Option(help="The address for the figures.")] = "127.0.0.1",
    log_format: Annotated[
        logging_setup.LogFormat, typer.Option(help="How the journal is written on standard error.")
    ] = "text",
    log_level: Annotated[
        logging_setup.LogLevel, typer.Option(help="How grave an event must be to be written.")
    ] = "warning",
    config: Config = None,
    show_config: Annotated[bool, typer.Option("--show-config", help="Print what holds and who says so.")] = False,
) -> None:
    """Start the game server and open no browser. The environment says RATSCREW_PORT=80 and the file port = 80."""
    if show_config:
        typer.echo("\n".join(configuring.format_settings(context)))
        return
    from ratscrew.cli import serving
    from ratscrew.web.metrics import Metrics

    logging_setup.set_up_logging(log_format, log_level)
    endpoint = None if metrics is None else serving.MetricsEndpoint(metrics_host, metrics, Metrics())
    policy = serving.proxy_policy(proxy, rtt_header, proxies, hosts or ())
    file = data or default_file()
    serving.serve(
        serving.ServeOptions(host, port, file, False, durability, policy, speed, deal, takeover, endpoint),
    )


@app.command()
def watch(
    seed: Annotated[int | None, typer.Option(help="The same seed plays the same game; without one, any game.")] = None,
    players: Annotated[int, typer.Option(min=2, max=8, help="How many bots play.")] = 4,
    strength: Annotated[str, typer.Option(help=f"How strong they are: {', '.join(BOTS)}.")] = "steady",
    preset: Annotated[str, typer.Option(help=f"The house they play. {HOUSE}")] = "classic",
    speed: Annotated[float, typer.Option(min=0, help="How many times as fast as life; 0 does not wait at all.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the events, one a line.")] = False,
) -> None:
    """Let bots play a whole game in the terminal."""
    watching.watch(seed, players, strength, preset, speed, json)


@app.command("bot")
def send_bot(
    module: Annotated[str, typer.Option(help="A module of Python that calls its bot BOT, as my_bot.py does.")],
    room: Annotated[str, typer.Option(help="The code of the room.")],
    server: Annotated[str, typer.Option(help="Where the server is.")] = f"http://127.0.0.1:{PORT}",
    name: Annotated[str | None, typer.Option(help="What it is called there; else as its module.")] = None,
) -> None:
    """Send a bot of your own to a room: it sits down and plays there as a person would."""
    from ratscrew.cli import remote_bot

    remote_bot.play(module, room, server, name)


@app.command()
def rules(
    what: House = "classic",
    against: Annotated[str | None, typer.Option(help="Say only what goes otherwise than in this house.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print every option, the sheet and the text of a link.")] = False,
    link: Annotated[bool, typer.Option("--link", help="Print the short text that a link carries.")] = False,
    lang: Annotated[str, typer.Option(help="The language of the rules: en or de.")] = "en",
) -> None:
    """Print the rules of a house in plain words."""
    show_rules(what, against, json, link, lang)


@app.command()
def census(
    preset: Annotated[str, typer.Option(help=HOUSE)] = "classic",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Count on how many windows of cards of one pack each slap of a house lies."""
    count_windows(preset, json)


@app.command()
def referee(files: Annotated[list[Path], typer.Argument(help="Worked examples, as JSON.")]) -> None:
    """Play worked examples of the rules, and say where the game differs from them."""
    raise typer.Exit(judge_files(files))


@app.command()
def replay(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a room's code for its latest game.")],
    judge: Annotated[bool, typer.Option("--judge", help="Judge every slap again, and explain each verdict.")] = False,
    data: Data = None,
    json: Annotated[bool, typer.Option("--json", help="Print events, one a line; or the verdicts, as one.")] = False,
) -> None:
    """Print a game from the log as text, or judge it again."""
    raise typer.Exit(replay_game(game, data or default_file(), judge, json))


@app.command()
def verify(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game's name, or a room's code for its latest game.")],
    data: Data = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check that a game's shuffle was fair: open its seal, and deal again."""
    raise typer.Exit(verify_shuffle(game, data or default_file(), json))


@app.command()
def suspicion(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="A room's code.")],
    data: Data = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare the hands of a room's people with those of people: reasons to look, never proof."""
    show_suspicion(room, data or default_file(), json)


@app.command()
def export(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME|ROOM]...", help="Only these.")] = None,
    out: Annotated[Path, typer.Option(help="The folder for the texts.")] = Path(),
    data: Data = None,
) -> None:
    """Write every game that is over as a text, which `import` takes back."""
    raise typer.Exit(texts.export(games or (), out, data or default_file()))


@app.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(help="Games as texts.")],
    data: Data = None,
) -> None:
    """Put games that are written down among those that are kept; their times are made up, a second an event."""
    texts.import_games(files, data or default_file())


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    data: Data = None,
    force: Annotated[bool, typer.Option("--force", help="Put it in the place of a file that is there.")] = False,
) -> None:
    """Copy all games into another file, also while a server keeps them; the copy is checked."""
    backup_restore.backup(file, data or default_file(), force)


@app.command()
def rescue(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The damaged file; it stays as it is.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The file for what can be read of it.")],
) -> None:
    """Copy what can be read of a damaged file into a new one, and say what cannot."""
    raise typer.Exit(backup_restore.rescue(file, new))


@app.command()
def forget(
    room: Annotated[str, typer.Argument(metavar="ROOM", help="A room's code.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that somebody has there.")],
    data: Data = None,
) -> None:
    """Delete a person's name from all games of a room; stop the server before."""
    privacy.forget_name(room, name, data or default_file())


@app.command()
def rotate_keys(data: Data = None) -> None:
    """Make everybody's hold on a seat worthless, as after a theft of the file; stop the server before."""
    privacy.rotate_keys(data or default_file())


app.add_typer(lab, name="lab")


def main() -> None:
    """Run the command; whatever Ratscrew itself refuses is told in a sentence, with exit code 1."""
    try:
        app(prog_name="ratscrew")
    except RatscrewError as error:
        problems = getattr(error, "problems", (str(error),))
        for problem in problems:
            echo(f"ratscrew: {problem}", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(141) from None
