"""Installation: what `make` prints on a machine where something is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import browsers
import debian
import install
import postgres

ROOT = Path(__file__).resolve().parent.parent


def program(folder: Path, name: str, *lines: str) -> Path:
    """A shell script that stands in for a program."""
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
    path.chmod(0o755)
    return path


def run_python(path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run scripts/python where the PATH holds the programs of one folder, and `cat` and `dirname`."""
    for tool in ("cat", "dirname"):
        (path / tool).symlink_to(f"/usr/bin/{tool}")
    command = ["/bin/sh", str(ROOT / "scripts" / "python"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={"PATH": str(path)} | environment)


# Python


def test_without_python_the_command_to_install_it_is_named(tmp_path: Path) -> None:
    answer = run_python(tmp_path)
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer; found: none." in answer.stderr
    assert "sudo apt-get install python3 python3-venv" in answer.stderr


def test_a_python_too_old_is_named_with_its_version(tmp_path: Path) -> None:
    program(tmp_path, "python3", "echo 3.9.2", "exit 4")
    answer = run_python(tmp_path)
    assert answer.returncode == 1
    assert "found: python3 is 3.9.2." in answer.stderr
    assert "make play PYTHON=" in answer.stderr


def test_the_version_check_refuses_python_older_than_3_11() -> None:
    script = (ROOT / "scripts" / "python").read_text()
    question = script.split("question='")[1].split("'\n")[0].replace("sys.version_info", "(3, 10, 9)")
    answer = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (4, "3.10.9\n")


def test_a_command_that_only_pretends_to_be_python_is_skipped(tmp_path: Path) -> None:
    program(tmp_path, "python3.13", "echo 'not installed' >&2", "exit 127")
    program(tmp_path, "python3", f'exec "{sys.executable}" "$@"')
    answer = run_python(tmp_path, "-c", "print('two words', end='')")
    assert answer.stdout == "two words", answer.stderr


def test_a_python_that_can_make_environments_goes_before_a_newer_one_that_cannot(tmp_path: Path) -> None:
    program(tmp_path, "python3.14", "[ $# -eq 2 ] && echo 3.14.0 && exit 3", "echo newer")
    program(tmp_path, "python3.12", "[ $# -eq 2 ] && echo 3.12.0 && exit 0", "echo older")
    assert run_python(tmp_path, "x").stdout == "older\n"


def test_a_python_that_cannot_make_environments_is_better_than_none(tmp_path: Path) -> None:
    program(tmp_path, "python3", "[ $# -eq 2 ] && echo 3.11.2 && exit 3", "echo used")
    assert run_python(tmp_path, "x").stdout == "used\n"


def test_the_python_asked_for_is_the_only_one_tried(tmp_path: Path) -> None:
    mine = tmp_path / "my own"
    mine.mkdir()
    program(tmp_path, "python3", "echo 3.11.0", "exit 0")
    program(mine, "python", "echo 3.8.1", "exit 4")
    answer = run_python(tmp_path, PYTHON=f"{mine}/python")
    assert answer.returncode == 1
    assert f"found: {mine}/python is 3.8.1." in answer.stderr


def test_a_python_asked_for_that_does_not_exist_is_named(tmp_path: Path) -> None:
    answer = run_python(tmp_path, PYTHON="/nowhere/python")
    assert answer.returncode == 1
    assert "found: PYTHON=/nowhere/python, which does not run." in answer.stderr


# The environment


def test_a_missing_venv_package_is_named_where_it_cannot_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "can_make_environments", lambda: False)
    monkeypatch.setattr(debian, "has_apt", lambda: True)
    monkeypatch.setattr(debian, "install", lambda *packages: False)
    with pytest.raises(SystemExit, match=rf"sudo apt-get .* install -y python{install.VERSION}-venv"):
        install.check_can_make_environments()


def test_half_an_environment_is_never_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = program(tmp_path, "python", 'mkdir -p "$3"', "exit 1")
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(install, "NOTES", tmp_path / ".venv" / "ratscrew.json")
    monkeypatch.setattr(install, "can_make_environments", lambda: True)
    monkeypatch.setattr(sys, "executable", str(broken))
    with pytest.raises(SystemExit, match=r"Could not make \.venv"):
        install.make_environment()
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    ("noted", "fault"),
    [
        ("", "the one here was not made by make, or not to its end"),
        ('{"place": "/elsewhere/.venv", "python": "3.11"}', "it was made for another folder"),
        ('{"place": "HERE", "python": "3.11"}', "its Python is gone"),
    ],
)
def test_an_environment_that_cannot_be_used_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, noted: str, fault: str
) -> None:
    monkeypatch.setattr(install, "VENV", tmp_path)
    monkeypatch.setattr(install, "PYTHON", tmp_path / "bin" / "python")
    monkeypatch.setattr(install, "NOTES", tmp_path / "ratscrew.json")
    install.NOTES.write_text(noted.replace("HERE", str(tmp_path)))
    assert install.fault() == fault


