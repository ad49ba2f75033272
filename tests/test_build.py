"""How the client is built when the package is installed: the version of node, and when it is built again."""

from __future__ import annotations

from pathlib import Path

import pytest

import hatch_build


@pytest.mark.parametrize("version", ["v20.19.0", "v20.20.2", "v22.12.0", "v24.1.0\n", "v26.0.0"])
def test_a_node_new_enough_is_used(version: str) -> None:
    assert hatch_build.version_fits(version)


@pytest.mark.parametrize("version", ["v18.20.4", "v20.18.3", "v21.7.0", "v22.11.0", "", "nonsense"])
def test_a_node_too_old_is_refused(version: str) -> None:
    assert not hatch_build.version_fits(version)


def test_a_changed_source_makes_the_page_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = tmp_path / "client"
    (client / "src").mkdir(parents=True)
    (client / "package.json").write_text("{}")
    (client / "src" / "main.ts").write_text("one")
    stamp = tmp_path / "stamp"
    for name, path in {"ROOT": tmp_path, "CLIENT": client, "PACKAGE_JSON": client / "package.json"}.items():
        monkeypatch.setattr(hatch_build, name, path)
    monkeypatch.setattr(hatch_build, "PAGE_STAMP", stamp)
    never_built = hatch_build.fresh()
    stamp.write_text(hatch_build.digest(hatch_build.sources()))
    (client / "node_modules").mkdir()
    (client / "node_modules" / "left.js").write_text("what tools leave does not count")
    just_built = hatch_build.fresh()
    (client / "src" / "main.ts").write_text("two")
    assert (never_built, just_built, hatch_build.fresh()) == (False, True, False)


def test_packages_are_fetched_for_other_packages_and_not_for_another_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    (client / "node_modules").mkdir(parents=True)
    package, lock = client / "package.json", client / "package-lock.json"
    places = {"PACKAGE_JSON": package, "MODULES_STAMP": client / "node_modules" / ".stamp"}
    for name, path in {"ROOT": tmp_path, "CLIENT": client, **places}.items():
        monkeypatch.setattr(hatch_build, name, path)
    asked: list[str] = []
    monkeypatch.setattr(hatch_build, "npm", lambda node, *words, hint="": asked.append(words[0]))
    written = [
        ('{"devDependencies": {"vite": "8"}}', "one"),
        ('{"devDependencies": {"vite": "8"}, "scripts": {"dev": "vite"}}', "one"),
        ('{"devDependencies": {"vite": "9"}}', "one"),
        ('{"devDependencies": {"vite": "9"}}', "two"),
    ]
    for package_text, lock_text in written:
        package.write_text(package_text)
        lock.write_text(lock_text)
        hatch_build.run_npm(hatch_build.Node("node", ("npm",)), "run")
    assert asked == ["ci", "run", "run", "ci", "run", "ci", "run"]
