"""Installs everything into .venv: with "postgres", "lab" or "dev" also what these need ("dev": all). Idempotent.

Run by scripts/python with the system's Python; standard library only. Finished steps are recorded in .venv itself, so a
second run needs no network and takes a moment.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import debian

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
NOTES = VENV / "ratscrew.json"
LOCKS = {
    "run": "requirements.lock",
    "postgres": "requirements-postgres.lock",
    "lab": "requirements-lab.lock",
    "dev": "requirements-dev.lock",
}
ENOUGH = {"run": tuple(LOCKS), "postgres": ("postgres", "dev"), "lab": ("lab", "dev"), "dev": ("dev",)}
"""For each kind those with all its packages."""
PROJECT = ("pyproject.toml", "hatch_build.py")
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"

OFFLINE = """
pip's own words stand above. Most often it is the network:
  - this machine must reach the Python package index for the first installation (not for later ones);
  - behind a proxy, set HTTPS_PROXY; behind one that opens TLS, also PIP_CERT and NODE_EXTRA_CA_CERTS;
  - where you have a mirror, name it with PIP_INDEX_URL.
Then run make again; it goes on where it stopped."""


def main(kind: str) -> None:
    """Bring .venv up to date: the environment, the locked packages, the browser page, the project itself."""
    os.chdir(ROOT)
    if up_to_date(kind):
        return
    check_writable()
    wait_for_others()
    make_environment()
    install_packages(kind)
    build_page()
    install_project()


# What was done before


def notes() -> dict[str, str]:
    """The finished steps that earlier runs recorded in .venv."""
    try:
        found = json.loads(NOTES.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def note(**done: str) -> None:
    """Record a finished step."""
    NOTES.write_text(json.dumps(notes() | done, indent=1) + "\n")


def fingerprint(*names: str) -> str:
    """One fingerprint for the contents of files of the project."""
    return hashlib.sha256(b"".join(hashlib.sha256((ROOT / name).read_bytes()).digest() for name in names)).hexdigest()


def up_to_date(kind: str) -> bool:
    """Whether there is nothing to do."""
    return not fault() and packages_fit(kind) and notes().get("project") == fingerprint(*PROJECT) and page_fits()


def packages_fit(kind: str) -> bool:
    """Whether the packages installed last include all that are needed."""
    return notes().get("packages") in [fingerprint(LOCKS[enough]) for enough in ENOUGH[kind]]


def page_fits() -> bool:
    """Whether the browser page is built from the present sources."""
    return subprocess.run([sys.executable, "hatch_build.py", "fresh"]).returncode == 0


def fault() -> str:
    """Why .venv cannot be used as it is; empty if it can."""
    if not VENV.exists():
        return "there is none yet"
    done = notes()
    if not done:
        return "the one here was not made by make, or not to its end"
    if done.get("place") != str(VENV):
        return "it was made for another folder"
    question = "import sys; print(f'{sys.version_info.major}.{sys.version_info.minor}')"
    try:
        answer = subprocess.run([PYTHON, "-I", "-c", question], capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return "its Python is gone"
    wanted = VERSION if os.environ.get("PYTHON") else done.get("python")
    found = answer.stdout.strip()
    return "" if found == done.get("python") == wanted else f"it was made for Python {done.get('python')}"


# The steps


def check_writable() -> None:
    """Stop with a clear message if this user may not write here."""
    names = ("", ".venv", "client", "client/node_modules", "src/ratscrew/web", "src/ratscrew/web/page")
    for folder in (ROOT / name for name in names):
        if folder.exists() and not os.access(folder, os.W_OK):
            stop(
                f"No permission to write in {folder}, which belongs to {owner(folder)}.\n"
                f"Copy the project to a folder of your own, or make this one yours:\n"
                f"  sudo chown -R {shlex.quote(user())} {shlex.quote(str(ROOT))}\n"
                "then run make again there."
            )


def wait_for_others() -> None:
    """Let one installation at a time work in this folder. The system takes the lock back when the program ends."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("waiting for another installation in this folder", flush=True)
        fcntl.flock(folder, fcntl.LOCK_EX)


def make_environment() -> None:
    """Make .venv, or remake it where it cannot be used; never leave half of one behind."""
    why = fault()
    if not why:
        return
    check_can_make_environments()
    print(f"making .venv with Python {VERSION} ({why})", flush=True)
    remove(VENV)
    try:
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    except (OSError, subprocess.SubprocessError):
        remove(VENV)
        stop(f"Could not make .venv with {sys.executable}: its words are above. Another Python: make PYTHON=...")
    except BaseException:
        remove(VENV)
        raise
    note(place=str(VENV), python=VERSION)


def check_can_make_environments() -> None:
    """Install the part of Python that makes environments where Debian left it out, or say how."""
    if can_make_environments():
        return
    package = f"python{VERSION}-venv"
    print(f"{sys.executable} cannot make environments: {package} is missing", flush=True)
    if debian.has_apt() and debian.install(package) and can_make_environments():
        return
    if debian.has_apt():
        stop(f"Please type:  {debian.command_for(package)}\nThen run make again.")
    stop(f"{sys.executable} has no ensurepip and venv. Install them, or name another Python: make PYTHON=...")


def can_make_environments() -> bool:
    """Whether this Python has all that `python -m venv` needs."""
    question = [sys.executable, "-c", "import ensurepip, venv"]
    return subprocess.run(question, capture_output=True).returncode == 0


def install_packages(kind: str) -> None:
    """Install what the lock names: exact versions, checked by their hashes."""
    if packages_fit(kind):
        return
    lock = LOCKS[kind]
    print(f"installing the packages of {lock}", flush=True)
    note(packages="")  # so that an installation cut short never counts as whole
    # the tests import a small part of their packages: compiling all of them would take most of a minute
    later = ["--no-compile"] if kind == "dev" else []
    pip(*later, "--require-hashes", "-r", lock, failed=f"pip could not install the packages of {lock}.")
    note(packages=fingerprint(lock))


def build_page() -> None:
    """Build the browser page if its sources changed: the build hook would too, but its words would drown in pip's."""
    if page_fits():
        return
    print("building the browser page", flush=True)
    if subprocess.run([PYTHON, "hatch_build.py", "build"]).returncode:
        stop("The browser page could not be built: the reason stands above. Then run make again.")


def install_project() -> None:
    """Install Ratscrew itself so that changes in src/ take effect at once."""
    wanted = fingerprint(*PROJECT)
    if notes().get("project") == wanted:
        return
    print("installing ratscrew", flush=True)
    note(project="")
    pip("--no-deps", "--editable", ".", failed="pip could not install Ratscrew itself.")
    note(project=wanted)


# Tools


def pip(*arguments: str, failed: str) -> None:
    """Run the environment's pip install; end the program with what to do if it fails."""
    options = ["--disable-pip-version-check", "--no-input", "--quiet"]
    if subprocess.run([PYTHON, "-m", "pip", "install", *options, *arguments]).returncode:
        stop(failed + OFFLINE)


def remove(folder: Path) -> None:
    """Remove a folder, or the link or file in its place."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def owner(folder: Path) -> str:
    """The name of a folder's owner."""
    return name_of(folder.stat().st_uid)


def user() -> str:
    """The name of the current user."""
    return name_of(os.geteuid())


def name_of(number: int) -> str:
    """The name of a user, or the number where there is none, as in some containers."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def stop(message: str) -> NoReturn:
    """End with a message that says what to do."""
    raise SystemExit(f"\n{message}")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "run")
    except KeyboardInterrupt:
        stop("Stopped. Run make again to go on.")
