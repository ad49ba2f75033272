"""What players get whose slaps have stopped counting before their race was decided."""

from __future__ import annotations

from collections.abc import Container

from ratscrew.errors import RefusalReason
from ratscrew.game.commands import Touch
from ratscrew.game.engine import slap_refusal
from ratscrew.judge.race import Race
from ratscrew.table.effects import Effects, Send
from ratscrew.table.messages import Late, Refused
from ratscrew.table.session.slap_target import SlapTarget


def replies_to_dropped(race: Race, target: SlapTarget | None, counting: Container[int]) -> Effects:
    """The replies to the contenders of a race whose slaps do not count any more: they were too late, or are refused."""
    effects: Effects = []
    for each in (each for each in race.contenders if each.seat not in counting):
        why = (slap_refusal(target.game, Touch(each.seat)) if target else None) or RefusalReason.TOO_LATE
        if why in (RefusalReason.TOO_LATE, RefusalReason.EMPTY_PILE):
            effects.append(Send(Late(each.seat, race.n, each.reaction_us)))
        else:
            effects.append(Send(Refused("slap", why.value), each.seat))
    return effects
