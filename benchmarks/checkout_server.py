"""A server of this or another checkout in a process of its own, whose usage is read from the kernel (Linux).

Another checkout's server is started by its own benchmarks, with its own sources and this environment's libraries.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.dialects import Dialect, dialect_of

ROOT = Path(__file__).parents[1]
MODULES = {"server_process": ("loop_lag", "PROBE_S"), "serving": ("lateness", "PROBE_S")}
"""The module in `benchmarks` that starts a server, today and in e2f18c2; and the interval of its lag probes, which are
not needed here, and would cost as much as some rooms."""

START = """
import importlib, runpy, sys
_, module, probing, interval, *sys.argv[1:] = sys.argv
setattr(importlib.import_module("benchmarks." + probing), interval, 3600)
runpy.run_module("benchmarks." + module, run_name="__main__")
"""


class Usage(NamedTuple):
    """What a process has used until `at_s`; for `waited_s` its main thread was ready while others had its core."""

    at_s: float
    cpu_s: float
    waited_s: float
    memory_kb: float


class CheckoutServer:
    """The process. `port` is known when it listens."""

    def __init__(
        self, kind: str, core: int | None = None, checkout: Path | None = None, more: Sequence[str] = ()
    ) -> None:
        root = checkout.resolve() if checkout else ROOT
        self.dialect: Dialect = dialect_of(root)
        module = next((name for name in MODULES if (root / "benchmarks" / f"{name}.py").exists()), None)
        if module is None:
            raise ValueError(f"{root} has no server to measure: name the folder of a checkout")
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, module, *MODULES[module], kind, *more],
            env={**os.environ, "PYTHONPATH": str(root / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=root,
        )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server of {root} did not start")
        self.port = int(line)

    def usage(self) -> Usage:
        """What the process has used so far."""
        pid = self._process.pid
        cpu_s = time.clock_gettime((~pid << 3) | 2)  # Linux's clock of another process's CPU time
        run_ns, wait_ns, *_ = map(int, Path(f"/proc/{pid}/schedstat").read_text().split())
        waited_s = wait_ns / 1e9 - (cpu_s - run_ns / 1e9)  # not for its own other threads
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return Usage(time.perf_counter(), cpu_s, waited_s, pages * resource.getpagesize() / 1024)

    async def report(self) -> Any:
        """What the server itself reports; only of this checkout."""
        return await asyncio.to_thread(self._report)

    def _report(self) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """Stop the process; kill it after 20 s."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
