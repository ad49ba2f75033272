// What is said of a pattern that nobody slapped, and of a slap where there was none. Nothing in this file shows it.
import { cardName, cardSign } from '../cards/card'
import { patternName } from '../room/headline'
import type { Room } from '../room/room.svelte'
import type { View } from '../wire'
import { words } from '../words/room'

export interface Hint {
  text: string
  aloud: string
}

/** Gives this room's hints, as long as it is shown. */
export function hints(room: Room): () => void {
  const ear: Parameters<typeof room.ears.add>[0] = (message, when) => {
    if (when !== 'live') return
    if (message.t === 'missed') room.says.explain(overlooked(message.patterns))
    if (message.t !== 'told' || message.e.e !== 'fouled') return
    if (room.yours.includes(message.e.seat) && room.view) room.says.explain(nothingOn(room.view))
  }
  room.ears.add(ear)
  return () => room.ears.delete(ear)
}

/** Nobody slapped what lay there; a slap would have been called by the first of the patterns. */
export function overlooked([pattern]: readonly string[]): Hint | null {
  if (!pattern) return null
  const text = words.hint.missed[pattern] ?? words.hint.other(patternName(pattern))
  return { text, aloud: text }
}

/** Why a slap was wrong on a pile that lay so. */
export function nothingOn(view: Pick<View, 'pile'>): Hint | null {
  const { nothing, alone, dead } = words.hint
  const [top, under] = [view.pile.at(-1), view.pile.at(-2)]
  if (!top) return null
  if (top[1] !== 'live' || !top[0]) return { text: dead, aloud: dead }
  const below = under?.[1] === 'live' ? under[0] : null
  if (!below) return { text: alone(cardSign(top[0])), aloud: alone(cardName(top[0])) }
  return { text: nothing(cardSign(top[0]), cardSign(below)), aloud: nothing(cardName(top[0]), cardName(below)) }
}
