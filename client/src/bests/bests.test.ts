// Personal records over several games.
import { expect, test } from 'vitest'
import type { Pile, Player } from '../end/recap'
import { NO_BESTS, bestsAfter } from './bests'

const ME = 0
const player = (best: number | null) => ({ best }) as Player
const pile = (seat: number, count: number) => ({ seat, count }) as Pile
const game = (best: number | null, winner: number | null, ...piles: Pile[]) => ({
  players: [player(best), player(180_000)],
  piles,
  winner,
})

test('the first game sets the records and improves none', () => {
  const { bests, improved } = bestsAfter(NO_BESTS, 'A-1', game(260_000, ME, pile(ME, 9), pile(1, 30)), ME)
  expect(bests).toEqual({ fastest: 260_000, biggest: 9, games: 1, won: 1, streak: 1, longest: 1, game: 'A-1' })
  expect(improved).toEqual({})
})

test('a faster slap and a bigger pile are told, and only mine count', () => {
  const { bests } = bestsAfter(NO_BESTS, 'A-1', game(260_000, 1, pile(ME, 9)), ME)
  const next = bestsAfter(bests, 'A-2', game(250_000, 1, pile(ME, 12), pile(1, 40)), ME)
  expect(next.improved).toEqual({ fastest: 260_000, biggest: 12 })
  expect(bestsAfter(next.bests, 'A-3', game(270_000, 1, pile(ME, 12)), ME).improved).toEqual({})
  expect(bestsAfter(next.bests, 'A-3', game(null, 1), ME).bests.fastest).toBe(250_000)
})

test('wins in a row count until a loss, and three of them are told', () => {
  let bests = NO_BESTS
  const told = [ME, ME, ME, 1, ME].map((winner, i) => {
    const after = bestsAfter(bests, `A-${i}`, game(null, winner), ME)
    bests = after.bests
    return after.improved.longest
  })
  expect(told).toEqual([undefined, undefined, 3, undefined, undefined])
  expect([bests.streak, bests.longest, bests.won, bests.games]).toEqual([1, 3, 4, 5])
})

test('a game is counted once, however often its end is shown', () => {
  const { bests } = bestsAfter(NO_BESTS, 'A-1', game(260_000, ME), ME)
  expect(bestsAfter(bests, 'A-1', game(200_000, ME), ME)).toEqual({ bests, improved: {} })
})
