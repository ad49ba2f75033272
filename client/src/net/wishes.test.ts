// What is wished for is said until it is answered, in its order, and with the same number each time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wishes, type Wish } from './wishes'

let sent: Wish[] = []
let wishes: Wishes

beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  wishes = new Wishes((wish) => !!sent.push(wish))
})

afterEach(() => void vi.useRealTimers())

const heard = () => sent.splice(0).map(({ t, s }) => `${t} ${s}`)

test('what is wished for while the line is down is said when it is back, in its order', () => {
  expect([wishes.say({ t: 'bot' }), wishes.say({ t: 'start' })]).toEqual([true, true])
  expect(heard()).toEqual([])
  wishes.reach()
  expect(heard()).toEqual(['bot 1', 'start 2'])
})

test('what was not answered before the line broke is said again with its number; the rest is not', () => {
  wishes.reach()
  for (const t of ['bot', 'lift', 'again'] as const) wishes.say({ t })
  wishes.answered(2)
  heard()
  wishes.lose()
  wishes.reach()
  expect(heard()).toEqual(['again 3'])
})

test('a line that is there already has nothing said again', () => {
  wishes.reach()
  wishes.say({ t: 'again' })
  wishes.reach()
  expect(heard()).toEqual(['again 1'])
})

test('what is of the moment, or names a chair, is not said later', () => {
  expect(wishes.say({ t: 'react', what: 'wow' })).toBe(false)
  for (const t of ['remove', 'mute'] as const) wishes.say({ t, seat: 2, on: true })
  wishes.say({ t: 'act', do: 'collect' })
  wishes.reach()
  expect(heard()).toEqual([])
})

test('after half a minute all but leaving is forgotten', () => {
  wishes.say({ t: 'bot' })
  wishes.say({ t: 'leave' })
  vi.advanceTimersByTime(30_000)
  wishes.reach()
  expect(heard()).toEqual(['leave 2'])
})

test('somebody is leaving until the server has said that it knows', () => {
  wishes.say({ t: 'bot' })
  expect(wishes.leaving).toBe(false)
  wishes.say({ t: 'leave' })
  wishes.answered(1)
  expect(wishes.leaving).toBe(true)
  wishes.answered(2)
  expect(wishes.leaving).toBe(false)
})
