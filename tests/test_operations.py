"""docs/operations.md and the deployment files in ops/ fit the server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
import yaml
from typer.main import get_command
from typer.testing import CliRunner

from ratscrew.cli import app
from ratscrew.cli.config import OTHER_VARIABLES, PREFIX, to_key
from ratscrew.cli.server.serving import node_identity
from ratscrew.cli.server.worker_processes import STOP_WITHIN_S
from ratscrew.log.memory import MemoryLog
from ratscrew.log.postgres.address import PostgresAddress
from ratscrew.protocol.metrics_sink import NodeFigures
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.room_registry import RoomRegistry
from ratscrew.testing.clock import ManualClock
from ratscrew.web.metrics import Metrics

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/operations.md").read_text()
SERVE = get_command(app).commands["serve"]  # type: ignore[attr-defined]
FLAGS = {to_key(param.name): param for param in SERVE.params}


def test_the_table_of_settings_is_complete() -> None:
    rows = []
    for word, param in FLAGS.items():
        if word not in ("config", "show-config"):
            default = "" if param.default is None else f"`{json.dumps(param.default)}`"
            rows.append(f"| `{word}` | `{PREFIX}_{param.name.upper()}` | {default} | {param.help} |")
    assert "\n".join(rows) in PAGE


def test_every_metric_is_on_the_page_and_exists() -> None:
    metrics = Metrics()
    metrics.register_gauges(RoomRegistry(MemoryLog[Entry](), ManualClock(1)), lambda: {"connections": 0, "log": 0})
    metrics.register_node(lambda: NodeFigures(*[0] * len(NodeFigures._fields)))
    there = {family.name + "_total" * (family.type == "counter") for family in metrics.registry.collect()}
    assert set(re.findall(r"^\| `(ratscrew_\w+)`", PAGE, re.MULTILINE)) == there


@pytest.mark.parametrize(
    "file",
    [
        "ratscrew.service",
        "ratscrew@.service",
        "Containerfile",
        "nginx.conf",
        "Caddyfile",
        "nginx-cluster.conf",
        "compose.yaml",
    ],
)
def test_a_deployment_file_uses_existing_settings_and_is_on_the_page(file: str) -> None:
    text = (ROOT / "ops" / file).read_text()
    said = set(re.findall(rf"{PREFIX}_[A-Z_]+", text)) - OTHER_VARIABLES
    assert said <= {f"{PREFIX}_{param.name.upper()}" for param in FLAGS.values()}
    assert f"(../ops/{file})" in PAGE


class Ready(BaseHTTPRequestHandler):
    """A server that is ready."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/api/ready" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "127.0.0.1", "127.0.0.2"])
def test_the_health_check_of_the_container_asks_the_server_itself(host: str) -> None:
    """Docker sets `http_proxy` in each container of a company, whose proxy does not know the container."""
    with HTTPServer(("0.0.0.0" if host == "::" else host, 0), Ready) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        settings = {"RATSCREW_HOST": host, "RATSCREW_PORT": str(server.server_port)}
        environment = {**os.environ, **settings, "http_proxy": "http://127.0.0.1:9/"}
        command = [sys.executable, str(ROOT / "ops/health.py")]
        assert subprocess.run(command, env=environment, timeout=60).returncode == 0
        server.shutdown()
    assert subprocess.run(command, env=environment, capture_output=True, timeout=60).returncode == 1


@pytest.mark.parametrize("file", ["ratscrew.service", "ratscrew@.service"])
def test_a_unit_is_valid_for_systemd_and_sandboxed(tmp_path: Path, file: str) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze here")
    unit = tmp_path / file.replace("@", "@a")
    text = (ROOT / "ops" / file).read_text()
    unit.write_text(text.replace("/opt/ratscrew/bin/ratscrew", "/bin/true"))
    asked = subprocess.run([analyze, "verify", unit], capture_output=True, text=True, timeout=60)
    assert (asked.returncode, asked.stdout + asked.stderr) == (0, "")
    command = [analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit)]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert asked.returncode == 0, asked.stdout[-300:]


