// Chart scales and hit testing.
import { expect, test } from 'vitest'
import { ceiling, near, ticks } from './chart-scale'

test('a scale ends at a round number above what it shows', () => {
  expect(ceiling([180, 240, 330])).toBe(400)
  expect(ceiling([])).toBe(100)
})

test('one slow hand does not press all the others together', () => {
  expect(ceiling([200, 210, 220, 230, 240, 250, 260, 270, 280, 290, 300, 9000])).toBe(600) // 1.8 times 300 is 540
})

test('there are some four round numbers on it', () => {
  expect(ticks(400)).toEqual([0, 100, 200, 300, 400])
  expect(ticks(52)).toEqual([0, 20, 40])
  expect(ticks(8)).toEqual([0, 2, 4, 6, 8])
  expect(ticks(3)).toEqual([0, 1, 2, 3])
})

test('a thumb finds the nearest mark, but none that is far away', () => {
  const place = (x: number) => ({ x, y: 0 })
  expect(near({ x: 52, y: 5 }, [10, 60, 90], place)).toBe(60)
  expect(near({ x: 52, y: 90 }, [10, 60, 90], place)).toBeNull()
})
