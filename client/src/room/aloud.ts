// What is read aloud besides what matters, for who wants to hear every card. Nothing in this file speaks.
import { cardName } from '../cards/card'
import { words } from '../words/room'
import type { TableEvent } from './follow'
import type { Withdrawn } from './races'

/** What an event sounds like; '' if it is not worth a word even then. `name` gives a seat's name, or null for my own. */
export function every(event: TableEvent | Withdrawn, name: (seat: number) => string | null): string {
  if (event.e !== 'played') return ''
  return words.say.turns(name(event.seat) ?? words.say.you, cardName(event.card))
}
