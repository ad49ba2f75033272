"""Which tests run on which engine, and what the list of those that cannot pass on one lets through.

The list is tests/browser/engines.toml.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import Any

import pytest

import debian
import install
import run_tests
from tests.browser import conftest
from tests.browser.engines import must_fail, read_exceptions, reason_for, shown_by_one_engine


def test_a_listed_test_may_fail() -> None:
    with must_fail("no touch"):
        raise ValueError
    with must_fail("no touch"):
        pytest.fail("a timeout")


def test_a_listed_test_that_passes_is_an_error_which_names_the_entry() -> None:
    with pytest.raises(AssertionError, match=r"remove its entry .*no touch"), must_fail("no touch"):
        pass


def test_a_listed_test_that_is_skipped_or_interrupted_stays_so() -> None:
    for stop in (pytest.skip.Exception, KeyboardInterrupt):
        with pytest.raises(stop), must_fail("no touch"):
            raise stop


def test_an_entry_covers_one_test_or_all_its_parameters() -> None:
    entries = {"a.py::all": "for all", "a.py::one[de]": "for one"}
    assert [reason_for(test, entries) for test in ("a.py::all[de]", "a.py::one[de]", "a.py::one[en]", "a.py::al")] == [
        "for all",
        "for one",
        None,
        None,
    ]


@pytest.mark.parametrize("entry", ['test = "a"', 'test = "a"\nreason = " "', 'test = "a"\nreason = "b"\nsince = 1'])
def test_an_entry_without_a_reason_or_with_more_than_that_is_refused(tmp_path: Path, entry: str) -> None:
    file = tmp_path / "engines.toml"
    file.write_text(f"[[firefox]]\n{entry}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="needs `test` and `reason`"):
        read_exceptions("firefox", file)


class Item:
    """A test as pytest collects it, with the arguments of its mark `one_engine`, if it has one."""

    def __init__(self, *arguments: str, marked: bool = True) -> None:
        self.nodeid, self._mark = "a.py::all", pytest.mark.one_engine(*arguments).mark if marked else None

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        """Its mark."""
        return self._mark if name == "one_engine" else None


class Config:
    """What is told of tests that are left out."""

    def __init__(self) -> None:
        self.hook, self.left_out = self, list[Item]()

    def pytest_deselected(self, items: list[Item]) -> None:
        """Note them."""
        self.left_out += items


@pytest.mark.parametrize(("engine", "left_out"), [("chromium", 0), ("firefox", 1)])
def test_a_test_of_one_engine_runs_on_chromium_alone(
    monkeypatch: pytest.MonkeyPatch, engine: str, left_out: int
) -> None:
    monkeypatch.setattr(conftest, "ENGINE", engine)
    config, everywhere, one = Config(), Item(marked=False), Item("It is the server's.")
    items: Any = [everywhere, one]
    conftest.pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]
    assert items == [everywhere, one][: 2 - left_out]
    assert config.left_out == [one] * left_out


@pytest.mark.parametrize("arguments", [(), (" ",), ("why", "else")])
def test_a_test_of_one_engine_says_why(arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        shown_by_one_engine(Item(*arguments))  # type: ignore[arg-type]


def test_every_listed_test_exists() -> None:
    for test in read_exceptions("firefox"):
        path, _, name = test.partition("[")[0].partition("::")
        functions = ast.parse((install.ROOT / path).read_text(encoding="utf-8")).body
        assert name in {function.name for function in functions if isinstance(function, ast.FunctionDef)}, test


def test_all_run_on_firefox_too_unless_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "distribution", lambda: "debian")
    for cores, step in ((2, "firefox"), (3, "firefox"), (4, "all-firefox")):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        steps, _ = run_tests.choose([])
        assert {"firefox", "all-firefox"} & {*steps} == {step}
        said = "; with fewer than 4 cores, on Firefox only what is marked each_engine" in run_tests.summary(steps, [])
        assert said == (cores < 4)
