// The tips of the first game: what is said when, and that nothing is said for ever.
import { expect, test } from 'vitest'
import { after, dealt, played, taken, toPlay } from '../testing'
import { NOTHING_TOLD, pressFor, tipAfter, type Told } from './first-game'

const start = dealt([5, 5])
const none = (e: Told) => e.tip

test('the first turn says what to press, and the others\u2019 turn what to watch for', () => {
  expect(none(tipAfter(NOTHING_TOLD, null, start, 0))).toBe('turn')
  expect(pressFor('turn')).toBe('deck')
  const event = played(0, '5H', 1, toPlay(1))
  expect(none(tipAfter(NOTHING_TOLD, event, after(start, event), 0))).toBe('watch')
})

test('a challenge says how it is beaten, and its end who has the pile', () => {
  const king = played(1, 'KS', 2, toPlay(0, { challenger: 1, chances_left: 3 }))
  const view = after(start, king)
  expect(none(tipAfter(NOTHING_TOLD, king, view, 0))).toBe('beat')
  const won = { ...view, standing: toPlay(1, { phase: 'won', reason: 'challenge' }) }
  expect(none(tipAfter(NOTHING_TOLD, null, won, 0))).toBe('lost')
  expect(none(tipAfter(NOTHING_TOLD, null, won, 1))).toBe('won')
})

test('a good slap is praised and a wrong one explained, until the next card', () => {
  const event = taken(0, 4, 'slap:double')
  const praised = tipAfter(NOTHING_TOLD, event, start, 0)
  expect(praised.tip).toBe('slapped')
  const next = played(0, '5H', 1, toPlay(1))
  expect(none(tipAfter(praised, next, after(start, next), 0))).not.toBe('slapped')
  expect(none(tipAfter(NOTHING_TOLD, { e: 'fouled', seat: 0, streak: 1 } as never, start, 0))).toBe('wrong')
})

test('a player without cards learns that they can slap their way back', () => {
  const view = { ...start, cards_held: [0, 5], standing: toPlay(1) }
  expect(none(tipAfter(NOTHING_TOLD, null, view, 0))).toBe('out')
})

test('nothing is said more than a few times', () => {
  let told = NOTHING_TOLD
  const said: (string | null)[] = []
  for (let n = 1; n < 9; n++) {
    told = tipAfter(told, null, start, 0)
    said.push(told.tip)
    told = tipAfter(told, null, { ...start, standing: toPlay(0, { phase: 'over' }) }, 0)
  }
  expect(said.filter((tip) => tip === 'turn')).toHaveLength(3)
  expect(said.at(-1)).toBeNull()
})
