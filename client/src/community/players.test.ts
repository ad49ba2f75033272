import { expect, test } from 'vitest'
import { shares, sum } from './players'

test('patterns add up step by step', () => {
  expect(
    sum([
      [1, 2, 0],
      [3, 0, 5],
    ]),
  ).toEqual([4, 2, 5])
  expect(sum([])).toEqual([])
})

test('shares make one, or nothing', () => {
  expect(shares([1, 3, 0])).toEqual([0.25, 0.75, 0])
  expect(shares([0, 0])).toEqual([0, 0])
})
