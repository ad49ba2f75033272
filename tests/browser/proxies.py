"""nginx and Caddy in front of a server, with lines of a configuration. Tests are skipped where they are missing."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

import debian
from ratscrew.testing.ports import free_port
from tests.browser.server import Server

Proxy: TypeAlias = Callable[[Path, int, str], list[str]]
"""Writes a configuration into a folder, for a port and with these lines; the command that starts it."""

PASSED_ON = """
proxy_http_version 1.1;
proxy_set_header Host $http_host;
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection $connection_upgrade;
proxy_set_header X-Forwarded-For $remote_addr;
"""
"""What a proxy has to pass on."""


def nginx(folder: Path, port: int, lines: str) -> list[str]:
    """The command of an nginx with these lines in its server."""
    file = folder / "nginx.conf"
    paths = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file.write_text(f"""
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ }}
http {{
    access_log off; {paths}
    map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
    server {{ listen 127.0.0.1:{port}; {lines} }}
}}""")
    return ["nginx", "-p", str(folder), "-c", str(file)]


def caddy(folder: Path, port: int, lines: str) -> list[str]:
    """The command of a Caddy with these lines in its site."""
    file = folder / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n{lines}\n}}\n")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


@contextmanager
def behind(command: Proxy, lines: str, folder: Path, server: Server) -> Iterator[str]:
    """A proxy in front of a server, with lines that name it as in the documentation; its address."""
    port = free_port()
    name, *words = command(folder, port, lines.replace("127.0.0.1:8765", f"127.0.0.1:{server.port}"))
    if (program := debian.find(name)) is None:
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    with subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as proxy:
        try:
            end = time.monotonic() + 30
            while proxy.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert time.monotonic() < end
                    time.sleep(0.05)
            assert proxy.poll() is None, "the proxy has ended"
            yield f"http://127.0.0.1:{port}"
        finally:
            proxy.terminate()
