// What is read aloud besides the headlines: cards that challenge, or all, and who has none left. Nothing in this file
// speaks.
import { cardName } from '../cards/card'
import type { View } from '../wire'
import { words } from '../words/room'
import type { TableEvent } from './follow'
import { hopeOf } from './mine'
import type { Withdrawn } from './races'
import { chancesOf } from './read'

/** Their own headlines say who has cards. */
const RETOLD: ReadonlySet<string> = new Set(['dealt', 'reshuffled', 'eliminated'])

/** What an event sounds like; `name` gives a seat's name, or null for my own, and with `all` every card is read. */
export function aloud(event: TableEvent | Withdrawn, before: View | null, view: View | null, name: (seat: number) => string | null, all: boolean): string[] {
  if (!before || !view || RETOLD.has(event.e)) return []
  const spent = view.held.flatMap((held, seat) => (held || !before.held[seat] ? [] : [seat]))
  const out = spent.map((seat) => {
    const who = name(seat)
    return who ? words.say.spent(who) : hopeOf(view, seat)
  })
  if (event.e !== 'played' || !(all || chancesOf(view, event.card))) return out
  return [words.say.turns(name(event.seat) ?? words.say.you, cardName(event.card)), ...out]
}
