"""The result of a finished game, from its log alone: who was placed where, and why it is not rated, if it is not.

The winner is first. The others are ranked by when they were last in play, with cards and at the table: the later, the
better. So a player who leaves is ranked by when they left, and so is one who lets their turns pass and does not return.
A player who was voted out has no place, and neither has one who did not take part: who was away, or began to act when
the game could already be judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from ratscrew.accounts.played import AccountGame
from ratscrew.accounts.results import GameResult, RankedPlayer, Unrated
from ratscrew.game.events import Dealt
from ratscrew.game.evolve import evolve
from ratscrew.game.state import Game
from ratscrew.judge.suspicion import SlapTrace
from ratscrew.rules.link import to_link
from ratscrew.table.record.entries import (
    AccountLinked,
    Committed,
    Entry,
    Idle,
    Judged,
    LateSlap,
    Left,
    Listed,
    Measured,
    Sat,
    SlapRecord,
    TookPart,
    is_game_event,
)
from ratscrew.table.record.room_kind import RatingTerms
from ratscrew.table.state.rejudge import traces

BEGINS_WITHIN = 4
"""A player takes part who acts within so many cards for each seat: nobody sees how it goes before they decide."""


class Settled(NamedTuple):
    """A finished game: its result, and what is stored of it under each account."""

    result: GameResult
    played: dict[str, AccountGame]


def game_result(name: str, entries: Sequence[Entry]) -> GameResult | None:
    """The result of a game by the entries of its log; None if it is not over, or no player has an account."""
    settled = settle(name, entries)
    return settled.result if settled else None


def settle(name: str, entries: Sequence[Entry]) -> Settled | None:
    """What the community stores of a game; None if it is not over, or no player has an account."""
    sat, linked = dict[int, Sat](), dict[int, AccountLinked]()
    last, left, idle = dict[int, int](), dict[int, int](), dict[int, int]()
    game: Game | None = None
    dealt: Game | None = None
    shuffled, unvouched, without = False, set[int](), set[int]()
    listed = False
    terms: RatingTerms | None = None
    part, voted_out, voters = set[int](), set[int](), set[int]()
    for v, entry in enumerate(entries):
        event = entry.event
        if is_game_event(event):
            game = evolve(game, event)
            if isinstance(event, Dealt):
                dealt = game
            last |= dict.fromkeys(game.holders, v)
            without |= set(range(len(game.hands))) - set(game.holders)
            if game.over:
                break
            continue
        match event:
            case Sat(seat):
                sat[seat] = event
            case AccountLinked(seat) if dealt is None:  # later ones do not count: a player could wait for the outcome
                linked[seat] = event
            case Left(seat, _, by):
                left.setdefault(seat, v)
                if by and dealt:
                    voted_out.add(seat)
                    voters.update(by)
            case RatingTerms():
                terms = event
            case TookPart(seat) if game is not None and game.n <= BEGINS_WITHIN * len(game.hands):
                part.add(seat)
            case Idle(seat, on):
                idle.pop(seat, None)
                if on:
                    idle[seat] = v
            case Committed():
                shuffled = True
            case Listed(on):
                listed = listed or on
            case Judged(order=slaps):
                unvouched |= {slap.seat for slap in slaps if not _vouched(slap)}
            case Measured(slap=slap) | LateSlap(slap=slap) if not _vouched(slap):
                unvouched.add(slap.seat)
    left = idle | left
    if game is None or dealt is None or not game.over or not linked:
        return None
    seats = range(len(dealt.hands))
    people = [seat for seat in seats if sat[seat].bot is None]
    accounts = {seat: linked[seat].account for seat in people if seat in linked and linked[seat].account}
    if not accounts:
        return None
    networks = [linked[seat].network for seat in accounts]
    unrated: dict[Unrated, bool] = {
        "bots": len(people) < len(seats),
        "guests": len(accounts) < len(people),
        "prepared": not shuffled,
        "same_player": len(set(accounts.values())) < len(accounts),
        "same_network": None in networks or len(set(networks)) < len(networks),
        "unvouched": not unvouched.isdisjoint(people),
        "late_join": len(game.hands) > len(dealt.hands),
        "no_winner": game.winner is None,
    }
    if terms:  # what players do after the deal voids nothing for the others
        unrated = dict.fromkeys(terms.unrated, True) | {"no_winner": game.winner is None}
        if not terms.unrated:
            accounts = {seat: account for seat, account in accounts.items() if seat in part}
            unrated["absent"] = len(accounts) < 2
    accounts = {seat: account for seat, account in accounts.items() if seat not in voted_out}
    in_play = {seat: min(last.get(seat, 0), left.get(seat, len(entries))) for seat in seats}
    if game.winner is not None and game.winner not in left:
        in_play[game.winner] = len(entries)
    ranked = [seat for seat in seats if seat not in voted_out and (not terms or terms.unrated or seat in part)]
    places = tuple(
        RankedPlayer(account, _player_id(sat[seat]), sum(in_play[other] > in_play[seat] for other in ranked))
        for seat, account in sorted(accounts.items())
        if account
    )
    reasons = tuple(reason for reason, holds in unrated.items() if holds)
    house = to_link(dealt.rules)
    hands: dict[int, list[SlapTrace]] = defaultdict(list)
    for player_id, trace in traces(entry.event for entry in entries):
        hands[player_id].append(trace)
    reactions: dict[str, tuple[int, ...]] = {}
    for place in places:
        for trace in hands[place.player_id]:
            if trace.pattern:
                reactions[trace.pattern] = (*reactions.get(trace.pattern, ()), round(trace.reaction_us / 1000))
    against = tuple(account for seat, account in sorted(accounts.items()) if account and seat in voters)
    result = GameResult(name, entry.at_us, house, places, reasons, reactions, against)
    played = {
        place.account: AccountGame(
            name,
            entry.at_us,
            house,
            place.rank,
            len(seats),
            place.player_id,
            {other.account: other.rank for other in places if other is not place},
            tuple(hands[place.player_id]),
            game.winner is not None and place.rank == 0 and game.winner in without,
            reasons,
            listed,
        )
        for place in places
    }
    return Settled(result, played)


def _vouched(slap: SlapRecord) -> bool:
    """Whether the kernel has measured the round trip of a slap's connection."""
    return slap.proof is not None and slap.proof.kernel_us is not None


def _player_id(sat: Sat) -> int:
    return sat.seat if sat.player_id is None else sat.player_id