COMPOSE = yaml.safe_load(
    (ROOT / "ops/compose.yaml").read_text().replace("${POSTGRES_PASSWORD:?a password of your own}", "x")
)
SERVICES = COMPOSE["services"]
NODES = {
    name: service["environment"]
    for name, service in SERVICES.items()
    if service["image"] == "ratscrew" and "environment" in service
}
NGINX = (ROOT / "ops/nginx-cluster.conf").read_text()


def test_the_server_takes_all_settings_of_the_nodes_in_the_compose_file() -> None:
    for name, settings in NODES.items():
        environment = {variable: str(value) for variable, value in settings.items()}
        shown = CliRunner().invoke(app, ["serve", "--show-config"], env=environment)
        assert (shown.exit_code, shown.stderr) == (0, "")
        read = set(re.findall(rf"environment ({PREFIX}_\w+)", shown.stdout))
        assert read == set(settings)
        identity = node_identity(name, settings["RATSCREW_PUBLIC_URL"], PostgresAddress(settings["RATSCREW_LOG"]))
        assert identity
        assert settings["RATSCREW_NODE"] == identity.name


def test_the_proxy_of_the_compose_file_leads_to_each_node_by_its_own_path() -> None:
    (host,) = re.findall(r"server_name (\S+);", NGINX)
    leads = dict(re.findall(r"location (/n/\w+)/ {\s+proxy_pass (http://\S+)/;", NGINX))
    own = {urlsplit(settings["RATSCREW_PUBLIC_URL"]) for settings in NODES.values()}
    assert {(url.scheme, url.netloc) for url in own} == {("https", host)}
    addresses = {
        urlsplit(
            settings["RATSCREW_PUBLIC_URL"]
        ).path: f"http://{settings['RATSCREW_HOST']}:{settings['RATSCREW_PORT']}"
        for settings in NODES.values()
    }
    assert leads == addresses
    (upstream,) = re.findall(r"upstream (\w+)", NGINX)
    assert set(re.findall(r"^    server (\S+:\d+);", NGINX, re.MULTILINE)) == {
        address.removeprefix("http://") for address in addresses.values()
    }
    assert f"location / {{\n        proxy_pass http://{upstream};" in NGINX
    assert len(addresses) == len(NODES) == 3
    assert "./nginx-cluster.conf:/etc/nginx/conf.d/default.conf:ro" in SERVICES["nginx"]["volumes"]


def test_both_files_for_nginx_pass_on_the_same_and_the_nodes_read_the_clients_connection_from_there() -> None:
    passed_on = r"^ +(proxy_(?!pass )\w+ .+;|ssl_\w+ .+;|tcp_nodelay .+;|listen .+;)$"
    alone = (ROOT / "ops/nginx.conf").read_text()
    assert sorted(re.findall(passed_on, NGINX, re.MULTILINE)) == sorted(re.findall(passed_on, alone, re.MULTILINE))
    assert NGINX.count("{") == NGINX.count("}")
    for settings in NODES.values():
        ends = '"$remote_addr $remote_port $server_addr $server_port"'
        assert f"proxy_set_header {settings['RATSCREW_SOCKET_HEADER']} {ends};" in NGINX
        assert settings["RATSCREW_PROXY"] == "true"


def test_a_node_in_a_container_starts_after_its_tables_and_has_as_long_to_end_as_under_systemd() -> None:
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", (ROOT / "ops/ratscrew@.service").read_text(), re.MULTILINE)
    assert int(seconds) > STOP_WITHIN_S
    for name in NODES:
        assert SERVICES[name]["stop_grace_period"] == f"{seconds}s"
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    command, *words = SERVICES["migrate"]["command"].split()
    assert command in get_command(app).commands  # type: ignore[attr-defined]
    assert words == ["--log", NODES["a"]["RATSCREW_LOG"]]
    assert (
        ROOT / "ops" / SERVICES["migrate"]["build"]["context"] / SERVICES["migrate"]["build"]["dockerfile"]
    ).exists()
