"""Options that many commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ratscrew.cli.location import parse_address
from ratscrew.log.postgres.address import PostgresAddress

Data = Annotated[Path | None, typer.Option(help="The file that stores the games, or a folder for it.")]
LOG = "The URL of a PostgreSQL database that stores the games, instead of a file."
Log = Annotated[PostgresAddress | None, typer.Option(metavar="URL", parser=parse_address, help=LOG)]
