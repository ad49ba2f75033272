"""docs/operations.md and the deployment files in ops/ fit the server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from ratscrew.cli import app
from ratscrew.cli.config import OTHER_VARIABLES, PREFIX, to_key
from ratscrew.log.memory import MemoryLog
from ratscrew.table.records.entries import Entry
from ratscrew.table.rooms.room_registry import RoomRegistry
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
    there = {family.name + "_total" * (family.type == "counter") for family in metrics.registry.collect()}
    assert set(re.findall(r"^\| `(ratscrew_\w+)`", PAGE, re.MULTILINE)) == there


@pytest.mark.parametrize("file", ["ratscrew.service", "ratscrew@.service", "Containerfile", "nginx.conf", "Caddyfile"])
def test_a_deployment_file_uses_existing_settings_and_is_on_the_page(file: str) -> None:
    text = (ROOT / "ops" / file).read_text()
    said = set(re.findall(rf"{PREFIX}_[A-Z_]+", text)) - OTHER_VARIABLES
    assert said <= {f"{PREFIX}_{param.name.upper()}" for param in FLAGS.values()}
    assert f"(../ops/{file})" in PAGE


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
