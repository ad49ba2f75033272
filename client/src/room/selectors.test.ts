// Values derived from a view: challenges, turns, locks and countdowns.
import { expect, test } from 'vitest'
import { after, dealt, played, toPlay } from '../testing'
import {
  chancesOf,
  challengeOf,
  holdsAll,
  lockOf,
  owesForehead,
  seatOrder,
  topCard,
  turnOf,
  countdownLength,
} from './selectors'

test('a card gives the chances of its rank, or of itself where the house names it', () => {
  const view = dealt([3, 3], { chances: { K: 3, KH: 5 } })
  expect([chancesOf(view, 'KS'), chancesOf(view, 'KH'), chancesOf(view, '7S')]).toEqual([3, 5, 0])
})

test('a challenge is the newest card that gives chances, whatever was laid on it', () => {
  const to = toPlay(0, { challenger: 1, chances_left: 2 })
  const view = after(
    dealt([3, 3]),
    played(1, 'QS', 1, toPlay(0, { challenger: 1, chances_left: 3 })),
    played(0, '4D', 2, to),
  )
  expect(challengeOf(view)).toEqual({ by: 1, card: 'QS', left: 2, chances: 2 })
  expect(challengeOf(after(view, { e: 'passed', standing: toPlay(0) }))).toBeNull()
})

test('a dead queen challenges nobody', () => {
  const queen = after(dealt([3, 3]), played(1, 'KS', 1, toPlay(0, { challenger: 1, chances_left: 3 })), {
    e: 'misplayed',
    seat: 1,
    card: 'QS',
    place: 'top',
  })
  expect(challengeOf(queen)?.card).toBe('KS')
  expect(topCard(queen)).toBe('KS')
})

test('a card is asked for while it is played, and at the last chance while there are cards to turn', () => {
  const view = dealt([3, 3])
  expect(turnOf(view)).toBe(0)
  expect(turnOf({ ...view, standing: toPlay(1, { phase: 'last_chance', chances_left: 1 }) })).toBe(1)
  expect(turnOf({ ...view, standing: toPlay(1, { phase: 'last_chance' }) })).toBeNull()
  expect(turnOf({ ...view, standing: toPlay(1, { phase: 'won' }) })).toBeNull()
  expect(turnOf(null)).toBeNull()
})

test('a lock of so many cards grows shorter with each of them', () => {
  const locked = after(dealt([3, 3]), { e: 'locked', seat: 1, until: 3 })
  expect(lockOf(locked, 1)).toBe(3)
  const later = after(locked, played(0, '5H', 1, toPlay(1)), played(1, '6H', 2, toPlay(0)))
  expect(lockOf(later, 1)).toBe(1)
  expect(lockOf(after(later, played(0, '7H', 3, toPlay(1))), 1)).toBeNull()
  expect(lockOf(after(dealt([3, 3]), { e: 'locked', seat: 1, until: 'game' }), 1)).toBe('game')
})

test('a forehead is owed where the house wants it, once touched no more', () => {
  const all = dealt([3, 3], { redneck: 'all' })
  expect(owesForehead(all, 0)).toBe(true)
  expect(owesForehead(after(all, { e: 'touched', seat: 0 }), 0)).toBe(false)
  const some = dealt([3, 3], { redneck: 'convicted' })
  expect(owesForehead(some, 0)).toBe(false)
  expect(owesForehead(after(some, { e: 'fouled', seat: 0, streak: 1 }), 0)).toBe(true)
  expect(owesForehead(dealt([3, 3]), 0)).toBe(false)
})

test('who holds every card, and leaves none on the pile, has won', () => {
  const view = dealt([0, 5])
  expect(holdsAll(view, 1)).toBe(true)
  expect(holdsAll(view, 0)).toBe(false)
  expect(holdsAll(dealt([1, 4]), 1)).toBe(false)
  expect(holdsAll({ ...view, pile: [['5H', 'live']] }, 1)).toBe(false)
})

test('newcomers sit behind those who are in the circle', () => {
  expect(seatOrder({ ...dealt([3, 3]), circle: [1, 0] }, 4)).toEqual([1, 0, 2, 3])
  expect(seatOrder(null, 2)).toEqual([0, 1])
})

test('each countdown has the length that the house gives it', () => {
  const view = dealt([3, 3], { turn_ms: 5000, collect_delay_ms: 900, contest_ms: 3000 })
  expect(countdownLength(view, 'turn')).toBe(5000)
  expect(countdownLength(view, 'collect')).toBe(900)
  expect(countdownLength(view, 'claim')).toBe(3000)
  const byHand = { ...dealt([3, 3], { turn_ms: 5000, collect: 'manual' }), standing: toPlay(1, { phase: 'won' }) }
  expect(countdownLength(byHand, 'collect')).toBe(5000)
})
