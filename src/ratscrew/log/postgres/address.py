"""The address of a log in PostgreSQL: a URL as libpq takes it. Its text has no user and no password. No I/O here."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, unquote, urlsplit

from ratscrew.errors import LogError

EXAMPLE = "postgresql://ratscrew@db.example.org/ratscrew"

_SCHEMES = ("postgresql", "postgres")
_BAD_ENCODING = re.compile(r"%(?![0-9a-fA-F]{2})|%00")
"""What libpq refuses with an error that quotes it."""

_HOST = re.compile(r"(\[[0-9a-fA-F:.%]+\]|[^:\[\]]*)(:\d*)?")


class PostgresAddress:
    """The URL of a database. `str` and `repr` give its hosts and its name only, for errors and log messages."""

    def __init__(self, url: str) -> None:
        """Check a URL such as EXAMPLE, without connecting.

        Raises: LogError if it is not the URL of a PostgreSQL database. The message does not contain the URL, which may
        have a password in it.
        """
        scheme, _, rest = url.partition("://")
        if scheme not in _SCHEMES or not rest:
            raise LogError(f"a log in PostgreSQL is named by a URL such as {EXAMPLE}; a file is named with --data")
        try:
            url.encode()
            parts = urlsplit(url)
            query = parse_qs(parts.query, keep_blank_values=True)
        except ValueError:
            raise _malformed() from None
        if not url.isprintable() or _BAD_ENCODING.search(url):
            raise _malformed()
        _, at, hosts = parts.netloc.rpartition("@")
        if rest.count("@") != len(at) or parts.fragment:
            raise _malformed()
        if not all(_HOST.fullmatch(host) for host in hosts.split(",")):
            raise _malformed()
        name = query.get("dbname", [unquote(parts.path.removeprefix("/"))])[-1]
        places = {key: query[key][-1] for key in ("host", "port") if key in query}
        self._url = url
        self._text = f"postgresql://{hosts}/{quote(name, safe='')}"
        if places:
            self._text += "?" + "&".join(f"{key}={quote(value, safe='/,')}" for key, value in places.items())

    @property
    def url(self) -> str:
        """The whole URL. It may have a password in it: only for the client library."""
        return self._url

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"PostgresAddress({self._text!r})"


def _malformed() -> LogError:
    return LogError(
        f"the URL of the PostgreSQL database is malformed: it has the form {EXAMPLE}, and in its user and password "
        "characters such as @ : / ? # are percent-encoded (%40 for @)"
    )
