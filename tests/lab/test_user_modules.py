"""Bots and slap patterns of a user's own modules: played by name, here, in other processes and on a cluster."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import distributed
import msgspec
import pytest

from ratscrew.bots import user_modules
from ratscrew.bots.user_modules import find_bot, load
from ratscrew.errors import RatscrewError, RulesError
from ratscrew.lab.cluster import workers
from ratscrew.lab.executors import process_pool
from ratscrew.lab.experiment import make_experiment
from ratscrew.lab.grid import parse_grid
from ratscrew.lab.kernel.setup import unsupported_reason
from ratscrew.lab.pieces import play_all
from ratscrew.lab.play import play_games
from ratscrew.lab.provenance import provenance
from ratscrew.lab.study import Run, run
from ratscrew.rules.link import from_link
from ratscrew.rules.pattern import PATTERNS
from ratscrew.rules.presets import house

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

EIGHTS = '''
from typing import Annotated
from msgspec import Meta
from ratscrew.rules.pattern import slap

@slap(yes=["8S"], no=["9S"])
def eight(top: int) -> bool:
    """An eight."""
    return top == 6

@slap(yes=[("8S 8D", {"len": 2})], no=[("8S 9S", {"len": 2})])
def eights(*cards: int, len: Annotated[int, Meta(ge=2, le=9)]) -> bool:
    """Eights.

    len: Cards. How many.
    len = {}: {} cards
    """
    return all(rank in (6, -9) for rank in cards)
'''


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with modules, which are forgotten afterwards."""
    (tmp_path / "own_bot.py").write_text((EXAMPLES / "my_bot.py").read_text())
    (tmp_path / "own_eights.py").write_text(EIGHTS)
    (tmp_path / "own_fault.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(user_modules, "_loaded", {})
    importlib.invalidate_caches()
    yield
    for name in ("own_bot", "own_eights"):
        sys.modules.pop(name, None)
    PATTERNS.pop("eight", None)
    PATTERNS.pop("eights", None)
    provenance.cache_clear()


def test_a_bot_of_a_module_plays_by_its_name() -> None:
    """On two processes, which find the module too."""
    experiment = make_experiment(house(), ["own_bot:BOT", "steady"], None, 6, 1)
    assert experiment.user_modules == ("own_bot",)
    once = run(experiment)
    assert (once.wins, once.rates) == ((again := run(experiment, threads=2)).wins, again.rates)
    direct = play_games(house(), [find_bot("own_bot"), *experiment.lineup[1:]], 6, 1)
    assert once.games == direct.games == 6
    assert sum(once.wins) == sum(direct.wins)
    assert once.rates["good_slaps.0"] == direct.good[0] / 6


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("own_bo:BOT", "the module own_bo cannot be imported: ModuleNotFoundError"),
        ("own_fault:BOT", "the module own_fault cannot be imported: ZeroDivisionError: division by zero"),
        ("own_bot:BOX", "the module own_bot has no BOX with a method plan"),
        ("own_bot:BOT:miss=0.5", "unknown trait; known are none"),
        ("own_bot", "a bot of your own is my_module:BOT"),
    ],
)
def test_a_bot_that_is_not_there_is_refused(word: str, says: str) -> None:
    with pytest.raises(RulesError, match=says):
        make_experiment(house(), [word, "steady"], None, 6, 1)


def test_a_pattern_of_a_module_is_played_by_the_kernel_in_other_processes() -> None:
    load("own_eights")
    rules = from_link("1;classic;slaps.eight=true;slaps.double=off;slaps.sandwich=off")
    assert unsupported_reason(rules, []) is None
    experiment = make_experiment(rules, ["steady"], 2, 20, 1, ["own_eights"])
    with process_pool(1) as executor:
        ((_, tally),) = play_all(executor, [experiment])
    assert (
        tally == play_games(rules, experiment.lineup, 20, 1) == play_games(rules, experiment.lineup, 20, 1, engine=True)
    )
    assert not isinstance(tally, Exception)
    assert tally.slaps["eight"] > 0


def test_a_row_of_a_users_own_that_is_too_long_for_the_kernel_is_left_to_the_engine() -> None:
    load("own_eights")
    reasons = [unsupported_reason(from_link(f"1;classic;slaps.eights={length}"), []) for length in (2, 5)]
    assert reasons == [None, "Eights looks at 5 cards"]


def test_a_cluster_gets_the_modules_and_plays_the_same() -> None:
    experiment = make_experiment(house(), ["own_bot:BOT", "steady"], None, 2, 1)
    load("own_eights")
    other = make_experiment(from_link("1;classic;slaps.eight=true"), ["steady"], 2, 4, 1, ["own_eights"])
    here = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    with here, workers(here.scheduler_address, ("own_bot", "own_eights")) as executor:
        found = dict(play_all(executor, [experiment, other]))
        (worker,) = here.workers.values()
        assert {"own_bot.py", "own_eights.py"} <= {file.name for file in Path(worker.local_directory).iterdir()}
    assert found == {each: play_games(each.rules, each.lineup, each.games, 1) for each in (experiment, other)}


def test_a_grid_names_modules() -> None:
    text = 'modules = ["own_eights"]\nplayers = 2\ngames = 2\n[grid]\n"slaps.eight" = [true, false]'
    assert [cell.experiment.modules for cell in parse_grid(text, house)] == [("own_eights",)] * 2
    with pytest.raises(RulesError, match="the module nowhere cannot be imported"):
        parse_grid(text.replace("own_eights", "nowhere"), house)
    with pytest.raises(RulesError, match="modules = 3: it must be a list of names"):
        parse_grid(text.replace('["own_eights"]', "3"), house)


def test_a_result_names_the_sources_of_the_modules_that_played_it(tmp_path: Path) -> None:
    before = provenance(("own_bot",))
    assert before != provenance()
    (tmp_path / "own_bot.py").write_text((tmp_path / "own_bot.py").read_text() + "\n# slower\n")
    provenance.cache_clear()
    assert provenance(("own_bot",)) != before
    with pytest.raises(RatscrewError, match="has no source file"):
        provenance(("sys",))


def test_reading_a_run_imports_nothing() -> None:
    experiment = make_experiment(house(), ["steady"], 2, 2, 1)
    named = msgspec.structs.replace(experiment, modules=("own_fault",))
    text = msgspec.json.encode(msgspec.structs.replace(run(experiment), experiment=named))
    assert msgspec.json.decode(text, type=Run).experiment.rules == house()
