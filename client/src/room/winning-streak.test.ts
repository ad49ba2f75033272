// Streaks of slapped piles.
import { expect, test } from 'vitest'
import { dealt, taken, toPlay } from '../testing'
import type { TableEvent } from './public-view'
import { streakAfter, type WinningStreak } from './winning-streak'
import { headline } from './headline'
import { orMe } from '../testing'

const after = (...events: TableEvent[]) => events.reduce<WinningStreak | null>(streakAfter, null)
const slapped = (seat: number) => taken(seat, 4, 'slap:double')
const foul = (seat: number): TableEvent => ({ e: 'fouled', seat, streak: 1 })

test('a streak counts the piles that one player slaps in a row', () => {
  expect(after(slapped(1), slapped(1), slapped(1))).toEqual({ seat: 1, piles: 3 })
  expect(after(slapped(1), slapped(1), slapped(0))).toEqual({ seat: 0, piles: 1 })
})

test('a pile of a challenge leaves a streak as it is, and so does a wrong slap by another player', () => {
  expect(after(slapped(1), taken(0, 6, 'challenge'), foul(0), slapped(1))).toEqual({ seat: 1, piles: 2 })
})

test('a wrong slap of their own, and the end of the game, end a streak', () => {
  expect(after(slapped(1), slapped(1), foul(1))).toBeNull()
  expect(after(slapped(1), slapped(1), { e: 'won', seat: 1, standing: toPlay(1, { phase: 'over' }) })).toBeNull()
})

test('from the third pile on the headline says how long a streak is', () => {
  const says = (piles: number) => headline(slapped(1), dealt([3, 3]), orMe, dealt([3, 3]), { seat: 1, piles })!
  expect(says(2).big).toBe('Double!')
  expect(says(3)).toMatchObject({ big: '3 in a row!', small: 'Double! Ben takes 4' })
  expect(says(3).aloud).toMatch(/^3 in a row! Double!/)
})

test('back from zero is said before a streak', () => {
  expect(headline(slapped(1), dealt([3, 3]), orMe, dealt([3, 0]), { seat: 1, piles: 3 })!.big).toBe('Back from zero!')
})
