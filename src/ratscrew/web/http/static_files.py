"""Static files and their headers: the built client, in memory and compressed. Does not depend on the game.

The build stores a brotli copy beside each text file (`name.br`); gzip copies are made here at the start.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from ratscrew.web.http.cluster_peers import ClusterPeers
from ratscrew.web.http.discord import DiscordApplication

PAGE = Path(__file__).parents[1] / "page"
"""Where the build puts the client."""

_NO_FRAMES = "frame-ancestors 'none'"

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        _NO_FRAMES,
        "require-trusted-types-for 'script'",
        "trusted-types svelte-trusted-html ratscrew-worker",
    )
)

HEADERS = {
    "Content-Security-Policy": CSP,
    "Cross-Origin-Opener-Policy": "same-origin",  # with the next one: high-resolution timers for the page
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Robots-Tag": "noindex",
}

INDEXED = frozenset({"/", "/rules", "/learn", "/practice"})
"""The pages that search engines may list. All others may have people's names on them, or the code of their table."""

PART_HEADERS = {"X-Content-Type-Options": HEADERS["X-Content-Type-Options"]}
"""Headers of scripts, styles, fonts and the icon, which are the same for everybody: the others are for documents and
data. A first load has 12 responses."""

DATA_HEADERS = {
    **PART_HEADERS,
    "Cross-Origin-Resource-Policy": HEADERS["Cross-Origin-Resource-Policy"],
    "Content-Security-Policy": f"default-src 'none'; {_NO_FRAMES}",
    "X-Robots-Tag": HEADERS["X-Robots-Tag"],
}
"""Headers of the API's answers: one that is opened as a document may do nothing."""

_TYPES = {
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_ALREADY_COMPRESSED = {".woff2", ".png", ".ico"}
_IMMUTABLE = "max-age=31536000, immutable"
_BROTLI = ".br"
_ICON = "/icon.svg"

HEADER_MOST = 200
"""The longest part of a list header that is parsed, in characters; browsers send far fewer."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of the client, plain and compressed."""

    kind: str
    plain: bytes
    compressed: dict[str, bytes]
    etag: str
    immutable: bool

    @classmethod
    def read(cls, path: Path, immutable: bool) -> File:
        """Read a file; `immutable` if its name changes with its contents."""
        plain = path.read_bytes()
        kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        brotli = path.with_name(path.name + _BROTLI)
        compressed = {"br": brotli.read_bytes()} if brotli.is_file() else {}
        if path.suffix not in _ALREADY_COMPRESSED:
            compressed["gzip"] = gzip.compress(plain, 9)
        return cls(kind, plain, compressed, _etag(plain), immutable)

    @classmethod
    def of_json(cls, plain: bytes) -> File:
        """JSON that stays the same while the server runs, compressed once."""
        return cls("application/json", plain, {"gzip": gzip.compress(plain, 9)}, _etag(plain), False)

    def with_tags(self, tags: str) -> File:
        """This page with more in its head."""
        return self._changed(self.plain.replace(b"</head>", tags.encode() + b"</head>", 1))

    def below(self, base_path: str) -> File:
        """This page with its parts below a path, which its scripts read in its first tag."""
        base = base_path.encode()
        plain = re.sub(rb'( (?:href|src)=")/', rb"\g<1>" + base + b"/", self.plain)
        return self._changed(plain.replace(b"<html ", b'<html data-base="' + base + b'" ', 1))

    def _changed(self, plain: bytes) -> File:
        return File(self.kind, plain, {"gzip": gzip.compress(plain, 9)}, _etag(plain), False)

    def response(self, request: web.Request) -> web.Response:
        """The response with the file, compressed if the browser accepts that, or 304 if the browser has it.

        Range requests get the whole file, as RFC 9110 allows.
        """
        headers = {"Vary": "Accept-Encoding"}
        headers |= {"Cache-Control": _IMMUTABLE} if self.immutable else {"Cache-Control": "no-cache", "ETag": self.etag}
        held = request.headers.get("If-None-Match", "")[:HEADER_MOST].split(",")
        if self.etag in (tag.strip().removeprefix("W/") for tag in held):  # a proxy that compresses makes an ETag weak
            return web.Response(status=304, headers=headers)
        accepted = request.headers.get("Accept-Encoding", "")
        for encoding, body in self.compressed.items():
            if accepts_encoding(encoding, accepted):
                headers["Content-Encoding"] = encoding
                return web.Response(body=body, content_type=self.kind, headers=headers)
        return web.Response(body=self.plain, content_type=self.kind, headers=headers)


class StaticFiles:
    """The built client by path. It is one page, in variants for the start and for a table that preload their parts."""

    def __init__(self, folder: Path = PAGE, base_path: str = "") -> None:
        """`base_path` is the path below which the server is reached; see `base_path.py`."""
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name[0] != ".")
        self._files = {
            path.relative_to(folder).as_posix(): File.read(path, path.parent.name == "assets")
            for path in paths
            if path.suffix != _BROTLI
        }
        if base_path:
            for name, file in self._files.items():
                if name.endswith(".html"):
                    self._files[name] = file.below(base_path)

    @property
    def built(self) -> bool:
        """Whether the client was built."""
        return "index.html" in self._files

    async def index(self, request: web.Request) -> web.Response:
        """The page for all paths but the start and tables."""
        return self.page("index", request)

    async def start(self, request: web.Request) -> web.Response:
        """The page for the start."""
        return self.page("start", request)

    async def file(self, request: web.Request) -> web.Response:
        """A file by its path; people who open another address get the page, which tells them that nothing is there."""
        path = request.match_info["path"]
        if path.endswith("/"):
            raise web.HTTPPermanentRedirect(_without_slash(request))
        if path not in self._files and self.built and accepts_pages(request):
            response = self.page("index", request)
            response.set_status(404)
            response.headers["Cache-Control"] = "no-store"
            response.headers["Vary"] += ", Accept"
            del response.headers["ETag"]
            return response
        return self._response(path, request)

    def page(self, name: str, request: web.Request, tags: str = "") -> web.Response:
        """A page in the browser's first supported language; that variant preloads the catalogue of texts.

        `tags` are added to its head.
        """
        accepted = request.headers.get("Accept-Language", "")[:HEADER_MOST].lower().split(",")  # best first
        named = (f"{name}.{language.strip()[:2]}.html" for language in accepted)
        path = next((path for path in named if path in self._files), f"{name}.html")
        file = self._files.get(path) if tags else None
        response = file.with_tags(tags).response(request) if file else self._response(path, request)
        response.headers["Vary"] = "Accept-Encoding, Accept-Language"
        return response

    def _response(self, path: str, request: web.Request) -> web.Response:
        if (file := self._files.get(path)) is None:
            raise web.HTTPNotFound
        return file.response(request)


