"""`ratscrew census`: how many windows of cards match each slap pattern of a house, as a table or JSON."""

from __future__ import annotations

import json as text_of

from rich.console import Console
from rich.table import Table

from ratscrew.cli.games.rules import find
from ratscrew.cli.terminal import echo
from ratscrew.rules.slap_census import census as census_of
from ratscrew.rules.words import written


def census(what: str, json: bool = False) -> None:
    """Print how many ordered windows of different cards of one pack match each pattern of a house, and of how many.

    Raises: RulesError with every problem of the house.
    """
    rules = find(what)
    counts = census_of(rules)
    if json:
        echo(text_of.dumps({"patterns": counts}))
        return
    table = Table("slap", "choices", box=None, padding=(0, 3, 0, 0))
    for heading in ("windows", "of", "one in"):
        table.add_column(heading, justify="right")
    for bound in rules.patterns:
        match, of = counts[bound.pattern.name]
        choices = ", ".join(f"{name} = {written(bound.given[name])}" for name in bound.pattern.choices)
        table.add_row(bound.pattern.name, choices, f"{match:,}", f"{of:,}", f"{of / match:,.1f}" if match else "")
    Console(highlight=False).print(table)
