// The seats' positions on a big screen.
import { expect, test } from 'vitest'
import { sidesOf } from './sides'

test('two face each other, and an odd one sits at the head', () => {
  expect(sidesOf([0, 1])).toEqual({ left: [0], top: [], right: [1] })
  expect(sidesOf([0, 1, 2])).toEqual({ left: [0], top: [1], right: [2] })
  expect(sidesOf([3, 0, 1, 2])).toEqual({ left: [3, 0], top: [], right: [1, 2] })
})

test('eight are three at each side and two at the head, in the order of play', () => {
  expect(sidesOf([0, 1, 2, 3, 4, 5, 6, 7])).toEqual({ left: [0, 1, 2], top: [3, 4], right: [5, 6, 7] })
})

test('a crowd is all at the sides but for an odd one, and nobody is lost', () => {
  const { left, top, right } = sidesOf(Array.from({ length: 31 }, (_, seat) => seat))
  expect([left.length, top.length, right.length]).toEqual([15, 1, 15])
  expect([...left, ...top, ...right]).toHaveLength(31)
})
