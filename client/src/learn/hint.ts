// Hints about a pattern that nobody slapped, and about a wrong slap. Shows nothing.
import { cardName, cardSymbol } from '../cards/card'
import type { Hint } from '../room/announcements.svelte'
import { patternName } from '../room/headline'
import type { Room } from '../room/room.svelte'
import type { View } from '../wire'
import { texts } from '../i18n/table'

/** Gives this room's hints, as long as it is shown. */
export function watchForHints(room: Room): () => void {
  const listener: Parameters<typeof room.listeners.add>[0] = (message, when) => {
    if (when !== 'live') return
    if (message.t === 'missed') room.announcements.showHint(missedPatternHint(message.patterns))
    if (message.t !== 'event' || message.e.e !== 'fouled') return
    if (room.yours.includes(message.e.seat) && room.view) room.announcements.showHint(wrongSlapHint(room.view))
  }
  room.listeners.add(listener)
  return () => room.listeners.delete(listener)
}

/** Nobody slapped what lay there; a slap would have been called by the first of the patterns. */
export function missedPatternHint([pattern]: readonly string[]): Hint | null {
  if (!pattern) return null
  const text = texts.hint.missed[pattern] ?? texts.hint.other(patternName(pattern))
  return { text, aloud: text }
}

/** Why a slap was wrong on a pile that lay so. */
export function wrongSlapHint(view: Pick<View, 'pile'>): Hint | null {
  const { nothing, alone, dead } = texts.hint
  const [top, under] = [view.pile.at(-1), view.pile.at(-2)]
  if (!top) return null
  if (top[1] !== 'live' || !top[0]) return { text: dead, aloud: dead }
  const below = under?.[1] === 'live' ? under[0] : null
  if (!below) return { text: alone(cardSymbol(top[0])), aloud: alone(cardName(top[0])) }
  return { text: nothing(cardSymbol(top[0]), cardSymbol(below)), aloud: nothing(cardName(top[0]), cardName(below)) }
}
