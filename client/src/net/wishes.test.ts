// What is wished for is said until it is answered, in its order, and with the same number each time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wishes, type Wish } from './wishes'

let sent: Wish[] = []
let wishes: Wishes

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', globalThis)
  sent = []
  wishes = new Wishes((wish) => !!sent.push(wish))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

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
  for (const s of [1, 2]) wishes.answered(s)
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

test('what went unheard is said again when the server listens, though a later one was answered', () => {
  wishes.reach()
  wishes.say({ t: 'bot' })
  wishes.say({ t: 'start' })
  wishes.unheard(700)
  wishes.answered(2)
  heard()
  vi.advanceTimersByTime(699)
  expect(heard()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(heard()).toEqual(['bot 1'])
  wishes.answered(1)
  wishes.unheard(100)
  vi.advanceTimersByTime(100)
  expect(heard()).toEqual([])
})

test('while the server goes on not listening, it is waited for the last time that it names', () => {
  wishes.reach()
  wishes.say({ t: 'bot' })
  heard()
  wishes.unheard(500)
  vi.advanceTimersByTime(400)
  wishes.unheard(500)
  vi.advanceTimersByTime(499)
  expect(heard()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(heard()).toEqual(['bot 1'])
})

test('what went unheard is not said into a line that is down, but when it is back', () => {
  wishes.reach()
  wishes.say({ t: 'bot' })
  heard()
  wishes.unheard(500)
  wishes.lose()
  vi.advanceTimersByTime(1000)
  expect(heard()).toEqual([])
  wishes.reach()
  expect(heard()).toEqual(['bot 1'])
})

test('a house that was replaced by another is not said again', () => {
  wishes.reach()
  wishes.say({ t: 'house', house: '1;classic' })
  wishes.say({ t: 'bot' })
  wishes.say({ t: 'house', house: '1;wiki' })
  heard()
  wishes.unheard(100)
  vi.advanceTimersByTime(100)
  expect(heard()).toEqual(['bot 2', 'house 3'])
})
