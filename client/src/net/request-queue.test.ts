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

test('a request made while offline is sent after the reconnect, in order', () => {
  expect([queue.send({ t: 'bot' }), queue.send({ t: 'start' })]).toEqual([true, true])
  expect(taken()).toEqual([])
  queue.onConnected()
  expect(taken()).toEqual(['bot 1', 'start 2'])
})

test('a request not acknowledged before a disconnect is sent again with its number; others are not', () => {
  queue.onConnected()
  for (const t of ['bot', 'reopen', 'again'] as const) queue.send({ t })
  for (const s of [1, 2]) queue.acknowledge(s)
  taken()
  queue.onDisconnected()
  queue.onConnected()
  expect(taken()).toEqual(['again 3'])
})

test('a second onConnected sends nothing again', () => {
  queue.onConnected()
  queue.send({ t: 'again' })
  queue.onConnected()
  expect(taken()).toEqual(['again 1'])
})

test('a request that matters only now, or names a seat, is not sent later', () => {
  expect(queue.send({ t: 'react', reaction: 'wow' })).toBe(false)
  for (const t of ['remove', 'mute'] as const) queue.send({ t, seat: 2, on: true })
  queue.send({ t: 'act', action: 'collect' })
  queue.onConnected()
  expect(taken()).toEqual([])
})

test('after half a minute every request but leaving is dropped', () => {
  queue.send({ t: 'bot' })
  queue.send({ t: 'leave' })
  vi.advanceTimersByTime(30_000)
  queue.onConnected()
  expect(taken()).toEqual(['leave 2'])
})

test('a request to leave is pending until the server acknowledges it', () => {
  queue.send({ t: 'bot' })
  expect(queue.isLeaving).toBe(false)
  queue.send({ t: 'leave' })
  queue.acknowledge(1)
  expect(queue.isLeaving).toBe(true)
  queue.acknowledge(2)
  expect(queue.isLeaving).toBe(false)
})

test('an ignored request is sent again after the named time, though a later one was acknowledged', () => {
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

test('while the server ignores messages, the last time that it names counts', () => {
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

test('an ignored request is not sent while offline, but after the reconnect', () => {
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

test('a house that was replaced by another is not sent again', () => {
  queue.onConnected()
  queue.send({ t: 'house', house: '1;classic' })
  queue.send({ t: 'bot' })
  queue.send({ t: 'house', house: '1;wiki' })
  taken()
  queue.retryAfter(100)
  vi.advanceTimersByTime(100)
  expect(taken()).toEqual(['bot 2', 'house 3'])
})
