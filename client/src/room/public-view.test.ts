// The public view, event by event, in small games worked out by hand.
import { expect, test } from 'vitest'
import { after, dealt, played, taken, toPlay } from '../testing'
import { applyEvent } from './public-view'

test('nothing is known before a game began', () => {
  expect(applyEvent(null, { e: 'touched', seat: 0 })).toBeNull()
})

test('a card that is played goes from the hand onto the pile', () => {
  const view = after(dealt([3, 3]), played(0, '5H', 1, toPlay(1)), played(1, '9C', 2, toPlay(0)))
  expect(view.cards_held).toEqual([2, 2])
  expect(view.pile).toEqual([['5H', 'live'], ['9C', 'live']])
  expect([view.n, view.opening, view.standing.turn]).toEqual([2, '5H', 0])
})

test('the player who takes the pile has its cards, and the pile is gone', () => {
  const view = after(dealt([3, 3]), played(0, '5H', 1, toPlay(1)), played(1, '5C', 2, toPlay(0)), taken(1, 2, 'slap:double'))
  expect(view.cards_held).toEqual([2, 4])
  expect(view.pile).toEqual([])
  expect(view.standing.turn).toBe(1)
})

test('burned cards lie at the very bottom, the last one lowest, and have no face if nobody saw them', () => {
  const shown = after(dealt([5, 5]), played(0, '5H', 1, toPlay(1)), { e: 'burned', seat: 1, count: 2, cards: ['2C', '3C'], place: 'bottom', face_up: true })
  expect(shown.pile).toEqual([['3C', 'burned'], ['2C', 'burned'], ['5H', 'live']])
  expect(shown.cards_held).toEqual([4, 3])
  const hidden = after(dealt([5, 5]), played(0, '5H', 1, toPlay(1)), { e: 'burned', seat: 1, count: 1, cards: [], place: 'top', face_up: false })
  expect(hidden.pile).toEqual([['5H', 'live'], [null, 'burned']])
})

test('a wrong slap is counted until a right one, and burning pays debts', () => {
  const wrong = after(dealt([5, 5]), played(0, '5H', 1, toPlay(1)), { e: 'fouled', seat: 1, streak: 2 }, { e: 'indebted', seat: 1, cards: 3 })
  expect(wrong.seat_states[1]).toMatchObject({ fouls: 1, streak: 2, streak_n: 1, debt: 3, convicted: true })
  const paid = after(wrong, { e: 'burned', seat: 1, count: 2, cards: ['2C', '3C'], place: 'bottom', face_up: true })
  expect(paid.seat_states[1]!.debt).toBe(1)
  const right = after(paid, taken(1, 3, 'slap:double'))
  expect(right.seat_states[1]).toMatchObject({ fouls: 0, streak: 0, streak_n: -1 })
})

test('a lock until the pile is taken ends with it, and one for the game does not', () => {
  const locked = after(dealt([5, 5]), { e: 'locked', seat: 0, until: 'pile' }, { e: 'locked', seat: 1, until: 'game' })
  const cleared = after(locked, taken(1, 0, 'challenge'))
  expect(cleared.seat_states.map(({ locked }) => locked)).toEqual([0, 'game'])
})

test('a card that came too late to cover a slap goes back to its owner', () => {
  const view = after(dealt([3, 3]), played(0, '5H', 1, toPlay(1)), played(1, '5C', 2, toPlay(0)), played(0, '9D', 3, toPlay(1)))
  const back = after(view, { e: 'withdrawn', seat: 0, card: '9D', standing: toPlay(0), answer_number: 0, aside: false })
  expect(back.pile).toEqual([['5H', 'live'], ['5C', 'live']])
  expect(back.cards_held).toEqual([2, 2])
  expect(back.withdrawn).toBe(1)
})

test('a card laid out of turn is dead, and no card is on turn for it', () => {
  const view = after(dealt([3, 3]), played(0, '5H', 1, toPlay(1)), { e: 'misplayed', seat: 0, card: '6C', place: 'top' })
  expect(view.pile).toEqual([['5H', 'live'], ['6C', 'dead']])
  expect([view.n, view.standing.turn, view.cards_held[0]]).toEqual([1, 1, 1])
})

test('a player who is thrown out leaves all their cards under the pile', () => {
  const view = after(dealt([2, 3]), played(1, '5H', 1, toPlay(0)), { e: 'eliminated', seat: 0, cards: ['2C', '3C'], count: 2, face_up: true })
  expect(view.cards_held).toEqual([0, 2])
  expect(view.pile).toEqual([['3C', 'burned'], ['2C', 'burned'], ['5H', 'live']])
  expect(view.seat_states[0]).toMatchObject({ playing: false, out: true })
})

test('a newcomer is in the game after slapping in, at the chosen place', () => {
  const view = after(dealt([3, 3]), { e: 'arrived', seat: 2 })
  expect(view.cards_held).toEqual([3, 3, 0])
  expect(view.seat_states[2]!.playing).toBe(false)
  const joined = after(view, { e: 'joined', seat: 2, circle: [0, 2, 1] })
  expect([joined.circle, joined.seat_states[2]!.playing]).toEqual([[0, 2, 1], true])
})

test('an event never changes the view before it', () => {
  const before = dealt([3, 3])
  const copy = structuredClone(before)
  after(before, played(0, '5H', 1, toPlay(1)), { e: 'struck', seat: 0, strikes: 1 }, taken(1, 1, 'challenge'))
  expect(before).toEqual(copy)
})
