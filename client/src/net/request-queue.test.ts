// A request is sent until it is acknowledged, in order, with the same number each time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestQueue, type RoomRequest } from './request-queue'

let sent: RoomRequest[] = []
let queue: RequestQueue

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', globalThis)
  sent = []
  queue = new RequestQueue((request) => !!sent.push(request))
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const taken = () => sent.splice(0).map(({ t, s }) => `${t} ${s}`)

test('what is wished for while the line is down is said when it is back, in its order', () => {
  expect([queue.send({ t: 'bot' }), queue.send({ t: 'start' })]).toEqual([true, true])
  expect(taken()).toEqual([])
  queue.onConnected()
  expect(taken()).toEqual(['bot 1', 'start 2'])
})

test('what was not answered before the line broke is said again with its number; the rest is not', () => {
  queue.onConnected()
  for (const t of ['bot', 'lift', 'again'] as const) queue.send({ t })
  for (const s of [1, 2]) queue.acknowledge(s)
  taken()
  queue.onDisconnected()
  queue.onConnected()
  expect(taken()).toEqual(['again 3'])
})

test('a line that is there already has nothing said again', () => {
  queue.onConnected()
  queue.send({ t: 'again' })
  queue.onConnected()
  expect(taken()).toEqual(['again 1'])
})

test('what is of the moment, or names a chair, is not said later', () => {
  expect(queue.send({ t: 'react', what: 'wow' })).toBe(false)
  for (const t of ['remove', 'mute'] as const) queue.send({ t, seat: 2, on: true })
  queue.send({ t: 'act', do: 'collect' })
  queue.onConnected()
  expect(taken()).toEqual([])
})

test('after half a minute all but leaving is forgotten', () => {
  queue.send({ t: 'bot' })
  queue.send({ t: 'leave' })
  vi.advanceTimersByTime(30_000)
  queue.onConnected()
  expect(taken()).toEqual(['leave 2'])
})

test('somebody is leaving until the server has said that it knows', () => {
  queue.send({ t: 'bot' })
  expect(queue.isLeaving).toBe(false)
  queue.send({ t: 'leave' })
  queue.acknowledge(1)
  expect(queue.isLeaving).toBe(true)
  queue.acknowledge(2)
  expect(queue.isLeaving).toBe(false)
})

test('what went unheard is said again when the server listens, though a later one was answered', () => {
  queue.onConnected()
  queue.send({ t: 'bot' })
  queue.send({ t: 'start' })
  queue.retryAfter(700)
  queue.acknowledge(2)
  taken()
  vi.advanceTimersByTime(699)
  expect(taken()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(taken()).toEqual(['bot 1'])
  queue.acknowledge(1)
  queue.retryAfter(100)
  vi.advanceTimersByTime(100)
  expect(taken()).toEqual([])
})

test('while the server goes on not listening, it is waited for the last time that it names', () => {
  queue.onConnected()
  queue.send({ t: 'bot' })
  taken()
  queue.retryAfter(500)
  vi.advanceTimersByTime(400)
  queue.retryAfter(500)
  vi.advanceTimersByTime(499)
  expect(taken()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(taken()).toEqual(['bot 1'])
})

test('what went unheard is not said into a line that is down, but when it is back', () => {
  queue.onConnected()
  queue.send({ t: 'bot' })
  taken()
  queue.retryAfter(500)
  queue.onDisconnected()
  vi.advanceTimersByTime(1000)
  expect(taken()).toEqual([])
  queue.onConnected()
  expect(taken()).toEqual(['bot 1'])
})

test('a house that was replaced by another is not said again', () => {
  queue.onConnected()
  queue.send({ t: 'house', house: '1;classic' })
  queue.send({ t: 'bot' })
  queue.send({ t: 'house', house: '1;wiki' })
  taken()
  queue.retryAfter(100)
  vi.advanceTimersByTime(100)
  expect(taken()).toEqual(['bot 2', 'house 3'])
})
