// A socket reconnects on its own, but not before the server allows it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReconnectingSocket } from './reconnecting-socket'

let opened = 0
const all: { readyState: number; onopen: () => void; onmessage: (event: { data: string }) => void }[] = []
const listeners: Record<string, () => void> = {}

beforeEach(() => {
  opened = 0
  vi.useFakeTimers()
  const target = {
    addEventListener: (name: string, listener: () => void) => (listeners[name] = listener),
    removeEventListener: () => {},
  }
  vi.stubGlobal('document', { ...target, hidden: false })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal(
    'WebSocket',
    class {
      static readonly OPEN = 1
      static readonly CONNECTING = 0
      readyState = 1
      onopen = () => {}
      onmessage = (event: { data: string }) => void event
      constructor() {
        opened++
        all.push(this)
      }
      close() {}
    },
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const socket = () =>
  new ReconnectingSocket(() => 'ws://here', { onOpen: () => {}, onMessage: () => {}, onClose: () => {} }, false)

test('a lost connection is retried at once', () => {
  socket().reconnect()
  vi.advanceTimersByTime(1000)
  expect(opened).toBe(2)
})

test('a delay that the server asks for is kept, whatever happens here', () => {
  socket().reconnect(10_000)
  listeners.visibilitychange!()
  listeners.online!()
  vi.advanceTimersByTime(9_900)
  listeners.visibilitychange!()
  expect(opened).toBe(1)
  vi.advanceTimersByTime(1000)
  expect(opened).toBe(2)
})

test('a connection that a busy server accepts late has as long for its first message as any other', () => {
  new ReconnectingSocket(() => 'ws://here', { onOpen: () => {}, onMessage: () => {}, onClose: () => {} })
  all.at(-1)!.readyState = 0
  vi.advanceTimersByTime(3500)
  all.at(-1)!.readyState = 1
  all.at(-1)!.onopen()
  vi.advanceTimersByTime(3000)
  expect(opened).toBe(1)
  vi.advanceTimersByTime(3000)
  expect(opened).toBe(2)
})

test('a socket on which nothing is expected is not checked once it is open', () => {
  vi.clearAllTimers()
  socket()
  expect(vi.getTimerCount()).toBe(0)
})

test('a silent connection is replaced as soon as its silence is too long, and not checked every second before', () => {
  vi.clearAllTimers()
  const one = new ReconnectingSocket(() => 'ws://here', { onOpen: () => {}, onMessage: () => {}, onClose: () => {} })
  vi.advanceTimersByTime(500)
  one.expectWithin(2000)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersToNextTimer()
  vi.advanceTimersByTime(1000)
  expect(opened).toBe(2)
})

test('attempts that bring no message are counted, and one that does ends the count', () => {
  const counts: number[] = []
  const handlers = {
    onOpen: () => {},
    onMessage: () => {},
    onClose: () => {},
    onFailures: (count: number) => counts.push(count),
  }
  const tried = new ReconnectingSocket(() => 'ws://here', handlers, false)
  const again = () => {
    tried.reconnect()
    vi.advanceTimersByTime(1000)
  }
  again()
  again()
  all.at(-1)!.onopen() // a proxy may open it, and pass nothing on
  again()
  all.at(-1)!.onmessage({ data: '' })
  again()
  again()
  expect(counts).toEqual([1, 2, 3, 1])
})
