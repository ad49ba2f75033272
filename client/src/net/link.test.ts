// A socket comes back by itself, and not before the server wants it to.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Link } from './link'

let opened = 0
const heard: Record<string, () => void> = {}

beforeEach(() => {
  opened = 0
  vi.useFakeTimers()
  const hears = { addEventListener: (name: string, ear: () => void) => (heard[name] = ear), removeEventListener: () => {} }
  vi.stubGlobal('document', { ...hears, hidden: false })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('addEventListener', hears.addEventListener)
  vi.stubGlobal('removeEventListener', hears.removeEventListener)
  vi.stubGlobal(
    'WebSocket',
    class {
      static readonly OPEN = 1
      static readonly CONNECTING = 0
      readyState = 1
      constructor() {
        opened++
      }
      close() {}
    },
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const link = () => new Link('ws://here', { open: () => {}, text: () => {}, down: () => {} }, false)

test('a lost line is tried again at once', () => {
  link().drop()
  vi.advanceTimersByTime(1000)
  expect(opened).toBe(2)
})

test('a server that asks for a break is left alone for so long, whatever happens here', () => {
  link().drop(10_000)
  heard.visibilitychange!()
  heard.online!()
  vi.advanceTimersByTime(9_900)
  heard.visibilitychange!()
  expect(opened).toBe(1)
  vi.advanceTimersByTime(1000)
  expect(opened).toBe(2)
})
