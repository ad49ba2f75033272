"""Rejudge a game from its log: every race and every wrong slap, from the proofs alone. Works on logs only.

What a player could be credited is not taken from the proof but computed again from all their slaps before, so a wrong
purse in a proof shows. The same computation restores a table's credits after a restart of the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ratscrew.game.events import Won
from ratscrew.judge.credit import Credit
from ratscrew.judge.judgement import CardTiming, Judgement, SlapStamps, judge
from ratscrew.judge.race import Contender, Placing, Race, Ruling
from ratscrew.judge.suspicion import SlapTrace
from ratscrew.table.record.entries import Judged, LateSlap, Measured, Proof, Recorded, Sat, SlapRecord
from ratscrew.table.record.verdict_confidence import verdict_confidence

_NOTHING: Mapping[int, Any] = MappingProxyType({})


class Ledger(NamedTuple):
    """The players of a room as its logs have them: the player id of each seat, each player's credit and games won.

    A player keeps their `player_id` as long as the room lasts; `next_player_id` has not been given to anybody. In an
    imported game, which has no such ids, a player has the number of their seat.
    """

    seats: Mapping[int, int] = _NOTHING
    credits: Mapping[int, Credit] = _NOTHING
    next_player_id: int = 0
    wins: Mapping[int, int] = _NOTHING

    def player_id(self, seat: int) -> int:
        return self.seats.get(seat, seat)

    def credit(self, seat: int) -> Credit:
        """The credit of the player at a seat; a new one if they have not slapped yet."""
        return self.credits.get(self.player_id(seat), Credit())

    def after(self, event: Recorded) -> Ledger:
        """The ledger after one more entry of a log."""
        match event:
            case Sat(seat, _, _, player_id):
                player_id = seat if player_id is None else player_id
                next_player_id = max(self.next_player_id, player_id + 1)
                return self._replace(seats={**self.seats, seat: player_id}, next_player_id=next_player_id)
            case Won(seat):
                winner = self.player_id(seat)
                return self._replace(wins={**self.wins, winner: self.wins.get(winner, 0) + 1})
            case Judged(order=order):
                slaps = order
            case Measured(slap=slap):
                slaps = (slap,)
            case _:
                return self
        proven = [(slap, slap.proof) for slap in slaps if slap.proof]
        judged = {self.player_id(slap.seat): _judge(proof, self.credit(slap.seat)).credit for slap, proof in proven}
        return self._replace(credits={**self.credits, **judged})


FRESH = Ledger()
"""The ledger of a room without players."""


class RejudgedSlap(NamedTuple):
    """A slap of the player `player_id`, judged again.

    A slap without a proof, such as a bot's, has no `judgement`, and its reaction stays as logged.
    """

    slap: SlapRecord
    credit: Credit
    judgement: Judgement | None
    player_id: int

    @property
    def reaction_us(self) -> int:
        """The reaction that counts for this slap alone."""
        return max(0, self.judgement.reaction_us) if self.judgement else self.slap.us

    @property
    def agrees(self) -> bool:
        """Whether the slap counts, and as much could be and was credited as the log says."""
        proof, judged = self.slap.proof, self.judgement
        if proof is None or judged is None:
            return True
        now = (self.credit.free_us, self.credit.purse_us, judged.granted_us)
        return not judged.moving and now == (proof.free_us, proof.purse_us, proof.granted_us)


class RejudgedCard(NamedTuple):
    """The slaps of card `n` judged again, in the order of the log; `pattern` is None where there was nothing to slap.

    `agrees` says whether every slap agrees, and order, times and confidence are the log's. A draw's winner is taken
    from the log. `confidence` is computed again where the log has one.
    """

    n: int
    pattern: str | None
    hands: tuple[RejudgedSlap, ...]
    ruling: Ruling
    agrees: bool
    confidence: int | None = None


def rejudge(events: Iterable[Recorded], ledger: Ledger = FRESH) -> Iterator[RejudgedCard]:
    """Judge every race and wrong slap of a game again; `ledger` is that of the room's games before it."""
    for event in events:
        match event:
            case Judged(n, pattern, order, tie):
                yield _with_confidence(event, _rejudged_card(n, pattern, order, tie, ledger))
            case Measured(n, slap):
                yield _rejudged_card(n, None, (slap,), False, ledger)
        ledger = ledger.after(event)


