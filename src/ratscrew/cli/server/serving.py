"""Starts and stops the server. Each error says what to do about it."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import re
import secrets
import signal
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, suppress
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from ratscrew import __version__
from ratscrew.cli.server.worker_processes import WorkerProcess
from ratscrew.cli.storage import postgres
from ratscrew.cli.storage.location import Location, open_for_writing, resolve
from ratscrew.cli.terminal import echo
from ratscrew.cluster.records import NodeIdentity
from ratscrew.errors import ClusterError, RatscrewError, RulesError
from ratscrew.game import notation
from ratscrew.game.events import Dealt
from ratscrew.log.database import Durability
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.log.protocol import EventLog
from ratscrew.protocol.metrics_sink import NullMetrics, measure_loop_lag
from ratscrew.rules.house import Rules
from ratscrew.rules.link import from_link, to_link
from ratscrew.table.arenas.arena import check_house
from ratscrew.table.record.clock import SystemClock
from ratscrew.table.record.entries import Entry
from ratscrew.table.state.dealer import Laid
from ratscrew.web.access.community import CommunityOptions
from ratscrew.web.access.name_screen import NameScreen, read_words
from ratscrew.web.api.rule_sets import warm
from ratscrew.web.app import QUEUES, REGISTRY, SUPERVISOR, Application, make_app
from ratscrew.web.edge.gc_policy import collect_when_idle
from ratscrew.web.edge.open_files import raise_file_limit
from ratscrew.web.http.addresses import host_name
from ratscrew.web.http.base_path import parse_base_path
from ratscrew.web.http.discord import DiscordApplication
from ratscrew.web.http.proxy_policy import OWN_NETWORKS, ProxyPolicy
from ratscrew.web.http.static_files import StaticFiles
from ratscrew.web.metrics import Metrics
from ratscrew.web.server_runner import is_loopback, lan_address, listening

if TYPE_CHECKING:
    from ratscrew.web.cluster.cluster import Cluster

_logger = logging.getLogger(__name__)
_ADVICE = "name another file with --data, or wait until it ends with --takeover SECONDS"


class MetricsEndpoint(NamedTuple):
    """The address of a server's metrics, and the metrics."""

    host: str
    port: int
    metrics: Metrics


class ServeOptions(NamedTuple):
    """The options of a server.

    `takeover_s` is how long to wait for another server that uses the log. With `metrics`, metrics are served there.
    For trials, tables run `speed` times as fast as real time, and each game with as many seats as the game in the text
    file `deal` gets the deal of that game. With a `node` this is one of the servers that share a PostgreSQL; with a
    `worker`, one of the processes that share a port. `names`: `on`, `off`, or a file of words that no name may have.
    """

    host: str
    port: int
    data: Location
    browser: bool
    durability: Durability = "full"
    proxy_policy: ProxyPolicy = ProxyPolicy()
    speed: float = 1.0
    deal: Path | None = None
    takeover_s: float = 0
    metrics: MetricsEndpoint | None = None
    node: NodeIdentity | None = None
    worker: WorkerProcess | None = None
    community: CommunityOptions | None = CommunityOptions()
    names: str = "on"


