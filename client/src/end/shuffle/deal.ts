// Shuffles and deals a deck as docs/shuffle.md specifies: a second time, to verify the first.
import type { Card, Rules } from '../../wire'
import type { Draw } from './commitment'

export interface Deal {
  /** Top card first, by seat. */
  hands: Card[][]
  /** What could not be dealt evenly, and begins the pile. */
  pile: Card[]
}

/** Deals the cards as they must have been dealt. */
export function deal(rules: Rules, seats: number, dealer: number, draw: Draw): Deal {
  const mixed =
    rules.shuffle === 'uniform' ? shuffled(deckFor(rules, seats), draw) : riffled(deckFor(rules, seats), draw)
  const over = rules.remainder === 'pile' ? mixed.length % seats : 0
  const pile = mixed.splice(mixed.length - over)
  const step = rules.direction === 'cw' ? 1 : -1
  const order = Array.from({ length: seats }, (_, place) => (((dealer + (place + 1) * step) % seats) + seats) % seats)
  const hands: Card[][] = Array.from({ length: seats }, () => [])
  order.forEach((seat, place) => {
    hands[seat] =
      rules.deal === 'one_by_one' ? mixed.filter((_, at) => at % seats === place).reverse() : stack(mixed, seats, place)
  })
  return { hands, pile }
}

const RANKS = [...'23456789TJQKA']
const PINOCHLE = RANKS.indexOf('9')
const PLAYERS_TO_A_DECK = 6

function deckFor({ decks: wanted, pack, jokers, remainder }: Rules, seats: number): Card[] {
  const decks = wanted === 'auto' ? Math.ceil(seats / PLAYERS_TO_A_DECK) : wanted
  const one = (pack === 'standard' ? RANKS : RANKS.slice(PINOCHLE)).flatMap((rank) =>
    [...'CDHS'].flatMap((suit) => Array<Card>(pack === 'standard' ? 1 : 2).fill(`${rank}${suit}` as Card)),
  )
  const packs = Array.from({ length: decks }, () => one).flat()
  const more = remainder === 'jokers' ? (seats - ((packs.length + jokers * decks) % seats)) % seats : 0
  return [...packs, ...Array.from({ length: jokers * decks + more }, (_, at): Card => (at % 2 ? 'JKB' : 'JKR'))]
}

function shuffled(deck: Card[], draw: Draw): Card[] {
  for (let at = deck.length - 1; at > 0; at--) {
    const other = draw(at + 1)
    ;[deck[at], deck[other]] = [deck[other]!, deck[at]!]
  }
  return deck
}

function riffled(deck: Card[], draw: Draw): Card[] {
  for (let time = 0; time < 7; time++) {
    const cut = deck.reduce((ones) => ones + draw(2), 0)
    const [left, right] = [deck.slice(0, cut), deck.slice(cut)]
    deck = []
    while (left.length || right.length)
      deck.push((draw(left.length + right.length) < left.length ? left : right).shift()!)
  }
  return deck
}

/** One of the stacks into which a deck is cut, the larger ones first. */
function stack(deck: Card[], seats: number, place: number): Card[] {
  const [least, larger] = [Math.floor(deck.length / seats), deck.length % seats]
  const from = place * least + Math.min(place, larger)
  return deck.slice(from, from + least + (place < larger ? 1 : 0))
}
