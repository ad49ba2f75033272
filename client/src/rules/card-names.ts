// Names in a list of cards: `T` is every ten, `QS` the queen of spades, `JKR` the red joker.
import { cardName, cardSymbol, suitOf } from '../cards/card'
import type { Card } from '../wire'
import { texts } from '../i18n/language'

export function cardGroupName(name: string): { short: string; long: string; red: boolean } {
  const joker = texts.rules.jokers[name]
  if (joker) return { ...joker, red: name === 'JKR' }
  if (name.length === 1) {
    const long = texts.card.ranks[name] ?? name
    return { short: name.replace('T', '10'), long: texts.rules.every(long), red: false }
  }
  const card = name as Card
  return { short: cardSymbol(card), long: cardName(card), red: 'HD'.includes(suitOf(card) ?? '-') }
}