def test_a_folder_without_permission_is_named_with_its_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(os, "access", lambda folder, mode: False)
    with pytest.raises(SystemExit) as stopped:
        install.check_writable()
    assert f"No permission to write in {tmp_path}, which belongs to {install.user()}." in str(stopped.value)
    assert f"sudo chown -R {install.user()} {tmp_path}" in str(stopped.value)


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A project with three locks and a pip that does nothing; the list collects what pip was asked to install."""
    asked: list[str] = []
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "NOTES", tmp_path / "ratscrew.json")
    monkeypatch.setattr(install, "pip", lambda *arguments, failed: asked.append(arguments[-1]))
    for lock in install.LOCKS.values():
        (tmp_path / lock).write_text(f"the first {lock}")
    return asked


def test_a_lock_is_installed_again_only_when_it_changed(locks: list[str]) -> None:
    for kind in ("run", "run", "postgres", "run", "lab", "run", "dev", "dev", "lab", "postgres", "run"):
        install.install_packages(kind)
    assert locks == list(install.LOCKS.values()), "each brings the run-time packages, the test tools those of all"
    (install.ROOT / "requirements-dev.lock").write_text("the second")
    install.install_packages("dev")
    assert locks[4:] == ["requirements-dev.lock"]


def test_an_installation_cut_short_is_done_again(locks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    install.install_packages("run")
    (install.ROOT / "requirements.lock").write_text("the second")
    with monkeypatch.context() as cut:
        cut.setattr(install, "pip", lambda *arguments, failed: sys.exit(failed))
        with pytest.raises(SystemExit, match=r"pip could not install the packages of requirements\.lock"):
            install.install_packages("run")
    (install.ROOT / "requirements.lock").write_text("the first requirements.lock")
    install.install_packages("run")
    assert len(locks) == 2, "what the second left behind is unknown"


def test_no_password_is_ever_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "sudo", '[ "$1" = -n ] || echo asked > "$0.asked"', "exit 1")
    program(tmp_path, "apt-get", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not debian.install("chromium")
    assert not (tmp_path / "sudo.asked").exists()


def test_a_user_on_a_machine_without_sudo_installs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "apt-get", 'echo ran > "$0.ran"')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert not debian.install("chromium")
    assert not (tmp_path / "apt-get.ran").exists()


def test_two_installations_of_packages_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "env", "shift", 'exec "$@"')
    once = ['/bin/mkdir "$0.lock" || exit 1', "/bin/sleep 0.1", '/bin/rmdir "$0.lock"']
    program(tmp_path, "apt-get", *once)  # fails while another one runs, as the real one does
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with ThreadPoolExecutor(2) as both:
        assert list(both.map(debian.install, ("chromium", "python3-venv"))) == [True, True]


# The browser


@pytest.fixture
def no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser, and the one folder of its PATH."""
    monkeypatch.delenv("RATSCREW_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    names = browsers.ENGINES["chromium"]._replace(names=("chromium", "chromium-browser"))
    monkeypatch.setitem(browsers.ENGINES, "chromium", names)
    monkeypatch.setattr(browsers, "DOWNLOADS", tmp_path)
    monkeypatch.setattr(debian, "install", lambda *packages: False)
    return tmp_path


@pytest.mark.parametrize(
    ("distribution", "advice"),
    [
        ("debian", "sudo apt-get update && sudo apt-get install -y chromium"),
        ("ubuntu", "sudo snap install chromium"),
        ("", "install `chromium`"),
    ],
)
def test_without_a_browser_the_tests_fail_with_what_to_install(
    no_browser: Path, monkeypatch: pytest.MonkeyPatch, distribution: str, advice: str
) -> None:
    monkeypatch.setattr(debian, "distribution", lambda: distribution)
    with pytest.raises(SystemExit, match=re.escape(advice)):
        browsers.find_or_install()


def test_a_stub_that_only_names_the_snap_is_no_browser(no_browser: Path) -> None:
    program(no_browser, "chromium", "echo 'requires the chromium snap to be installed' >&2", "exit 1")
    stub_only = browsers.find()
    browser = program(no_browser, "chromium-browser", "echo Chromium 150.0")
    assert (stub_only, browsers.find()) == (None, str(browser))


def test_the_browser_named_goes_before_the_one_on_the_path(no_browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(no_browser, "chromium", "echo Chromium 150.0")
    mine = program(no_browser, "mine", "echo Google Chrome 150.0")
    monkeypatch.setenv("RATSCREW_CHROMIUM", str(mine))
    assert browsers.find() == str(mine)


def test_a_browser_named_that_does_not_run_is_not_replaced_by_another(
    no_browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(no_browser, "chromium", "echo Chromium 150.0")
    monkeypatch.setenv("RATSCREW_CHROMIUM", "/nowhere/chrome")
    with pytest.raises(SystemExit, match="RATSCREW_CHROMIUM=/nowhere/chrome does not run"):
        browsers.find_or_install()


def test_the_browser_that_playwright_downloaded_is_found(no_browser: Path) -> None:
    folder = no_browser / "chromium-1200" / "chrome-linux64"
    folder.mkdir(parents=True)
    assert browsers.find() is None
    assert str(program(folder, "chrome", "echo Chromium 150.0")) == browsers.find()


def test_each_engine_has_its_own_packages_and_variable(no_browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "distribution", lambda: "debian")
    packages = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb xauth"}
    for engine, names in packages.items():
        monkeypatch.delenv(browsers.variable(engine), raising=False)
        with pytest.raises(SystemExit, match=f"install -y {re.escape(names)}\n(.|\n)*RATSCREW_{engine.upper()}="):
            browsers.find_or_install(engine)
    fox = program(no_browser, "firefox", "echo Mozilla Firefox 153.7.0esr")
    assert browsers.find("firefox") == str(fox)


def test_what_ubuntu_has_only_as_a_snap_is_not_installed_and_its_firefox_is_not_driven(
    no_browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[str] = []

    def install(*packages: str) -> bool:
        asked_for.extend(packages)
        return False

    monkeypatch.setattr(debian, "distribution", lambda: "ubuntu")
    monkeypatch.setattr(debian, "install", install)
    for engine in ("firefox", "webkit"):
        monkeypatch.delenv(browsers.variable(engine), raising=False)
    program(no_browser, "firefox", "echo Mozilla Firefox 153.0")
    with pytest.raises(SystemExit, match="Ubuntu has Firefox only as a snap"):
        browsers.find_or_install("firefox")
    with pytest.raises(SystemExit, match="sudo snap install chromium"):
        browsers.find_or_install("chromium")
    assert asked_for == []
    with pytest.raises(SystemExit, match="sudo apt-get update && sudo apt-get install -y webkit2gtk-driver"):
        browsers.find_or_install("webkit")
    assert asked_for == [*browsers.ENGINES["webkit"].packages]
    another = program(no_browser, "another", "echo Mozilla Firefox 153.0")
    monkeypatch.setenv("RATSCREW_FIREFOX", str(another))
    assert browsers.find_or_install("firefox") == str(another)


def test_a_webkit_driver_without_its_browser_does_not_count(no_browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RATSCREW_WEBKIT", raising=False)
    program(no_browser, "WebKitWebDriver", "echo --replace-on-new-session")
    missing = browsers.ENGINES["webkit"]._replace(needs=((str(program(no_browser, "python", "exit 1")),),))
    monkeypatch.setitem(browsers.ENGINES, "webkit", missing)
    assert browsers.find("webkit") is None
    monkeypatch.setitem(browsers.ENGINES, "webkit", missing._replace(needs=()))
    assert browsers.find("webkit") == str(no_browser / "WebKitWebDriver")


# PostgreSQL


@pytest.fixture
def no_postgres(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without PostgreSQL, and the one folder of its PATH."""
    monkeypatch.delenv("RATSCREW_POSTGRES", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(postgres, "DEBIAN", tmp_path / "debian")
    monkeypatch.setattr(debian, "install", lambda *packages: False)
    return tmp_path


def install_postgres(folder: Path) -> str:
    """Programs that say that they are PostgreSQL's."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in postgres.PROGRAMS:
        program(folder, name, f"echo '{name} (PostgreSQL) 15.1'")
    return str(folder)


@pytest.mark.parametrize(
    ("distribution", "advice"),
    [
        ("debian", "sudo apt-get update && sudo apt-get install -y postgresql"),
        ("ubuntu", "sudo apt-get update && sudo apt-get install -y postgresql"),
        ("", "install the package `postgresql`"),
    ],
)
def test_without_postgresql_the_tests_fail_with_what_to_install(
    no_postgres: Path, monkeypatch: pytest.MonkeyPatch, distribution: str, advice: str
) -> None:
    monkeypatch.setattr(debian, "distribution", lambda: distribution)
    with pytest.raises(SystemExit, match=re.escape(advice)):
        postgres.find_or_install()


def test_on_debian_postgresql_is_installed_where_that_is_allowed(
    no_postgres: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = no_postgres / "debian" / "15" / "bin"
    monkeypatch.setattr(debian, "distribution", lambda: "debian")
    monkeypatch.setattr(debian, "install", lambda *packages: packages == ("postgresql",) and install_postgres(folder))
    assert postgres.find_or_install() == str(folder)


def test_the_newest_postgresql_that_runs_is_used(no_postgres: Path) -> None:
    found = [install_postgres(no_postgres / "debian" / version / "bin") for version in ("9", "15")]
    program(Path(install_postgres(no_postgres / "debian" / "17" / "bin")), "initdb", "exit 1")
    assert postgres.find() == found[1]


def test_the_postgresql_named_is_the_only_one_tried(no_postgres: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_postgres(no_postgres / "debian" / "15" / "bin")
    mine = install_postgres(no_postgres / "mine")
    monkeypatch.setenv("RATSCREW_POSTGRES", mine)
    assert postgres.find_or_install() == mine
    monkeypatch.setenv("RATSCREW_POSTGRES", "/nowhere")
    with pytest.raises(SystemExit, match="RATSCREW_POSTGRES=/nowhere has no initdb and postgres that run"):
        postgres.find_or_install()
