// The results of a practice, counted by hand.
import { expect, test } from 'vitest'
import { dots, median, summarise, type Answer } from './summary'

const RUN: Answer[] = [
  { card: '7H', slaps: [], ms: null },
  { card: '7S', slaps: ['double'], ms: 420 },
  { card: '2C', slaps: [], ms: 380 },
  { card: '7D', slaps: ['sandwich'], ms: null },
  { card: '9C', slaps: ['double', 'top_bottom'], ms: 300 },
  { card: '9D', slaps: ['double'], ms: 511 },
]

test('the median of an even number lies between the two in the middle', () => {
  expect(median([500, 300, 400])).toBe(400)
  expect(median([500, 300, 401, 400])).toBe(401) // 400.5
  expect(median([])).toBeNull()
})

test('hits, misses and false alarms are counted, and a slap bears the name of its first pattern', () => {
  expect(summarise(RUN)).toEqual({
    hits: 3,
    misses: 1,
    wrong: 1,
    best: 300,
    median: 420,
    patterns: [
      { pattern: 'double', hits: 3, misses: 0, best: 300, median: 420 },
      { pattern: 'sandwich', hits: 0, misses: 1, best: null, median: null },
    ],
  })
})

test('each dot lies where its card came, and cards that were rightly left alone have none', () => {
  expect(dots(RUN)).toEqual([
    { n: 2, kind: 'hit', ms: 420 },
    { n: 3, kind: 'wrong', ms: 380 },
    { n: 4, kind: 'miss', ms: null },
    { n: 5, kind: 'hit', ms: 300 },
    { n: 6, kind: 'hit', ms: 511 },
  ])
})
