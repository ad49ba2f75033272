"""Whether a game may be rated, decided at its deal: what a player does later cannot change it for the others."""

from __future__ import annotations

from collections.abc import Sequence

from ratscrew.accounts.results import Unrated
from ratscrew.table.session.seat import Seat


def why_unrated(seats: Sequence[Seat], shuffled: bool) -> tuple[Unrated, ...]:
    """Why a game of these seats is not rated, as far as it is known at the deal; nothing if it may be."""
    people = [seat for seat in seats if seat.bot_level is None]
    accounts = [seat.account for seat in people if seat.account]
    networks = [seat.network for seat in people if seat.account]
    pages = [seat.page_state for seat in people]
    reasons: dict[Unrated, bool] = {
        "bots": any(seat.bot for seat in seats),
        "guests": len(accounts) < len(people),
        "prepared": not shuffled,
        "same_player": len(set(accounts)) < len(accounts),
        "same_network": None in networks or len(set(networks)) < len(networks),
        "absent": len(people) < 2 or None in pages,
        "unvouched": any(page and page.rtt_estimator.kernel_us is None for page in pages),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)
