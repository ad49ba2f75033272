"""What a seat's page sends, as the judge receives it. Its clock agrees with ours; times count from a card's reveal.

paints(live, 1, 5)              # Bo's page has painted the newest card 5 ms late
says(live, 1, 406)              # at 406 by its clock nothing had been slapped that has not come
presses(live, 1, 400)           # Bo's hand comes now, stamped 400
"""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.judge.credit import Credit
from ratscrew.table.record.effects import Effect
from ratscrew.table.record.entries import Judged, Measured, SlapRecord
from ratscrew.table.session.slap_measurement import Press
from ratscrew.table.session.slap_tracker import FLAT, SlapContact
from tests.table.driver import LiveTable, change_seat


def at_ms(live: LiveTable, ms: float, n: int | None = None) -> int:
    """The moment so long after card `n` was shown, or the newest."""
    assert live.table.session
    return live.table.session.tracker.reveal_us(live.game.n if n is None else n) + round(ms * 1000)


def wait(live: LiveTable, ms: float, n: int | None = None) -> None:
    """Let time pass until so long after card `n` was shown."""
    live.until(at_ms(live, ms, n))


def paints(live: LiveTable, seat: int, ms: float = 0, n: int | None = None) -> None:
    """The page has painted card `n` so long after its moment."""
    live.page_state(seat).record_paint(live.game.n if n is None else n, at_ms(live, ms, n), live.now_us)


def says(live: LiveTable, seat: int, ms: float) -> None:
    """The page's heartbeat of that moment comes now."""
    live.page_state(seat).record_heartbeat(at_ms(live, ms), live.now_us)
    live.act(live.table.tick(live.now_us))


def presses(live: LiveTable, seat: int, ms: float, n: int | None = None, palm: SlapContact = FLAT) -> Sequence[Effect]:
    """A hand on card `n` comes now, and was pressed at that moment by the page's clock."""
    n = live.game.n if n is None else n
    return live.act(live.table.slap(seat, n, Press(live.now_us, None, at_ms(live, ms, n)), live.now_us, palm))


def sends_slap(live: LiveTable, seat: int, ms: float, serial: int = 1) -> None:
    """A slap pressed at that moment arrives now by the page's main socket, and the page's state records it."""
    live.page_state(seat).record_press(seat, (serial, 1), at_ms(live, ms), live.now_us)
    presses(live, seat, ms)


def credit(live: LiveTable, seat: int, **given: object) -> None:
    """Set a player's credit: 25 free and 50 in the purse, or as given."""
    change_seat(live.table, seat, credit=Credit(**given))  # type: ignore[arg-type]


def verdict_ms(live: LiveTable) -> float:
    """When the verdict on the newest race came."""
    judged = [(entry.at_us, entry.event.n) for entry in live.entries if isinstance(entry.event, Judged)]
    assert judged, "there was no verdict"
    at_us, n = judged[-1]
    return (at_us - at_ms(live, 0, n)) / 1000


def hits(live: LiveTable) -> list[SlapRecord]:
    """Every slap that was judged so far, in the order of the log."""
    notes = [entry.event for entry in live.entries if isinstance(entry.event, Judged | Measured)]
    return [hit for note in notes for hit in (note.order if isinstance(note, Judged) else (note.slap,))]
