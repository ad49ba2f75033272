"""The list of mutations can be tried on the source as it is, and what is tried is judged rightly.

`python -m tests.mutations` tries them all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mutations.__main__ import main
from tests.mutations.catalogue import Mutation, problems_of, read_catalogue
from tests.mutations.trial import Copy, Verdict

MUTATIONS = read_catalogue()
LEAST = 60

HALF_LIFE = Mutation(
    "memories last longer",
    "bots/memory.py",
    "HALF_LIFE = 200",
    "HALF_LIFE = 230",
    "tests/bots/test_memory.py::test_so_much_is_recalled_and_half_of_it_200_cards_later",
)


def test_every_mutation_fits_the_source_and_names_a_test() -> None:
    assert [problem for each in MUTATIONS for problem in problems_of(each)] == []


def test_the_list_is_long_and_goes_through_every_part_without_repeating_itself() -> None:
    parts = Counter(each.file.partition("/")[0] for each in MUTATIONS)
    assert parts.keys() >= {"rules", "game", "judge", "bots", "lab", "log", "table"}
    assert parts.total() >= LEAST
    assert sum(each.file.startswith("lab/kernel/") for each in MUTATIONS) >= 5
    assert len({(each.file, each.before, each.after) for each in MUTATIONS}) == len(MUTATIONS)
    assert len({each.mistake for each in MUTATIONS}) == len(MUTATIONS)
    assert sum(bool(each.why_not) for each in MUTATIONS) * 30 <= len(MUTATIONS), "too many are explained, not found"


@pytest.mark.parametrize(
    ("spoiled", "problem"),
    [
        (replace(HALF_LIFE, before="HALF_LIFE = 201"), "0 times, not once"),
        (replace(HALF_LIFE, before="return"), "times, not once"),
        (replace(HALF_LIFE, after="HALF_LIFE ="), "invalid syntax"),
        (replace(HALF_LIFE, after="HALF_LIFE = 200"), "it changes nothing"),
        (replace(HALF_LIFE, file="bots/no_such.py"), "No such file"),
        (replace(HALF_LIFE, test="tests/bots/test_memory.py::test_nothing"), "there is no test"),
        (replace(HALF_LIFE, test="tests/bots/test_memory.py"), "there is no test"),
    ],
)
def test_a_mutation_that_cannot_be_tried_is_refused(spoiled: Mutation, problem: str) -> None:
    (found,) = problems_of(spoiled)
    assert problem in found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of the project."""
    return Copy(tmp_path_factory.mktemp("copy"))


def test_a_mistake_is_found_or_survives_or_could_not_be_tried(copy: Copy) -> None:
    """One after the other in the same copy, so each is undone before the next, also in compiled modules."""
    harmless = replace(HALF_LIFE, after="HALF_LIFE = 100 + 100")
    broken = replace(HALF_LIFE, after="HALF_LIFE = nothing")
    verdicts = [copy.try_out(each).verdict for each in (HALF_LIFE, harmless, HALF_LIFE, broken)]
    assert verdicts == [Verdict.FOUND, Verdict.SURVIVED, Verdict.FOUND, Verdict.BROKEN]


def test_the_command_ends_with_how_many_were_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memories last longer", "--jobs", "1"]) == 0
    assert capsys.readouterr().out.endswith("1 of 1 found\n")


def test_the_copy_is_of_this_project(copy: Copy, tmp_path: Path) -> None:
    code, output = copy.run_tests(["tests/test_cards.py"])
    assert code == 0, output
