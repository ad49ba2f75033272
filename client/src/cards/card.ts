// A card's rank, suit and name. Draws nothing.
import type { Card } from '../wire'
import { texts } from '../i18n/language'
import type { Suit } from './shapes'

export const rankOf = (card: Card): string => card.slice(0, -1)

export const suitOf = (card: Card): Suit | null => (card.startsWith('JK') ? null : (card.slice(-1) as Suit))

/** Every card that there is. */
export const CARDS = [...'23456789TJQKA']
  .flatMap((rank) => [...'CDHS'].map((suit) => rank + suit))
  .concat('JKB', 'JKR') as Card[]

const SIGNS: Record<Suit, string> = { C: '♣', D: '♦', H: '♥', S: '♠' }
const AS_TEXT = '\uFE0E' // without it some phones print a coloured emoji

/** Short, for the eye: 10♥. */
export function cardSymbol(card: Card): string {
  const suit = suitOf(card)
  return suit ? rankOf(card).replace('T', '10') + SIGNS[suit] + AS_TEXT : texts.card.joker
}

/** In full, for the ear: 10 of hearts. */
export function cardName(card: Card): string {
  const suit = suitOf(card)
  return suit ? texts.card.name(rankName(card), texts.card.suits[suit]) : texts.card.joker
}

/** In brief, for the ear: 10, hearts. */
export function cardBrief(card: Card): string {
  const suit = suitOf(card)
  return suit ? `${rankName(card)}, ${texts.card.suits[suit]}` : texts.card.joker
}

export const rankName = (card: Card): string => texts.card.ranks[rankOf(card)] ?? rankOf(card)
