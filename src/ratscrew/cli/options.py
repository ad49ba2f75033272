"""Options that many commands share, and where the games are that a command reads or writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratscrew.cli.config import PREFIX, load_config
from ratscrew.cli.storage.location import Location, parse_address
from ratscrew.errors import RatscrewError
from ratscrew.log.database import Durability
from ratscrew.log.paths import default_file
from ratscrew.log.postgres.address import PostgresAddress


def parse_path(text: str | Path) -> Path:
    """A path, with `~` for the home folder: a shell replaces it only at the beginning of a word, not in `--data=~/x`.

    Raises: typer.BadParameter for a home folder that is not known.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise typer.BadParameter(f"{text}: this system knows no such home folder; write the whole path") from None


DATA = "The file that stores the games, or a folder for it."
Data = Annotated[
    Path | None, typer.Option(metavar="PATH", parser=parse_path, envvar=f"{PREFIX}_DATA", show_envvar=False, help=DATA)
]
LOG = "The URL of a PostgreSQL database that stores the games, instead of a file."
Log = Annotated[
    PostgresAddress | None,
    typer.Option(metavar="URL", parser=parse_address, envvar=f"{PREFIX}_LOG", show_envvar=False, help=LOG),
]
DATABASE = "The URL of a PostgreSQL database."
Database = Annotated[
    PostgresAddress,
    typer.Option(
        "--log", metavar="URL", parser=parse_address, envvar=f"{PREFIX}_LOG", show_envvar=False, help=DATABASE
    ),
]
CONFIG = "A TOML file with settings; flags and the environment override it."
Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        parser=parse_path,
        envvar=f"{PREFIX}_CONFIG",
        show_envvar=False,
        callback=load_config,
        is_eager=True,
        help=CONFIG,
    ),
]

Proxy = Annotated[
    bool,
    typer.Option("--proxy", help="Players connect through a proxy: use its X-Forwarded-… headers, not its round trip."),
]
Proxies = Annotated[int, typer.Option(min=1, help="How many proxies are chained.")]
TRUSTED = "From where the proxy connects, if not from a private network."
TrustedProxies = Annotated[list[str] | None, typer.Option(metavar="NETWORK", help=TRUSTED)]
SOCKET_HEADER = "The proxy's header that names the player's connection to it."
SocketHeader = Annotated[str | None, typer.Option(help=SOCKET_HEADER)]
RTT_HEADER = "The proxy's header with the player's round trip at the start, in µs."
RttHeader = Annotated[str | None, typer.Option(help=RTT_HEADER)]

BASE_PATH = "Players reach the server below this path of its host: /ratscrew."
BasePath = Annotated[str, typer.Option(metavar="PATH", help=BASE_PATH)]
Durable = Annotated[
    Durability, typer.Option(help="What a game survives: the end of the process only, or a power failure too.")
]
Hosts = Annotated[
    list[str] | None, typer.Option(help="Another host name of this server, as in the address that players open.")
]

_SOURCES = ("COMMANDLINE", "ENVIRONMENT", "DEFAULT_MAP")
"""Where Typer says that a value comes from, the first that counts first."""


def games_location(context: typer.Context) -> Location:
    """Where a command's games are: by a flag, else the environment, else the configuration, else the default.

    In the environment and in a file, `log` counts before `data`, which a container's image may set.

    Raises: RatscrewError if flags name both a file and a database, or if there is no home folder for the default.
    """
    given: dict[str, list[Location]] = {}
    for name in ("log", "data"):
        if (value := context.params.get(name)) is not None and (source := context.get_parameter_source(name)):
            given.setdefault(source.name, []).append(value)
    if len(given.get("COMMANDLINE", ())) > 1:
        raise RatscrewError("--data names a file and --log a database: leave one of them away")
    return next((given[source][0] for source in _SOURCES if source in given), None) or default_file()
