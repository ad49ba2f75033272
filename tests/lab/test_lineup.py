"""Parsing line-ups: names, changed traits, and error messages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ratscrew.bots.ladder import BOTS
from ratscrew.bots.reflex_bot import ReflexBot
from ratscrew.bots.reflexes import STRENGTHS
from ratscrew.errors import RulesError
from ratscrew.lab.lineup import fill_seats, parse_bot, parse_lineup


def test_a_bot_is_found_by_its_name() -> None:
    assert parse_lineup(["gentle", "sharp"]) == [ReflexBot(STRENGTHS["gentle"]), ReflexBot(STRENGTHS["sharp"])]


def test_a_trait_of_a_part_of_a_bot_is_changed_and_no_other() -> None:
    own = replace(STRENGTHS["steady"], miss=0.25, pace_us=500_000)
    assert parse_bot("steady:miss=0.25:pace_us=500000") == ReflexBot(own)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["cheops", "steady"], "bots of strength 'cheops': there are " + ", ".join([*BOTS, "quiet"])),
        (["steady:wit=1"], "'wit' of the bot 'steady:wit=1': unknown trait; known are mu_us, sigma_us,"),
        (["steady:miss"], "'miss' of the bot 'steady:miss': write a trait as trait=number"),
        (["steady:miss=often"], "miss = often of the bot 'steady:miss=often': it must be a number"),
        (["steady:miss=1.5"], "miss = 1.5 of the bot 'steady:miss=1.5': it must be from 0 to 1"),
        (["steady:miss=nan"], "it must be from 0 to 1"),
        (["steady:pace_us=-1"], "pace_us = -1 of the bot 'steady:pace_us=-1': it must be 0 or more"),
        (["steady:pace_us=0.5"], "it must be a whole number"),
    ],
)
def test_what_is_wrong_with_a_bot_is_said(words: list[str], says: str) -> None:
    with pytest.raises(RulesError) as error:
        parse_lineup(words)
    assert len(error.value.problems) == 1
    assert says in error.value.problems[0]


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(RulesError) as error:
        parse_lineup(["cheops", "nothing", "cheops"])
    assert len(error.value.problems) == 2


def test_bots_join_in_turn_until_all_seats_are_taken() -> None:
    assert fill_seats(["a", "b"], 5) == ("a", "b", "a", "b", "a")


def test_more_bots_than_seats_are_refused() -> None:
    with pytest.raises(RulesError, match="3 bots are named for 2 players: a, b, c"):
        fill_seats(["a", "b", "c"], 2)
