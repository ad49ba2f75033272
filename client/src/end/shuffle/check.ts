// Verifies the shuffle of a finished game, from its commitment, its events and what this page has stored.
import { savedShuffle } from '../../net/nonces'
import type { TableEvent } from '../../room/public-view'
import type { Card, Finished } from '../../wire'
import { deal } from './deal'
import { commitmentOf, drawsOf, promiseOf } from './commitment'

export type What = 'promise' | 'commitment' | 'mine' | 'dealer' | 'deck'

/** The checks, and whether each passes; null if it does not apply. */
export interface Checked {
  verdict: 'fair' | 'unfair' | 'laid_out' | 'uncommitted'
  found: { what: What; holds: boolean | null }[]
  /** How many cards were seen to match the shuffle. */
  seen: number
}

export function check({ game, seed, events: happened }: Finished): Checked {
  const events = happened.map(({ e }) => e)
  const committed = events.find((event) => event.e === 'committed')
  const began = events.find((event) => event.e === 'dealt_public')
  if (!committed || !began)
    return { verdict: events.some(({ e }) => e === 'laid_out') ? 'laid_out' : 'uncommitted', found: [], seen: 0 }
  const { promise, commitment, nonces } = committed
  const secret = seed ?? ''
  const { rules, cards_held: held, standing: to, pile = [] } = began
  const seats = held.length
  const draw = drawsOf(game, secret, nonces)
  const dealt = (to.turn - (rules.direction === 'cw' ? 1 : -1) + seats) % seats
  const dealer = game.endsWith('-1') ? draw(seats) : dealt
  const again = deal(rules, seats, dealer, draw)
  const counted =
    again.hands.every((hand, seat) => hand.length === held[seat]) &&
    String(again.pile) === String(pile.map(([card]) => card))
  const { seen, astray } = follow(again.hands, events)
  const kept = savedShuffle(game)
  const promised =
    promise === null
      ? !kept?.promise && null
      : promiseOf(game, secret) === promise && (kept?.promise ?? promise) === promise
  const mine =
    kept?.given.length && kept.commitment
      ? kept.given.every((number) => nonces.includes(number)) && kept.commitment === commitment
      : null
  const found: Checked['found'] = [
    { what: 'promise', holds: promised },
    { what: 'mine', holds: mine },
    { what: 'commitment', holds: commitmentOf(game, secret, nonces) === commitment },
    { what: 'dealer', holds: dealer === dealt },
    { what: 'deck', holds: counted && !astray },
  ]
  return { verdict: found.some(({ holds }) => holds === false) ? 'unfair' : 'fair', found, seen }
}

/** Compares the cards that left each hand, as far as they were dealt to it, with the shuffle. */
function follow(hands: Card[][], events: readonly TableEvent[]): { seen: number; astray: boolean } {
  const left = hands.map((hand) => [...hand])
  let seen = 0
  let astray = false
  const out = (seat: number, card: Card | null) => {
    const lay = left[seat]?.shift()
    if (lay === undefined || card === null) return
    seen++
    astray ||= lay !== card
  }
  for (const event of events) {
    switch (event.e) {
      case 'played':
        if (!event.aside) out(event.seat, event.card)
        break
      case 'misplayed':
      case 'exposed':
      case 'given':
        out(event.seat, event.card)
        break
      case 'burned':
        for (let at = 0; at < event.count; at++) out(event.seat, event.cards[at] ?? null)
        break
      case 'eliminated':
        left[event.seat] = []
        break
      case 'split':
      case 'half_taken':
      case 'redealt_public':
        left.length = 0 // from here on the hands are not the dealt ones
    }
  }
  return { seen, astray }
}
