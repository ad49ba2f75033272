"""Games of Beggar-My-Neighbour that others have published: without slaps, ours go as long as theirs.

There a player who has to turn a card and has none has lost (`endgame = must_play`). The deals and their lengths stand
in `tests/golden/playouts.json`, as cards and as they were published: left is the top of a hand, `-` is a number card,
and the first hand leads.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ratscrew.cards import PACK, Card, Hand
from ratscrew.game.commands import Play, Timeout
from ratscrew.game.engine import decide
from ratscrew.game.events import Dealt, Played, Taken
from ratscrew.game.evolve import evolve
from ratscrew.game.playout import Playout, play_out
from ratscrew.game.standing import Standing
from ratscrew.game.state import Game
from ratscrew.rules.house import Rules
from ratscrew.rules.presets import house

GAMES = json.loads((Path(__file__).resolve().parent.parent / "golden" / "playouts.json").read_text())["vectors"]


def set_out(*hands: str, rules: Rules | None = None) -> Game:
    """A game of these hands."""
    left = {rank: [card for card in PACK if str(card)[0] == rank] for rank in "JQKA"}
    numbers = [card for card in PACK if str(card)[0] not in "JQKA"]

    def card(mark: str) -> Card:
        return left.get(mark, numbers).pop()

    dealt = tuple(tuple(map(card, hand)) for hand in hands)
    return evolve(None, Dealt(rules or house("beggar"), dealt, Standing("play", 0)))


def marks(hand: Hand) -> str:
    """A hand in which all number cards are alike."""
    return "".join(str(card)[0] if str(card)[0] in "JQKA" else "-" for card in hand)


def counted(game: Game) -> tuple[int, int, int | None]:
    """Cards turned, piles taken and the winner of a game that ends, command by command."""
    turned = taken = 0
    while not game.over:
        game, events = decide(game, Play(game.standing.turn) if game.standing.phase == "play" else Timeout())
        turned += sum(isinstance(event, Played) for event in events)
        taken += sum(isinstance(event, Taken) for event in events)
    return turned, taken, game.winner


@pytest.mark.parametrize("published", GAMES, ids=[game["rule"] for game in GAMES])
def test_a_published_game_goes_as_long_whatever_its_number_cards_are(published: dict[str, Any]) -> None:
    seen = play_out(set_out(*published["pattern"]))._asdict()
    expected = {name: value for name, value in published["expect"].items() if name != "winner"}
    assert {name: seen[name] for name in expected} == expected
    if "winner" in published["expect"]:
        assert "AB"[seen["winner"]] == published["expect"]["winner"]


@pytest.mark.parametrize(
    ("hands", "winner", "cards", "tricks"),
    [
        pytest.param(("--", "-"), 0, 3, 1, id="the second player cannot go on"),
        pytest.param(("-", "--"), 1, 2, 1, id="nor can the first"),
        pytest.param(("J", "--"), 0, 4, 2, id="a jack takes one card, and the other after it"),
        pytest.param(("A", "----"), 0, 5, 1, id="an ace is worth four cards"),
    ],
)
def test_a_small_game_can_be_counted_on_the_fingers(
    hands: tuple[str, str], winner: int, cards: int, tricks: int
) -> None:
    assert play_out(set_out(*hands)) == Playout("win", winner, cards, tricks)


def test_a_game_is_as_long_as_its_commands_are_many() -> None:
    game = set_out(*GAMES[0]["pattern"])
    seen = play_out(game)
    assert counted(game) == (seen.cards, seen.tricks, seen.winner) == (4791, 670, 0)


def test_a_game_that_stands_still_may_be_a_draw() -> None:
    rules = house(slaps={"double": False, "sandwich": False}, stalemate="draw")
    assert play_out(set_out("-", "-", rules=rules)) == Playout("draw", None, 2, 1)


def test_a_published_deal_is_the_one_that_is_played() -> None:
    for game in GAMES:
        decks = [tuple(map(Card.parse, player["deck"])) for player in game["players"]]
        assert list(map(marks, decks)) == game["pattern"]
