// Where a replay stops, worked out by hand.
import { expect, test } from 'vitest'
import type { TableEvent } from '../room/public-view'
import { RULES, hit, played, taken, toPlay } from '../testing'
import type { Finished } from '../wire'
import { after, before, stopsOf, waitOf } from './stops'

const told: [number, TableEvent][] = [
  [-5, { e: 'sat', seat: 0, name: 'Ana', bot: null, player_id: null, appearance: null }], // 1
  [0, { e: 'dealt_public', rules: RULES, cards_held: [2, 2], pile: [], standing: toPlay(0) }], // 2
  [800, played(0, '9S', 1, toPlay(1))], // 3
  [9800, played(1, '9H', 2, toPlay(0))], // 4
  [10_100, { e: 'judged', n: 2, pattern: 'double', order: [hit(0, 300_000)], tie: false, confidence: null, unseen: 0 }], // 5
  [10_100, { e: 'slapped', seats: [0], under: false }], // 6
  [10_100, taken(0, 2, 'slap:double')], // 7
  [11_000, played(0, '4S', 3, toPlay(1))], // 8
  [11_400, { e: 'measured', n: 3, slap: hit(1, 400_000) }], // 9
  [11_400, { e: 'slapped', seats: [1], under: false }], // 10
  [11_400, { e: 'fouled', seat: 1, streak: 1 }], // 11
  [11_400, { e: 'late_slap', n: 2, slap: hit(1, 450_000) }], // 12: not to be seen
]
const game: Finished = {
  game: 'WOLF-1-1',
  house: '1;classic',
  seats: [],
  openings: [],
  seed: null,
  events: told.map(([at_ms, e]) => ({ at_ms, e })),
}

test('it stops at whatever is to be seen, once the cards are dealt', () => {
  expect(stopsOf(game)).toEqual({ steps: [2, 3, 4, 5, 7, 8, 11], slaps: [5, 11], piles: [7] })
})

test('one goes on to the next stop and back to the one before', () => {
  expect([after([5, 11], 5), after([5, 11], 4), after([5, 11], 11)]).toEqual([11, 5, undefined])
  expect([before([5, 11], 11), before([5, 11], 5)]).toEqual([5, undefined])
})

test('it waits as long as people did, but not for ever', () => {
  expect(waitOf(game, 2)).toBe(800)
  expect(waitOf(game, 3)).toBe(1500)
  expect(waitOf(game, 5)).toBe(0)
  expect(waitOf(game, 11)).toBe(0)
})
