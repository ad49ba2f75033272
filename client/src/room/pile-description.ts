// The pile as text, for screen readers. Shows nothing.
import { cardName } from '../cards/card'
import { VISIBLE_CARDS } from '../table/table-layout'
import type { View } from '../wire'
import { texts } from '../i18n/table'

/** The pile as it lies there, newest card first: the cards whose faces can be seen. */
export function pileDescription(view: View | null): string {
  const pile = view?.pile ?? []
  const first = pile.findIndex(([, kind]) => kind === 'live') // what lies below it is burned, and under the pile
  const seen = pile.slice(Math.max(first, 0)).slice(-VISIBLE_CARDS).reverse()
  const cards = seen.flatMap(([card, kind]) =>
    card ? [kind === 'live' ? cardName(card) : texts.say.dead(cardName(card))] : [],
  )
  return cards.length ? texts.say.pile(cards.join(', ')) : texts.say.noPile
}
