// What people call the names in a list of cards: `T` every ten, `QS` the queen of spades, `JKR` the red joker.
import { cardName, cardSign, suitOf } from '../cards/card'
import type { Card } from '../wire'
import { words } from '../words'

export function called(name: string): { short: string; long: string; red: boolean } {
  const joker = words.rules.jokers[name]
  if (joker) return { ...joker, red: name === 'JKR' }
  if (name.length === 1) {
    const long = words.card.ranks[name] ?? name
    return { short: name.replace('T', '10'), long: words.rules.every(long), red: false }
  }
  const card = name as Card
  return { short: cardSign(card), long: cardName(card), red: 'HD'.includes(suitOf(card) ?? '-') }
}
