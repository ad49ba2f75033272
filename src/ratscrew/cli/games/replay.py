"""`ratscrew replay GAME`: prints a game from the log as text, or judges its slaps again."""

from __future__ import annotations

import json as text_of
from collections.abc import Iterator, Sequence
from typing import Any

from ratscrew.cli.storage.location import Location
from ratscrew.cli.storage.log_lookup import find_game, open_log
from ratscrew.cli.terminal import echo, one_line
from ratscrew.errors import NotationError, RatscrewError
from ratscrew.game.codec import Codec
from ratscrew.table.history.history import history
from ratscrew.table.record.entries import Entry
from ratscrew.table.registry.restoring import ledger_before
from ratscrew.table.state.rejudge import RejudgedCard, RejudgedSlap, rejudge

AGREES, DIFFERS = 0, 1
_HEAD = ("measured", "estimate", "excess", "credit", "granted", "reaction")


def replay(what: str, where: Location, judge: bool = False, json: bool = False) -> int:
    """Print a game, or judge it again and explain each ruling; returns the exit code, 1 if a ruling differs.

    Raises: RatscrewError if there is no such game, or it was not dealt yet; LogError if the log cannot be read.
    """
    with open_log(where) as log:
        game = find_game(log, what)
        entries = log.read(game)
        ledger = ledger_before(log, game)
    if not judge:
        echo("\n".join(_lines(entries)) if json else _text(game, entries).rstrip("\n"))
        return AGREES
    names = [one_line(sat.name) for sat in history(entries).seats]
    found = list(rejudge((entry.event for entry in entries), ledger))
    agrees = all(trial.agrees for trial in found)
    if json:
        told = [_table(trial, names) for trial in found]
        echo(text_of.dumps({"game": game, "agrees": agrees, "trials": told}))
    else:
        echo(f"{game}, judged again from its log; all times are milliseconds")
        for trial in found:
            echo("", *_explained(trial, names))
        echo("", _total(found))
    return AGREES if agrees else DIFFERS


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    codec = Codec[Entry](Entry)
    return (codec.encode(entry).decode() for entry in entries)


def _text(game: str, entries: Sequence[Entry]) -> str:
    told = history(entries)
    if told.game is None:
        raise RatscrewError(f"{game}: this game has not been dealt yet")
    try:
        return told.text()
    except NotationError as error:
        raise RatscrewError(f"{game}: {error}; --json prints its entries") from error


# Verdicts


def _explained(trial: RejudgedCard, names: Sequence[str]) -> Iterator[str]:
    """A verdict, a line for each hand, and whether it comes out the same."""
    what = "a wrong slap" if trial.pattern is None else trial.pattern or "a slap"
    sure = "" if trial.confidence is None else f", right with a probability of {trial.confidence} %"
    yield f"card {trial.n}: {what}{', a tie that was drawn' * trial.ruling.tie}{sure}"
    wide = max(len(names[hand.slap.seat]) for hand in trial.hands)
    yield f"  {'':{wide}}" + "".join(f"{word:>14}" if word == "credit" else f"{word:>10}" for word in _HEAD)
    counted = dict(trial.ruling.order)
    hands = {hand.slap.seat: hand for hand in trial.hands}
    for seat, us in trial.ruling.order:
        yield f"  {names[seat]:{wide}}{_row(hands[seat])}{_ms(us):>10}"
    yield f"  {'agrees' if trial.agrees else 'DIFFERS'}"
    if not trial.agrees:
        yield f"  in the log: {', '.join(f'{names[hand.slap.seat]} {_ms(hand.slap.us)}' for hand in trial.hands)}"
        for hand in trial.hands:
            if not hand.agrees or hand.slap.us != counted[hand.slap.seat]:
                yield from _doubts(hand, names[hand.slap.seat])


def _row(hand: RejudgedSlap) -> str:
    """What went into a reaction; a hand without proof has nothing to show."""
    judged = hand.judgement
    if judged is None:
        return "".join(f"{'-':>{14 if word == 'credit' else 10}}" for word in _HEAD[:-1])
    credit = f"{_ms(hand.credit.free_us)} + {_ms(hand.credit.purse_us)}"
    first = "".join(f"{_ms(us):>10}" for us in (judged.reported_us, judged.estimate_us, judged.excess_us))
    return f"{first}{credit:>14}{_ms(judged.granted_us):>10}"


def _doubts(hand: RejudgedSlap, name: str) -> Iterator[str]:
    """What does not fit of a hand."""
    proof = hand.slap.proof
    if hand.judgement and hand.judgement.moving:
        yield f"  {name}: this hand was already moving, and does not count"
    if proof and (proof.free_us, proof.purse_us) != (hand.credit.free_us, hand.credit.purse_us):
        yield f"  {name}: in the log the credit is {_ms(proof.free_us)} + {_ms(proof.purse_us)}"
    if proof and hand.judgement and proof.granted_us != hand.judgement.granted_us:
        yield f"  {name}: in the log {_ms(proof.granted_us)} were granted"


def _total(found: Sequence[RejudgedCard]) -> str:
    races = sum(trial.pattern is not None for trial in found)
    different = sum(not trial.agrees for trial in found)
    verdict = f"{different} DIFFER" if different else "all agree"
    return f"races: {races}, wrong slaps: {len(found) - races}; {verdict}"


def _table(trial: RejudgedCard, names: Sequence[str]) -> dict[str, Any]:
    """A verdict for JSON, the hands in the order as judged again."""
    hands = {hand.slap.seat: hand for hand in trial.hands}
    return {
        "n": trial.n,
        "pattern": trial.pattern,
        "tie": trial.ruling.tie,
        "agrees": trial.agrees,
        "confidence_percent": trial.confidence,
        "hands": [{**_hand(hands[seat], names[seat]), "reaction_us": us} for seat, us in trial.ruling.order],
    }


def _hand(hand: RejudgedSlap, name: str) -> dict[str, Any]:
    told = {"seat": hand.slap.seat, "name": name, "logged_us": hand.slap.us, "agrees": hand.agrees}
    if judged := hand.judgement:
        told |= {"measured_us": judged.reported_us, "estimate_us": judged.estimate_us, "excess_us": judged.excess_us}
        told |= {"free_us": hand.credit.free_us, "purse_us": hand.credit.purse_us, "granted_us": judged.granted_us}
    return told


def _ms(us: int) -> str:
    return f"{us / 1000:.1f}"
