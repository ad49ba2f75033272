"""The configuration of a server: from a flag, else the environment, else a file, else the default."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ratscrew.cli.config import OTHER_VARIABLES
from tests.cli.sample_room import Run

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of these tests says nothing of its own."""
    for word in [word for word in os.environ if word.startswith("RATSCREW_") and word not in OTHER_VARIABLES]:
        monkeypatch.delenv(word)


def shown(out: str, word: str) -> tuple[str, str]:
    """The value of an option, and its source."""
    (line,) = (line for line in out.splitlines() if re.match(rf"(# )?{word}\b", line))
    said, _, source = line.rpartition("  # ")
    return said.strip(), source


def test_a_flag_goes_before_the_environment_that_before_the_file_that_before_what_holds_else(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text('host = "file"\nport = 1\nspeed = 2\n')
    monkeypatch.setenv("RATSCREW_HOST", "environment")
    monkeypatch.setenv("RATSCREW_PORT", "3")
    code, out, err = run("serve", "--config", file, "--host", "flag", "--show-config")
    assert (code, err) == (0, "")
    assert shown(out, "host") == ('host = "flag"', "flag --host")
    assert shown(out, "port") == ("port = 3", "environment RATSCREW_PORT")
    assert shown(out, "speed") == ("speed = 2.0", f"file {file}")
    assert shown(out, "proxy") == ("proxy = false", "default")
    assert shown(out, "rtt-header") == ("# rtt-header is not set", "default")


OFF = "`enableServiceLinks: false` in the pod's spec turns these variables off"
SERVICE_LINKS = {
    "RATSCREW_PORT": "tcp://10.0.0.1:8765",
    "RATSCREW_PORT_8765_TCP": "tcp://10.0.0.1:8765",
    "RATSCREW_PORT_8765_TCP_ADDR": "10.0.0.1",
    "RATSCREW_PORT_8765_TCP_PORT": "8765",
    "RATSCREW_PORT_8765_TCP_PROTO": "tcp",
    "RATSCREW_SERVICE_HOST": "10.0.0.1",
    "RATSCREW_SERVICE_PORT": "8765",
    "RATSCREW_SERVICE_PORT_HTTP": "8765",
}
"""What Kubernetes sets in every container beside a service that is called ratscrew."""


def test_service_links_of_kubernetes_are_ignored_with_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, text in SERVICE_LINKS.items():
        monkeypatch.setenv(variable, text)
    monkeypatch.setenv("RATSCREW_METRICS_PORT", "udp://10.0.0.2:9000")  # of a service called ratscrew-metrics
    monkeypatch.setenv("RATSCREW_SPEED", "2")
    code, out, err = run("serve", "--show-config")
    assert (code, shown(out, "speed")) == (0, ("speed = 2.0", "environment RATSCREW_SPEED"))
    assert shown(out, "port") == ("port = 8765", "default")
    others = ", ".join(sorted([*SERVICE_LINKS.keys() - {"RATSCREW_PORT"}, "RATSCREW_METRICS_PORT"]))
    assert err.splitlines() == [
        f"ratscrew: RATSCREW_PORT=tcp://10.0.0.1:8765 is ignored: Kubernetes sets it for a service of this name; {OFF}",
        f"ratscrew: {others} are ignored: Kubernetes sets them for a service of this name; {OFF}",
    ]


def test_without_the_service_link_the_port_comes_from_the_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text("port = 81\n")
    monkeypatch.setenv("RATSCREW_PORT", "tcp://10.0.0.1:8765")
    code, out, _ = run("serve", "--config", file, "--show-config")
    assert (code, shown(out, "port")) == (0, ("port = 81", f"file {file}"))


def test_any_other_port_that_is_no_number_is_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATSCREW_PORT", "http://10.0.0.1")
    code, _, err = run("serve", "--show-config")
    assert code == 1
    assert err.startswith("ratscrew: port = 'http://10.0.0.1' in the environment (RATSCREW_PORT): ")


@pytest.mark.parametrize(
    ("variable", "hint"),
    [
        ("RATSCREW_PROT", "; did you mean RATSCREW_PORT?"),
        ("RATSCREW_LOGLEVEL", "; did you mean RATSCREW_LOG_LEVEL?"),
        ("RATSCREW_RTT_HEADERS", "; did you mean RATSCREW_RTT_HEADER?"),
        ("RATSCREW_COLOUR_OF_THE_CARDS", ""),
    ],
)
def test_an_unknown_variable_is_ignored_with_a_warning_that_names_the_nearest_setting(
    run: Run, monkeypatch: pytest.MonkeyPatch, variable: str, hint: str
) -> None:
    monkeypatch.setenv(variable, "1")
    code, _, err = run("serve", "--show-config")
    assert (code, err) == (0, f"ratscrew: {variable} is ignored: there is no such setting{hint}\n")


def test_a_word_that_may_be_said_several_times_is_a_list_in_the_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text('hosts = ["cards.example.org", "cards.local"]\n')
    _, out, err = run("serve", "--config", file, "--show-config")
    assert (shown(out, "hosts")[0], err) == ('hosts = ["cards.example.org", "cards.local"]', "")
    monkeypatch.setenv("RATSCREW_HOSTS", "a.example b.example")
    _, out, _ = run("serve", "--config", file, "--show-config")
    assert shown(out, "hosts")[0] == 'hosts = ["a.example", "b.example"]'
    file.write_text("port = [1]\nhosts = [1]\n")
    monkeypatch.delenv("RATSCREW_HOSTS")
    code, _, err = run("serve", "--config", file)
    assert (code, err.count("It must be a text, a number, true or false"), err.count("a list of texts")) == (1, 1, 1)


def test_the_environment_may_name_the_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server.toml").write_text('proxy = true\nrtt-header = "X-Rtt"\n')
    monkeypatch.setenv("RATSCREW_CONFIG", str(tmp_path / "server.toml"))
    code, out, _ = run("serve", "--show-config")
    assert (code, shown(out, "rtt-header")[0], shown(out, "proxy")[0]) == (0, 'rtt-header = "X-Rtt"', "proxy = true")


def test_what_is_shown_is_a_file_that_says_the_same(run: Run, tmp_path: Path) -> None:
    _, out, _ = run("serve", "--port", "99", "--data", tmp_path / 'a "b" ü', "--proxy", "--show-config")
    (tmp_path / "again.toml").write_text(out)
    _, again, err = run("serve", "--config", tmp_path / "again.toml", "--show-config")
    assert err == ""
    assert [line.split("  #")[0] for line in again.splitlines()] == [line.split("  #")[0] for line in out.splitlines()]


def test_everything_that_is_wrong_is_reported_at_once_each_with_its_place(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "server.toml"
    file.write_text("port = 80000\nprot = 3\nhost = true\nproxy = 7\n[data]\nx = 1\n")
    monkeypatch.setenv("RATSCREW_SPEED", "fast")
    monkeypatch.setenv("RATSCREW_SPED", "1")
    code, out, err = run("serve", "--config", file)
    assert (code, out) == (1, "")
    told = [
        rf"port = 80000 in {file}: .*less than or equal to 65535",
        rf"prot in {file}: there is no such setting; did you mean port\?",
        rf"host = True in {file}: It must be a text or a number",
        rf"proxy = 7 in {file}: .*boolean.*",
        rf"data = {{'x': 1}} in {file}: It must be a text, a number, true or false",
        r"speed = 'fast' in the environment \(RATSCREW_SPEED\): .*valid number.*",
        r"RATSCREW_SPED is ignored: there is no such setting; did you mean RATSCREW_SPEED\?",
    ]
    lines = sorted(err.splitlines())
    assert len(lines) == len(told)
    for line, says in zip(lines, sorted(told), strict=True):
        assert re.fullmatch(f"ratscrew: {says}", line)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read: No such file"),
        (b"port 80", "is not valid TOML: "),
        (b"\xff", "is not in UTF-8: save it in that encoding"),
        ("port = 80".encode("utf-16"), "is not in UTF-8: save it in that encoding"),
        pytest.param(b"port = " + b"[" * 50_000, "is nested too deeply", id="deep"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_in_a_sentence(
    run: Run, tmp_path: Path, content: bytes | None, says: str
) -> None:
    file = tmp_path / "server.toml"
    if content is not None:
        file.write_bytes(content)
    code, out, err = run("serve", "--config", file)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"ratscrew: {file} {says}")


def test_words_of_the_build_and_of_the_tests_are_no_mistake_and_there_are_no_others() -> None:
    files = [ROOT / "hatch_build.py", ROOT / "client/vite.config.ts", ROOT / "tests/conftest.py"]
    files += [*ROOT.glob("scripts/*.py"), *ROOT.glob("tests/browser/*.py")]
    assert {word for file in files for word in re.findall("RATSCREW_[A-Z_]+", file.read_text())} == OTHER_VARIABLES
