"""Settings: flags, environment variables, a TOML file, defaults, in this order of precedence.

The options of `ratscrew serve` are the only declaration: `--rtt-header`, `RATSCREW_RTT_HEADER` and `rtt-header = ...`
set the same one. Typer merges them (`auto_envvar_prefix`, `default_map`). This module checks the file and the
environment, so that the server reports every problem at once, and warns about variables that it ignores. Other commands
take what they share with `serve` from the same file and the same variables.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ratscrew.errors import ConfigError

PREFIX = "RATSCREW"
"""The prefix of the environment variables, before an underscore."""

OTHER_VARIABLES = frozenset(
    f"{PREFIX}_{name}"
    for name in ("CHROMIUM", "ENGINE", "FIREFOX", "HYPOTHESIS", "NODE", "POSTGRES", "SERVER", "SKIP_CLIENT", "WEBKIT")
)
"""Variables of the build and of the tests, which may be set where a server runs."""

_SECRET = ("log",)
"""Settings whose text may have a password in it."""

_META = ("config", "show_config")
"""Options about the configuration itself, which a file cannot set."""

_LINK_NAME = re.compile(r"_SERVICE_(HOST|PORT(_.+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$")
_LINK_URL = re.compile(r"(tcp|udp|sctp)://")
_STOP_LINKS = "`enableServiceLinks: false` in the pod's spec turns these variables off"


class _Setting(NamedTuple):
    """One value from the file or the environment, and where it comes from, in words."""

    key: str
    value: object
    source: str


def load_config(context: typer.Context, file: Path | None) -> Path | None:
    """Callback of `--config`, which runs before all other options: take defaults from a file, check the environment.

    Raises: ConfigError with every problem of the file and, for `serve`, of the environment.
    """
    serve = _serve_context(context)
    options = {to_key(name): name for name in option_names(serve)}
    values, problems = _read_file(file) if file else ({}, [])
    settings = [_Setting(key, value, f"in {file}") for key, value in values.items()]
    if serve is context:
        settings += _read_environment(context, options)
    problems += [problem for setting in settings for problem in _problems(serve, options, setting)]
    if problems:
        raise ConfigError(problems)
    context.default_map = {options[key]: value for key, value in values.items()}
    return file


def _serve_context(context: typer.Context) -> typer.Context:
    """The context of `serve`, whose options are the settings: this one, or another for a command that shares some."""
    root = context.find_root().command
    serve = getattr(root, "commands", {}).get("serve", context.command)
    return context if serve is context.command else typer.Context(serve)


def format_settings(context: typer.Context) -> Iterator[str]:
    """The settings in effect as lines of a TOML file, each with a comment that names its source."""
    sources = {
        "COMMANDLINE": "flag --{key}",
        "ENVIRONMENT": "environment {variable}",
        "DEFAULT_MAP": "file {file}",
        "DEFAULT": "default",
    }
    for name in option_names(context):
        key, value, source = to_key(name), context.params[name], context.get_parameter_source(name)
        comment = sources[source.name if source else "DEFAULT"].format(
            key=key, variable=f"{PREFIX}_{name.upper()}", file=context.params.get("config")
        )
        setting = f"# {key} is not set" if value is None else f"{key} = {_to_toml(value)}"
        yield f"{setting:40}  # {comment}"


def option_names(context: typer.Context) -> list[str]:
    """The options that the environment and a file can set, by their Python names."""
    return [param.name for param in context.command.params if param.name and param.name not in _META]


def to_key(name: str) -> str:
    """The key of an option in a file: its flag without the leading dashes."""
    return name.replace("_", "-")


def _read_file(file: Path) -> tuple[dict[str, Any], list[str]]:
    """The values of a file, or why it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig")), []
    except OSError as error:
        return {}, [f"{file} cannot be read: {error.strerror}"]
    except UnicodeDecodeError:
        return {}, [f"{file} is not in UTF-8: save it in that encoding"]
    except ValueError as error:
        return {}, [f"{file} is not valid TOML: {error}"]
    except RecursionError:
        return {}, [f"{file} is nested too deeply for a configuration"]


def _read_environment(context: typer.Context, options: Mapping[str, str]) -> Iterator[_Setting]:
    """The settings in the environment. Variables that set nothing are ignored with a warning on standard error."""
    lists = {param.name for param in context.command.params if param.multiple}
    own = {f"{PREFIX}_{name.upper()}": name for name in options.values()}
    known = OTHER_VARIABLES | {f"{PREFIX}_{name.upper()}" for name in _META}
    links = []
    for variable, text in sorted(os.environ.items()):
        if not text or not variable.startswith(f"{PREFIX}_") or variable in known:
            continue
        if variable == f"{PREFIX}_PORT" and _LINK_URL.match(text):
            del os.environ[variable]  # else Typer takes it for the port
            _warn(f"{variable}={text} is ignored: Kubernetes sets it for a service of this name; {_STOP_LINKS}")
        elif name := own.get(variable):
            yield _Setting(to_key(name), text.split() if name in lists else text, f"in the environment ({variable})")
        elif _LINK_NAME.search(variable) or _LINK_URL.match(text):
            links.append(variable)
        else:
            near = get_close_matches(variable, own, 1, cutoff=0.8)
            _warn(f"{variable} is ignored: there is no such setting" + (f"; did you mean {near[0]}?" if near else ""))
    if links:
        _warn(f"{', '.join(links)} are ignored: Kubernetes sets them for a service of this name; {_STOP_LINKS}")


def _warn(text: str) -> None:
    typer.echo(f"ratscrew: {text}", err=True)


def _problems(context: typer.Context, options: Mapping[str, str], setting: _Setting) -> Iterator[str]:
    """What is wrong with one setting: an unknown key, or a value that its option does not take."""
    key, value, source = setting
    if key not in options:
        near = get_close_matches(key, options, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(options)}"
        yield f"{key} {source}: there is no such setting; {hint}"
        return
    (param,) = (param for param in context.command.params if param.name == options[key])
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
        shown = "…" if key in _SECRET else repr(value)
        yield f"{key} = {shown} {source}: {error.message.removeprefix('Value error, ').rstrip('.')}"


def _to_toml(value: object) -> str:
    if isinstance(value, list | tuple):
        return json.dumps([str(each) for each in value], ensure_ascii=False)
    return json.dumps(value if isinstance(value, bool | int | float) else str(value), ensure_ascii=False)
