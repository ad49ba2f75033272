"""Installs packages of Debian and Ubuntu if that needs no password; otherwise gives the command for it."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import threading

_ONE_AT_A_TIME = threading.Lock()
"""apt fails beside another one: the browsers are installed while .venv is made, which may need a package too."""


def has_apt() -> bool:
    """Whether this machine installs its software with apt."""
    return shutil.which("apt-get") is not None


def command_for(*packages: str) -> str:
    """The command that a user types to install packages."""
    return f"sudo apt-get update && sudo apt-get install -y {shlex.join(packages)}"


def distribution() -> str:
    """The system's short name, such as "debian" or "ubuntu"; empty where it has none."""
    try:
        return platform.freedesktop_os_release()["ID"]
    except OSError:
        return ""


def find(program: str) -> str | None:
    """The path of a program, also where Debian puts servers: the PATH of most users leaves that out."""
    return shutil.which(program, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")


def install_missing(*programs: str) -> None:
    """Install programs whose packages have their names, if they are missing and that is allowed."""
    missing = [program for program in programs if not find(program)]
    if missing and distribution() in ("debian", "ubuntu"):
        install(*missing)


def install(*packages: str) -> bool:
    """Install packages as root, or with a sudo that asks for no password; False if neither is possible."""
    become_root = _become_root()
    if become_root is None or not has_apt():
        return False
    with _ONE_AT_A_TIME:
        _run([*become_root, "apt-get", "update", "-q"])  # may fail for a source of no concern to us
        return _run([*become_root, "apt-get", "install", "-y", "-q", *packages])


def _become_root() -> list[str] | None:
    """The prefix that runs a command as root without asking for a password; None if there is none."""
    silent = ["env", "DEBIAN_FRONTEND=noninteractive"]
    if os.geteuid() == 0:
        return silent
    if shutil.which("sudo") is None or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode:
        return None
    return ["sudo", "-n", *silent]


def _run(command: list[str]) -> bool:
    print(f"$ {shlex.join(command)}", flush=True)
    return subprocess.run(command).returncode == 0
