// When a page stops trying WebSockets, and when it tries them again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Way, type Obstacle } from './detour'

let answers: Obstacle
let online = false
let told: Obstacle[] = []
let kept: Record<string, string> = {}
let listeners: (() => void)[] = []

class Socket {
  static readonly CONNECTING = 0
}

beforeEach(() => {
  answers = 'blocked'
  online = false
  told = []
  kept = {}
  listeners = []
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener))
  const health = () => ({ ok: true, headers: new Headers({ 'content-type': 'application/json' }) })
  vi.stubGlobal('fetch', async () => (answers === 'away' ? Promise.reject(new Error()) : health()))
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
    removeItem: (key: string) => delete kept[key],
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const newWay = () =>
  new Way(
    () => online,
    (obstacle) => told.push(obstacle),
  )

/** Attempts until one is no WebSocket, or so many have failed. */
async function attempts(way: Way, most: number): Promise<number> {
  for (let count = 1; count <= most; count++) {
    way.open('ws://here/socket')
    if (way.detour) return count
    await way.failed(count)
  }
  return Infinity
}

test('two failures while the server answers requests are enough', async () => {
  expect(await attempts(newWay(), 9)).toBe(3)
  expect(told).toEqual([])
})

test('a server that does not answer is no reason for a detour, and after four attempts that is said', async () => {
  answers = 'away'
  const way = newWay()
  expect(await attempts(way, 8)).toBe(Infinity)
  expect(told).toEqual(['away', 'away'])
  answers = 'blocked'
  expect(await attempts(way, 9)).toBe(3)
})

test('a page that needed it takes the detour after one failure, also in its next room', async () => {
  await attempts(newWay(), 9)
  expect(await attempts(newWay(), 9)).toBe(2)
})

test('a failure while the page is connected again raises no suspicion', async () => {
  const way = newWay()
  way.open('ws://here/socket')
  online = true
  await way.failed(1)
  online = false
  way.open('ws://here/socket')
  await way.failed(2)
  way.open('ws://here/socket')
  expect(way.detour).toBe(false)
})

test('WebSockets are tried again when the network changes, and after five minutes', async () => {
  const way = newWay()
  await attempts(way, 9)
  way.open('ws://here/socket')
  expect(way.detour).toBe(true)
  listeners.forEach((listener) => listener())
  way.open('ws://here/socket')
  expect(way.detour).toBe(false)
  await way.failed(1)
  way.open('ws://here/socket')
  expect(way.detour).toBe(true)
  vi.advanceTimersByTime(301_000)
  way.open('ws://here/socket')
  expect(way.detour).toBe(false)
  way.arrived()
  expect(await attempts(newWay(), 9), 'what got through is forgotten').toBe(3)
})

test('where event streams do not get through either that is said, and WebSockets are tried again', async () => {
  const way = newWay()
  await attempts(way, 9)
  for (const count of [3, 4]) {
    way.open('ws://here/socket')
    expect(way.detour).toBe(true)
    await way.failed(count)
  }
  expect(told).toEqual(['blocked'])
  way.open('ws://here/socket')
  expect(way.detour).toBe(false)
})
