// The pile in words, for players who do not see it. Nothing in this file is shown.
import { cardName } from '../cards/card'
import { SHOWN } from '../table/ground'
import type { View } from '../wire'
import { words } from '../words/room'

/** The pile as it lies there, newest card first: the cards whose faces can be seen. */
export function pileAloud(view: View | null): string {
  const pile = view?.pile ?? []
  const first = pile.findIndex(([, kind]) => kind === 'live') // what lies below it is burned, and under the pile
  const seen = pile.slice(Math.max(first, 0)).slice(-SHOWN).reverse()
  const cards = seen.flatMap(([card, kind]) => (card ? [kind === 'live' ? cardName(card) : words.say.dead(cardName(card))] : []))
  return cards.length ? words.say.pile(cards.join(', ')) : words.say.noPile
}
