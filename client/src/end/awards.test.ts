// The titles that players get after a game.
import { expect, test } from 'vitest'
import { awardsOf } from './awards'
import type { Pile, Player } from './recap'

const player = (seat: number, more: Partial<Player>): Player => ({
  seat,
  name: '',
  bot: false,
  appearance: { hue: 0, shape: 'palm' },
  best: null,
  median: null,
  won: 0,
  beaten: 0,
  missed: 0,
  wrong: 0,
  ...more,
})
const none = { comebacks: [], biggest: null }
const kinds = (facts: Parameters<typeof awardsOf>[0]) => awardsOf(facts).map(({ kind, seat }) => [kind, seat])

test('the fastest hand, the most piles and the most wrong slaps each have a title', () => {
  const players = [
    player(0, { best: 300_000, wrong: 4 }),
    player(1, { best: 250_000, won: 1 }),
    player(2, { best: 320_000, won: 5, wrong: 1 }),
  ]
  expect(kinds({ players, ...none })).toEqual([
    ['fastest', 1],
    ['thief', 2],
    ['hasty', 0],
  ])
})

test('nobody has two titles', () => {
  const players = [player(0, { best: 200_000, won: 6 }), player(1, { best: 250_000 })]
  const biggest = { seat: 0, count: 20 } as Pile
  expect(kinds({ players, comebacks: [{ seat: 1, times: 1, n: 9, most: 12 }], biggest })).toEqual([
    ['fastest', 0],
    ['comeback', 1],
  ])
})

test('a title that two would share, and one for little, is given to nobody', () => {
  expect(
    kinds({ players: [player(0, { best: 250_000, won: 3 }), player(1, { best: 250_000, won: 3 })], ...none }),
  ).toEqual([])
  expect(kinds({ players: [player(0, { won: 2, wrong: 2 }), player(1, {})], ...none })).toEqual([])
})

test('many slaps without a wrong one are a cool head', () => {
  const players = [player(0, { best: 250_000, won: 1, wrong: 1 }), player(1, { best: 280_000, won: 2, beaten: 2 })]
  expect(kinds({ players, ...none })).toEqual([
    ['fastest', 0],
    ['calm', 1],
  ])
})
