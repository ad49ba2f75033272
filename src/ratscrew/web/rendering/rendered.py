"""HTTP responses that a worker process renders (`web/rendering/worker.py`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from functools import partial

from aiohttp import web

from ratscrew.web.edge.piecewise_bodies import UnpackedBody
from ratscrew.web.http.proxy_policy import ProxyPolicy
from ratscrew.web.http.static_files import accepts_encoding
from ratscrew.web.rendering.rendering import Rendered
from ratscrew.web.rendering.worker import Argument, Execute, Worker


class Renderer:
    """Renders responses in the worker, on account of the client's address."""

    def __init__(self, worker: Worker, proxy_policy: ProxyPolicy) -> None:
        self._worker, self._proxy_policy = worker, proxy_policy

    async def respond(self, request: web.Request, render: Callable[..., Rendered], *args: Argument) -> web.Response:
        """The response that a function of `web/rendering/rendering.py` renders from these arguments, cached by them.

        Raises: the errors of `Worker.render`.
        """

        async def job(execute: Execute) -> Rendered:
            return await execute(render, *args)

        return await self.respond_with(request, (render.__name__, *args), job, "application/json", "no-cache")

    async def respond_with(
        self,
        request: web.Request,
        key: Hashable,
        job: Callable[[Execute], Awaitable[Rendered]],
        kind: str,
        cache: str,
    ) -> web.Response:
        """The response that a job renders; `kind` is the content type of a success, `cache` its `Cache-Control`.

        Raises: the errors of `Worker.render`.
        """
        return self.response(request, await self.render(request, key, job), kind, cache)

    def response(self, request: web.Request, rendered: Rendered, kind: str, cache: str = "no-store") -> web.Response:
        """The response with a rendered body. It is unpacked while a client without gzip reads it."""
        good = rendered.status < 400
        headers = {"Vary": "Accept-Encoding, Accept-Language", "Cache-Control": cache if good else "no-store"}
        if packed := accepts_encoding("gzip", request.headers.get("Accept-Encoding", "")):
            headers["Content-Encoding"] = "gzip"
        return web.Response(
            status=rendered.status,
            body=rendered.packed if packed else UnpackedBody(rendered.packed),
            headers=headers,
            content_type=kind if good else "application/json",
            charset="utf-8" if good and kind == "text/plain" else None,
        )

    async def render(
        self, request: web.Request, key: Hashable, job: Callable[[Execute], Awaitable[Rendered]]
    ) -> Rendered:
        """What a job renders for a request, or the cached result of this key.

        Raises: the errors of `Worker.render`.
        """
        gone = partial(_is_gone, request)
        return await self._worker.render(self._proxy_policy.address(request), gone, key, job)

    def clear_cache(self, concerns: Callable[[Hashable], bool] = lambda _: True) -> None:
        """Drop the cached responses whose keys this `concerns`."""
        self._worker.clear_cache(concerns)


def _is_gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