def headers_of(path: str, status: int) -> Mapping[str, str]:
    """The security headers of a response: those of a document, of data, or of a part of a page."""
    if path.startswith("/api/"):
        return DATA_HEADERS
    return PART_HEADERS if (path.startswith("/assets/") or path == _ICON) and status < 400 else HEADERS


async def add_headers(
    peers: ClusterPeers | None, discord: DiscordApplication | None, request: web.Request, response: web.StreamResponse
) -> None:
    """Add the security headers to every response; parts of a page, and data, get only those that apply to them.

    Pages may also connect to the `peers`, the nodes of a cluster, and be shown in a frame of `discord`.
    """
    response.headers.popall("Server", None)  # what answers, and in which version, helps nobody
    response.headers.update(headers := headers_of(request.path, response.status))
    if headers is not HEADERS:
        return
    if request.path in INDEXED and response.status < 400:
        del response.headers["X-Robots-Tag"]
    if peers:
        policy = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = policy.replace("connect-src 'self'", peers.connect_src)
    if discord:
        policy = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = policy.replace(_NO_FRAMES, discord.frame_ancestors)


def _without_slash(request: web.Request) -> str:
    """The address of a request without the slash at its end. It begins with one slash, so it stays on this server."""
    query = request.rel_url.raw_query_string
    return f"/{request.rel_url.raw_path.strip('/')}" + (f"?{query}" if query else "")


def _etag(plain: bytes) -> str:
    """An ETag, which is a hash of the contents."""
    return f'"{hashlib.sha256(plain).hexdigest()[:12]}"'


def accepts_pages(request: web.Request) -> bool:
    """Whether a request is a browser's for a page, and not for a part of one."""
    return "text/html" in request.headers.get("Accept", "")[:HEADER_MOST]


def accepts_encoding(encoding: str, accepted: str) -> bool:
    """Whether an `Accept-Encoding` header allows an encoding; `q=0` does not."""
    for part in accepted[:HEADER_MOST].lower().split(","):
        name, *choices = (word.strip() for word in part.split(";"))
        if name == encoding:
            return not any(choice.removeprefix("q=").strip("0.") == "" for choice in choices if choice.startswith("q="))
    return False
