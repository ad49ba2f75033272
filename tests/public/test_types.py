"""Type checkers see the types of public names, though they are imported lazily: mypy checks each `assert_type`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import assert_type

from ratscrew import (
    Card,
    Decision,
    Game,
    Rules,
    View,
    cards,
    commands,
    deal,
    decide,
    events,
    evolve,
    house,
    read_game,
    replay,
    view,
    write_game,
)
from ratscrew.bots import BOTS, Bot
from ratscrew.rules import Sheet, from_link, sheet, to_link
from ratscrew.testing import play_bots


def test_public_names_have_types() -> None:
    rules = assert_type(house("wiki"), Rules)
    dealt = assert_type(deal(rules, seats=2, dealer=0, draw=Random(1).randrange), events.Dealt)
    game = assert_type(evolve(None, dealt), Game)
    decision = assert_type(decide(game, commands.Play(game.standing.turn)), Decision)
    log = [dealt, *decision.events]
    assert assert_type(replay(log), Game) == decision.game
    assert assert_type(view(game), View).n == 0
    assert assert_type(read_game(assert_type(write_game(log), str)).events, tuple[events.Event, ...]) == tuple(log)
    assert assert_type(cards.cards("7H 2C"), tuple[Card, ...]) == (Card.parse("7H"), Card.parse("2C"))
    assert assert_type(from_link(to_link(rules)), Rules) == rules
    assert assert_type(sheet(rules), Sheet).sections
    bots = assert_type(BOTS, Mapping[str, Bot])
    played = assert_type(play_bots(rules, [bots["sharp"], bots["gentle"]]), tuple[events.Event, ...])
    assert replay(played).over
