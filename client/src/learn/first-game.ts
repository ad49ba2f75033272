// What a player who plays for the first time should know now. Shows nothing and contains no texts.
import { challengingCard } from '../room/selectors'
import type { TableEvent } from '../room/public-view'
import type { Withdrawn } from '../room/races'
import type { View } from '../wire'

export type Tip = 'turn' | 'watch' | 'beat' | 'won' | 'lost' | 'slapped' | 'wrong' | 'out'

/** How often each tip is shown: who has seen it so often knows it. */
const OFTEN: Record<Tip, number> = { turn: 3, watch: 4, beat: 3, won: 2, lost: 2, slapped: 2, wrong: 2, out: 2 }

export interface Told {
  tip: Tip | null
  counts: Partial<Record<Tip, number>>
}

export const NOTHING_TOLD: Told = { tip: null, counts: {} }

/** The tip after an event that led to this view, for the player at seat `me`. */
export function tipAfter(
  { tip: before, counts }: Told,
  event: TableEvent | Withdrawn | null,
  view: View,
  me: number,
): Told {
  const tip = tipFor(before, event, view, me)
  if (!tip || tip === before) return { tip, counts }
  const shown = (counts[tip] ?? 0) + 1
  return shown > OFTEN[tip] ? { tip: null, counts } : { tip, counts: { ...counts, [tip]: shown } }
}

function tipFor(before: Tip | null, event: TableEvent | Withdrawn | null, view: View, me: number): Tip | null {
  const { phase, turn, challenger = null, reason } = view.standing
  if (phase === 'over') return null
  if (event?.e === 'taken' && event.seat === me && event.reason.startsWith('slap:')) return 'slapped'
  if (event?.e === 'fouled' && event.seat === me) return 'wrong'
  if (event?.e !== 'played' && event?.e !== 'taken' && (before === 'slapped' || before === 'wrong')) return before
  if (phase === 'won') return reason !== 'challenge' && !challengingCard(view) ? before : turn === me ? 'won' : 'lost'
  if (phase !== 'play') return null
  if (!view.cards_held[me]) return 'out'
  if (turn !== me) return 'watch'
  return challenger !== null && challenger !== me ? 'beat' : 'turn'
}

/** What to press for a tip. */
export const pressFor = (tip: Tip | null): 'deck' | 'slap' | null =>
  tip === 'turn' || tip === 'beat' ? 'deck' : tip === 'out' ? 'slap' : null
