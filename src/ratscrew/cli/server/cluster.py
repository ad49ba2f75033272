"""`ratscrew nodes` and `ratscrew drain`: the nodes of a cluster, as its directory knows them."""

from __future__ import annotations

from ratscrew.cli.storage import postgres
from ratscrew.cli.terminal import echo
from ratscrew.cluster.records import NodeStatus
from ratscrew.errors import ClusterError
from ratscrew.game.codec import Codec
from ratscrew.log.postgres.address import PostgresAddress


def print_nodes(address: PostgresAddress, json: bool) -> None:
    """Print every node that is alive or was within the last day, one per line.

    Raises: LogError if PostgreSQL cannot be reached.
    """
    with postgres.open_directory(address) as directory:
        found = directory.nodes()
    for node in found:
        echo(_as_json(node) if json else _as_text(node))
    if not found and not json:
        echo("no node has registered yet: start one by `ratscrew serve --node NAME --public-url URL --log URL`")


def drain(address: PostgresAddress, name: str) -> None:
    """Have a node give its rooms to the others.

    Raises: ClusterError if there is no such node; LogError if PostgreSQL cannot be reached.
    """
    with postgres.open_directory(address) as directory:
        if not directory.set_draining(name):
            names = ", ".join(node.name for node in directory.nodes()) or "none"
            raise ClusterError(f"there is no node {name}; registered are: {names}")
    echo(f"node {name} drains: `ratscrew nodes` shows how many rooms it still has")


def _as_json(node: NodeStatus) -> str:
    left_s = round(node.left_s, 3) if node.alive else None
    return Codec[dict[str, object]](dict).encode({**node._asdict(), "left_s": left_s, "alive": node.alive}).decode()


def _as_text(node: NodeStatus) -> str:
    state = "away" if not node.alive else "drains" if node.draining else "alive"
    lease = f", lease {node.left_s:.1f} s" if node.alive else ""
    return f"{node.name}  {node.url}  {state}, {node.rooms} rooms, load {node.load:.0%}{lease}, {node.version}"
