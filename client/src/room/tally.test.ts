// My reaction times in one game.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteTime, tally } from './tally'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) })
})
afterEach(() => vi.unstubAllGlobals())

test('without a slap there are no times', () => {
  expect(tally('GAME')).toEqual({ best: null, median: null })
})

test('best and median of an odd and an even number of slaps, in milliseconds', () => {
  for (const us of [412_000, 301_400, 350_000]) noteTime('GAME', us)
  expect(tally('GAME')).toEqual({ best: 301, median: 350 })
  noteTime('GAME', 360_000)
  expect(tally('GAME')).toEqual({ best: 301, median: 355 })
})

test('each game has its own', () => {
  noteTime('ONE', 300_000)
  expect(tally('TWO').best).toBeNull()
})
