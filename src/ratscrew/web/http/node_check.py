"""A node's check of its own public address: it must lead to this very process, or to a worker beside it."""

from __future__ import annotations

import secrets
from collections.abc import Collection

import aiohttp

from ratscrew.cluster.records import NodeIdentity
from ratscrew.errors import ClusterError
from ratscrew.web.http.node_tokens import NodeTokens

PATH = "/api/node"
WITHIN_S = 5.0
QUESTION_MOST = 64


class NodeCheck:
    """Asks this node's public address which process answers there."""

    def __init__(self, tokens: NodeTokens, me: NodeIdentity, group: Collection[str] = ()) -> None:
        """`group` are the names of the workers that share this node's address and `instance`."""
        self._tokens, self._me, self._names = tokens, me, {me.name, *group}

    def answer(self, question: str) -> str:
        """The answer to the question of a node."""
        return self._tokens.sign_check(question[:QUESTION_MOST])

    async def check(self) -> None:
        """Check the public address of this node.

        Raises: ClusterError that says where it leads.
        """
        url, question = self._me.url, secrets.token_hex(16)
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=WITHIN_S)) as session,
                session.get(f"{url}{PATH}", params={"question": question}) as response,
            ):
                answer = (await response.content.read(1000)).decode(errors="replace")
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise ClusterError(
                f"--public-url {url} cannot be reached from here: {error or type(error).__name__}: players are sent "
                "there, so it must lead to this node"
            ) from error
        found = self._tokens.read_check(question, answer)
        if found is None:
            raise ClusterError(f"--public-url {url} leads to something else than a node of this cluster")
        if found[0] not in self._names or found[1] != self._me.instance:
            raise ClusterError(f"--public-url {url} leads to node {found[0]}: give each node an address of its own")