def serve(options: ServeOptions) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises: RatscrewError that says what to do, if the server cannot start.
    """
    pages = StaticFiles(base_path=options.proxy_policy.base_path)
    if not pages.built:
        raise RatscrewError("the browser client is not built: run `make install`, or install Ratscrew again with pip")
    where = resolve(options.data)
    deal = read_deal(options.deal) if options.deal else None
    if options.takeover_s:
        echo(f"Waiting at most {options.takeover_s:g} s until {where} is free.")
    with ExitStack() as stack:
        cluster = None
        if options.node:
            assert isinstance(where, PostgresAddress)
            group = options.worker.group if options.worker else None
            cluster = stack.enter_context(postgres.open_shared(where, options.node, options.takeover_s, group))
        log = cluster.log if cluster else stack.enter_context(_open_alone(options, where))
        metrics = options.metrics.metrics if options.metrics else None
        raise_file_limit()
        policy = dataclasses.replace(options.proxy_policy, network=not is_loopback(options.host))
        if options.node:
            policy = dataclasses.replace(policy, hosts=policy.hosts | {host_name(urlsplit(options.node.url).netloc)})
        app = make_app(
            log,
            SystemClock(options.speed),
            pages,
            deal,
            policy,
            metrics=metrics,
            cluster=cluster,
            community=options.community,
            names=name_screen(options.names),
        )
        warm()
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(options, app, where, cluster))


def proxy_policy(
    proxy: bool,
    rtt_header: str | None,
    proxies: int = 1,
    hosts: Sequence[str] = (),
    discord: str | None = None,
    socket_header: str | None = None,
    trusted: Sequence[str] = (),
    base_path: str = "",
) -> ProxyPolicy:
    """The proxy policy for these options.

    Raises: RatscrewError for a header or a number of proxies without a proxy, since any client could send such headers;
    for a host that is not just a name; for a network, a path or the number of a Discord application that is none.
    """
    for option, header in (("--rtt-header", rtt_header), ("--socket-header", socket_header)):
        if header and not proxy:
            raise RatscrewError(f"{option} needs a proxy that writes the header: add --proxy")
    if trusted and not proxy:
        raise RatscrewError("--trusted-proxies says from where proxies connect: add --proxy")
    networks = []
    for text in trusted:
        try:
            networks.append(ip_network(text.strip()))
        except ValueError as error:
            raise RatscrewError(
                f"--trusted-proxies {text}: this is no network such as 192.0.2.0/24, nor an address ({error})"
            ) from error
    if proxies > 1 and not proxy:
        raise RatscrewError("--proxies is the number of proxies in front of the server: add --proxy")
    names = set()
    for host in hosts:
        try:
            name = host.strip().rstrip(".").encode("idna").decode().lower()
        except UnicodeError:
            name = ""
        if not re.fullmatch(r"[a-z0-9]([a-z0-9_.-]*[a-z0-9])?", name):
            raise RatscrewError(f"--hosts {host}: this is not a host name such as cards.example.org")
        names.add(name)
    application = DiscordApplication(discord) if discord else None
    return ProxyPolicy(
        proxy,
        rtt_header,
        frozenset(names),
        proxies,
        discord=application,
        trusted=tuple(networks) or OWN_NETWORKS,
        socket_header=socket_header,
        base_path=parse_base_path(base_path),
    )


def community_options(on: bool, rated: Sequence[str], hourly: str | None = None) -> CommunityOptions | None:
    """What an operator chooses for the community; None if it is off.

    Raises: RatscrewError for rules that are none, or that no arena can have.
    """
    if hourly and not on:
        raise RatscrewError("--hourly-arena needs the community: leave --community off away")
    try:
        houses = tuple(to_link(from_link(text)) for text in rated)
    except RulesError as error:
        raise RatscrewError(f"--rated {' '.join(rated)}: {error}") from error
    try:
        if hourly:
            check_house(hourly)
    except RulesError as error:
        raise RatscrewError(f"--hourly-arena {hourly}: {error}") from error
    return CommunityOptions(houses, hourly) if on else None


def name_screen(names: str) -> NameScreen | None:
    """What screens names, for the option `--names`.

    Raises: ConfigError if its file cannot be read.
    """
    if names == "off":
        return None
    return NameScreen([] if names == "on" else read_words(Path(names)))


def read_deal(file: Path) -> Laid:
    """The deal of a game in a text file, for games with as many players; other games are shuffled.

    Raises: RatscrewError if the file cannot be read; NotationError that names the wrong line.
    """
    try:
        first = notation.read_game(file.read_text(encoding="utf-8-sig")).events[0]
    except (OSError, UnicodeDecodeError) as error:
        raise RatscrewError(f"{file} cannot be read: {error}") from error

    def laid(rules: Rules, seats: int) -> Dealt | None:
        return replace(first, rules=rules) if isinstance(first, Dealt) and len(first.hands) == seats else None

    return laid


def node_identity(name: str | None, url: str | None, log: object) -> NodeIdentity | None:
    """The node of a cluster for these options; None for a server that is alone.

    Raises: RatscrewError that says which option is missing or wrong.
    """
    if name is None and url is None:
        return None
    if name is None or url is None or not isinstance(log, PostgresAddress):
        raise RatscrewError("a node of a cluster needs --node NAME, --public-url URL and --log postgresql://…")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", name):
        raise RatscrewError(f"--node {name}: a name has 1 to 40 letters, digits, - or _")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise RatscrewError(f"--public-url {url}: it looks like https://node-1.cards.example.org")
    return NodeIdentity(name, url.rstrip("/"), secrets.token_hex(8), __version__)


def _open_alone(options: ServeOptions, where: Location) -> AbstractContextManager[EventLog[Entry]]:
    return open_for_writing(where, options.takeover_s, _ADVICE, options.durability)


async def _serve(options: ServeOptions, app: Application, where: Location, cluster: Cluster | None) -> None:
    endpoint, metrics = options.metrics, options.metrics.metrics if options.metrics else NullMetrics()
    quiet_for = app[REGISTRY].quiet_for
    worker, stop = options.worker, _stop_event()
    out = Console(highlight=False, soft_wrap=True, quiet=worker is not None)
    async with AsyncExitStack() as stack:
        sockets = worker.listeners if worker else ()
        address = await stack.enter_async_context(listening(app, options.host, options.port, sockets=sockets))
        if cluster:
            await cluster.announce()
        _logger.info("the server listens", extra={"address": address, "version": __version__})
        out.print(Text("Ratscrew is at ").append(address, "bold"))
        if others := lan_address(options.host, address):
            out.print(Text("On your network: ").append(others, "bold"))
        if endpoint:
            endpoint.metrics.register_gauges(app[REGISTRY], app[QUEUES])
            if cluster:
                endpoint.metrics.register_node(cluster.figures)
            figures = listening(endpoint.metrics.application(), endpoint.host, endpoint.port, "--metrics")
            out.print(Text(f"Metrics: {await stack.enter_async_context(figures)}metrics", "dim"))
        out.print(Text(f"Games are saved in {where}. Stop with Ctrl-C; they continue at the next start.", "dim"))
        if options.browser:
            _browse(address)
        if worker:
            worker.start(stop)
        supervisor = app[SUPERVISOR]
        works = [supervisor.run("collector", partial(collect_when_idle, quiet_for, metrics.gc_pause))]
        if endpoint:
            works.append(supervisor.run("lateness", partial(measure_loop_lag, metrics.loop_lag)))
        async with supervisor.running(*works):
            await _wait(stop, cluster)
        _logger.info("the server stops", extra={"rooms": len(app[REGISTRY])})
        out.print("Stopping.")
        if cluster:
            await cluster.drain()
    if cluster and cluster.replaced.is_set():
        raise ClusterError(f"another process has registered as node {cluster.node.identity.name}: this one has ended")


async def _wait(stop: asyncio.Event, cluster: Cluster | None) -> None:
    """Wait until the server has to end, or is replaced as a node."""
    events = [stop, *([cluster.replaced] if cluster else [])]
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


def _stop_event() -> asyncio.Event:
    """An event that SIGINT (Ctrl-C) or SIGTERM sets."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # a platform without signals stops at KeyboardInterrupt
            loop.add_signal_handler(number, stop.set)
    return stop


def _browse(address: str) -> None:
    """Open the page in a browser if there is a desktop."""
    desktop = sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if desktop:
        with suppress(webbrowser.Error):
            webbrowser.open(address)


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
