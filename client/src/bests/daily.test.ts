// The daily deal: which game it is, and what counts.
import { beforeEach, expect, test, vi } from 'vitest'
import type { Player } from '../end/recap'
import { noteDaily, readDaily, today } from './daily'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => stored.set(key, text),
})
beforeEach(() => stored.clear())

const game = (cards: number, winner: number, best: number | null) => ({
  cards,
  winner,
  players: [{ best }] as Player[],
})
const begun = () => stored.set('ratscrew:daily', JSON.stringify({ day: '2026-11-25', room: 'WOLF48', result: null }))

test('a date is written as the server reads it, as it is where I live', () => {
  expect(today(new Date(2026, 10, 5, 23, 59))).toBe('2026-11-05')
  expect(today(new Date(2027, 0, 31, 0, 1))).toBe('2027-01-31')
})

test('the first try of a day counts', () => {
  begun()
  expect(noteDaily('WOLF48', 'WOLF48-18f-1', game(143, 0, 231_000), 0)?.result).toEqual({
    won: true,
    cards: 143,
    fastest: 231_000,
  })
  expect(noteDaily('WOLF48', 'WOLF48-18f-1', game(20, 1, 200_000), 0)?.result).toEqual({
    won: true,
    cards: 143,
    fastest: 231_000,
  })
  expect(readDaily()?.result?.cards).toBe(143)
})

test('another game, and the second game of its room, are not the deal of the day', () => {
  begun()
  expect(noteDaily('BEAR11', 'BEAR11-18f-1', game(20, 0, null), 0)).toBeNull()
  expect(noteDaily('WOLF48', 'WOLF48-18f-2', game(20, 0, null), 0)).toBeNull()
  expect(readDaily()?.result).toBeNull()
})