def traces(events: Iterable[Recorded]) -> Iterator[tuple[int, SlapTrace]]:
    """Every slap of a game for statistics, with its player id; none where players judge by their honour.

    A late slap counts as a reaction if the log has the verdict on its card: with the pattern of that race. A trace does
    not depend on the player's credit, so it needs no earlier games.
    """
    ledger, patterns = FRESH, dict[int, str]()
    for event in events:
        found: list[tuple[SlapRecord, str | None]] = []
        match event:
            case Judged(n, pattern, order):
                patterns[n] = pattern
                found = [(slap, pattern) for slap in order]
            case Measured(_, slap):
                found = [(slap, None)]
            case LateSlap(n, slap) if n in patterns:
                found = [(slap, patterns[n])]
        yield from ((ledger.player_id(slap.seat), _trace(slap, pattern)) for slap, pattern in found if pattern != "")
        ledger = ledger.after(event)


def _trace(slap: SlapRecord, pattern: str | None) -> SlapTrace:
    """A slap for statistics; if its page gave usable stamps, the reaction is the one that the page reports."""
    proof = slap.proof
    if proof is None:
        return SlapTrace(slap.us, pattern)
    judged = _judge(proof, Credit())
    apart_us = None if proof.beat_us is None else proof.beat_us - proof.pressed_us
    rtts, page = (proof.app_us, proof.kernel_us, proof.control_us), (proof.paint_us, apart_us, proof.frame_us)
    return SlapTrace(judged.reported_us, pattern, judged.excess_us, proof.lag_us, *rtts, *page)


def credit_after(proof: Proof, credit: Credit) -> Credit:
    """A player's credit after a slap with this proof."""
    return _judge(proof, credit).credit


def _judge(proof: Proof, credit: Credit) -> Judgement:
    """Judge a proof. Its times count from the card's moment and from its painting, so both are 0 here."""
    return judge(SlapStamps(proof.arrived_us, proof.pressed_us, proof.beat_us), CardTiming(0, proof.rtt_us, 0), credit)


def _rejudged_slap(slap: SlapRecord, ledger: Ledger) -> RejudgedSlap:
    credit = ledger.credit(slap.seat)
    return RejudgedSlap(slap, credit, _judge(slap.proof, credit) if slap.proof else None, ledger.player_id(slap.seat))


def _rejudged_card(
    n: int, pattern: str | None, slaps: tuple[SlapRecord, ...], tie: bool, ledger: Ledger
) -> RejudgedCard:
    rejudged = tuple(_rejudged_slap(slap, ledger) for slap in slaps)
    race = Race(n, 0)
    for each in rejudged:
        race = race.add(_contender(each))
    drawn = [_ruling(race, which) for which in range(len(slaps))]
    logged = Ruling(tuple(Placing(slap.seat, slap.us) for slap in slaps), tie)
    same = logged in drawn
    agrees = same and all(each.agrees for each in rejudged)
    return RejudgedCard(n, pattern, rejudged, logged if same else drawn[0], agrees)


def _with_confidence(event: Judged, card: RejudgedCard) -> RejudgedCard:
    if event.confidence is None:
        return card
    confidence = verdict_confidence(event.order, event.unseen)
    return card._replace(confidence=confidence, agrees=card.agrees and confidence == event.confidence)


def _ruling(race: Race, which: int) -> Ruling:
    """The ruling if a tie is drawn so."""
    return race.ruling(lambda many: which % many)


def _contender(rejudged: RejudgedSlap) -> Contender:
    slap, us = rejudged.slap, rejudged.reaction_us
    if slap.proof is None or rejudged.judgement is None:
        return Contender(slap.seat, us, us, us, slap.page)
    return Contender(slap.seat, slap.proof.arrived_us, us, rejudged.judgement.reported_us, slap.page)
