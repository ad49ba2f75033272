"""`ratscrew rules`: prints a house in plain words, as JSON, or as the text of a link."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from ratscrew.cli.terminal import echo
from ratscrew.errors import RulesError
from ratscrew.rules.house import Rules
from ratscrew.rules.languages import LANGUAGES, Language
from ratscrew.rules.link import VERSION, from_file, from_link, to_link
from ratscrew.rules.presets import house
from ratscrew.rules.rule_sheet import differences, sheet

FILES = (".toml", ".json")
_SUITS = {"C": ("♣", "green"), "D": ("♦", "blue"), "H": ("♥", "red"), "S": ("♠", "bold")}


def show(what: str, against: str | None = None, json: bool = False, link: bool = False, lang: str = "en") -> None:
    """Print the rules of a house in plain words; with `against`, only the differences from another house.

    Raises: RulesError with every problem of the house, in that language, or for an unknown language.
    """
    if (language := LANGUAGES.get(lang)) is None:
        raise RulesError([f"there is no language {lang!r}; there are {', '.join(LANGUAGES)}"])
    try:
        rules, other = find(what), find(against) if against else None
    except RulesError as error:
        raise RulesError(list(map(language.says, error.problems))) from error
    changes = differences(rules, other, language) if other else ()
    if link:
        echo(to_link(rules))
    elif json:
        echo(msgspec.json.encode(_to_json(rules, changes if other else None, language)).decode())
    elif other:
        out = _console()
        said = language.words["sheet.but" if changes else "sheet.same"].title.replace("{}", against or "")
        out.print(Text(f"{said}{':' if changes else '.'}", "bold"))
        for change in changes:
            out.print(Text(f"  {change}"))
    else:
        _print_sheet(rules, language)


def find(what: str) -> Rules:
    """The house given by a preset's name, a file (`.toml`, `.json`) or the text of a link.

    Raises: RulesError with every problem of it.
    """
    if what.startswith(f"{VERSION};"):
        return from_link(what)
    if not what.endswith(FILES):
        return house(what)
    try:
        return from_file(Path(what).read_text(encoding="utf-8-sig"), what)
    except OSError as error:
        raise RulesError([f"{what}: {error.strerror}"]) from error
    except UnicodeDecodeError as error:
        raise RulesError([f"{what}: this is not a text file"]) from error


def drawn(cards: str) -> Text:
    """Cards with suit symbols, in colour: `5♠ 10♦ 5♥`; a joker by its name."""
    return Text(" ").join(_drawn(name) for name in cards.split())


def _drawn(name: str) -> Text:
    if name.startswith("JK"):
        return Text("red joker" if name == "JKR" else "black joker", "magenta")
    suit, style = _SUITS[name[1]]
    return Text(f"{name[0].replace('T', '10')}{suit}", style)


def _print_sheet(rules: Rules, language: Language) -> None:
    out, words = _console(), sheet(rules, language)
    out.print(Text(words.title, "bold"))
    for section in words.sections:
        out.print(Text(f"\n{section.title}", "bold yellow"))
        for line in section.lines:
            said = Text(f"  {line.text}")
            out.print(said.append("   ").append_text(drawn(line.cards)) if line.cards else said)


def _to_json(rules: Rules, changes: tuple[str, ...] | None, language: Language) -> dict[str, object]:
    told = {"rules": rules, "link": to_link(rules), "sheet": sheet(rules, language)}
    return told if changes is None else {**told, "differences": changes}


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)
