"""What the server is told by flags, the environment and a file: the flags of a command are the only declaration.

`--rtt-header`, `RATSCREW_RTT_HEADER` and `rtt-header = ...` are one word. A flag goes before the environment, that
before the file, that before what holds unless somebody says otherwise.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from ratscrew.errors import ConfigError

PREFIX = "RATSCREW"
"""What every word in the environment begins with."""

OF_OTHERS = frozenset(f"{PREFIX}_{word}" for word in ("CHROMIUM", "HYPOTHESIS", "NODE", "SERVER", "SKIP_CLIENT"))
"""Words of the build and of the tests, which may stand in the environment of a server as well."""

_OWN = ("config", "show_config")
"""Flags about the configuration itself, which no file says."""


def read(context: typer.Context, file: Path | None) -> Path | None:
    """Let a file say what no flag and no environment does: the callback of `--config`, heard before all other flags.

    Raises: ConfigError with every problem of the file and of the environment.
    """
    words = {word_of(name): name for name in names(context)}
    values, problems = _values(file) if file else ({}, [])
    several = {param.name for param in context.command.params if param.multiple}
    said: list[tuple[str, object, str]] = [(word, value, f"in {file}") for word, value in values.items()]
    for variable, text in os.environ.items():
        word = variable.removeprefix(f"{PREFIX}_").lower().replace("_", "-")
        known = variable in OF_OTHERS or word_of(word) in map(word_of, _OWN)
        if text and variable.startswith(f"{PREFIX}_") and not known:
            if word in words:
                value = text.split() if words[word] in several else text
                said.append((word, value, f"in the environment ({variable})"))
            else:  # Kubernetes sets RATSCREW_SERVICE_HOST and others for a service of this name
                typer.echo(f"ratscrew: {variable} in the environment is no word of the server and is ignored", err=True)
    problems += [problem for word, value, where in said for problem in _problems(context, words, word, value, where)]
    if problems:
        raise ConfigError(problems)
    context.default_map = {words[word]: value for word, value in values.items()}
    return file


def lines(context: typer.Context) -> Iterator[str]:
    """What holds, as a file would say it, and where each word comes from."""
    sources = {
        "COMMANDLINE": "flag --{word}",
        "ENVIRONMENT": "environment {variable}",
        "DEFAULT_MAP": "file {file}",
        "DEFAULT": "default",
    }
    for name in names(context):
        word, value, source = word_of(name), context.params[name], context.get_parameter_source(name)
        where = sources[source.name if source else "DEFAULT"].format(
            word=word, variable=f"{PREFIX}_{name.upper()}", file=context.params.get("config")
        )
        said = f"# {word} is not set" if value is None else f"{word} = {_written(value)}"
        yield f"{said:40}  # {where}"


def names(context: typer.Context) -> list[str]:
    """The flags that environment and file may say, as Python names them."""
    return [param.name for param in context.command.params if param.name and param.name not in _OWN]


def word_of(name: str) -> str:
    """A flag without its dashes, as a file says it."""
    return name.replace("_", "-")


def _values(file: Path) -> tuple[dict[str, Any], list[str]]:
    """What a file says, or why it says nothing."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")), []
    except OSError as error:
        return {}, [f"{file} cannot be read: {error.strerror}"]
    except ValueError as error:
        return {}, [f"{file} is no TOML: {error}"]
    except RecursionError:
        return {}, [f"{file} is nested too deeply for a configuration"]


def _problems(context: typer.Context, words: Mapping[str, str], word: str, value: object, where: str) -> Iterator[str]:
    """What is wrong with one word: nobody knows it, or it cannot be that."""
    if word not in words:
        yield f"{word} {where}: there is no such word; there are {', '.join(words)}"
        return
    (param,) = (param for param in context.command.params if param.name == words[word])
    try:
        if param.multiple:
            if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
                raise typer.BadParameter("It must be a list of texts")
            return
        if not isinstance(value, str | int | float):
            raise typer.BadParameter("It must be a text, a number, true or false")
        if isinstance(value, bool) and param.default not in (True, False):
            raise typer.BadParameter("It must be a text or a number")
        param.process_value(context, value)
    except typer.BadParameter as error:
        yield f"{word} = {value!r} {where}: {error.message.rstrip('.')}"


def _written(value: object) -> str:
    if isinstance(value, list | tuple):
        return json.dumps([str(each) for each in value], ensure_ascii=False)
    return json.dumps(value if isinstance(value, bool | int | float) else str(value), ensure_ascii=False)
