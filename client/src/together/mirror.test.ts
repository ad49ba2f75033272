// Both objects act, one answers, and each callback is called once.
import { expect, test } from 'vitest'
import { mirror } from './mirror'

class Bell {
  name = ''
  rung: number[] = []
  readonly clapper: Bell | null
  constructor(clapper: Bell | null = null) {
    this.clapper = clapper
  }
  ring(times: number, done: () => void) {
    this.rung.push(times)
    done()
    return this.rung.length
  }
}

test('both act, and what is called back is called back once', () => {
  const [left, right] = [new Bell(), new Bell()]
  let done = 0
  expect(mirror(left, right).ring(3, () => done++)).toBe(1)
  expect([left.rung, right.rung, done]).toEqual([[3], [3], 1])
})

test('what is set is set on both, and their parts are two of a kind as well', () => {
  const [left, right] = [new Bell(new Bell()), new Bell(new Bell())]
  const pair = mirror(left, right)
  pair.name = 'great'
  pair.clapper?.ring(1, () => undefined)
  expect([left.name, right.name]).toEqual(['great', 'great'])
  expect([left.clapper?.rung, right.clapper?.rung]).toEqual([[1], [1]])
})
