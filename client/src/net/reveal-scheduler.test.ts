// Messages that come with a card wait for its reveal time, on a page whose frames last 10 ms.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerMessage } from '../wire'
import { RevealScheduler } from './reveal-scheduler'

const message = (t: string) => ({ t }) as unknown as ServerMessage
const soon = (n: number, at_ms: number) => ({ t: 'reveal_at', n, at_ms }) as ServerMessage

let passed: [string, number][] = []
let seen: [number, number, number][] = []
let hidden = false
let scheduler: RevealScheduler

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const now = () => performance.now()
  vi.stubGlobal('requestAnimationFrame', (then: (start: number) => void) =>
    setTimeout(() => then(now()), 10 - (now() % 10)),
  )
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  vi.stubGlobal('window', { setTimeout: (then: () => void, ms: number) => setTimeout(then, ms) })
  vi.stubGlobal('document', {
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    get hidden() {
      return hidden
    },
  })
  ;[passed, seen, hidden] = [[], [], false]
  scheduler = new RevealScheduler(
    (message) => passed.push([message.t, now()]),
    (...shown) => seen.push(shown),
  )
})
afterEach(() => {
  scheduler.end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('without a card on its way every message is delivered at once', () => {
  scheduler.receive(message('event'))
  expect(passed).toEqual([['event', 0]])
})

test('a card is shown in the frame that is nearest to its reveal time, and visible with the next', () => {
  scheduler.receive(soon(4, 203))
  scheduler.receive(message('event'))
  vi.advanceTimersByTime(180)
  expect(passed).toEqual([])
  vi.advanceTimersByTime(100)
  expect(passed).toEqual([['event', 190]]) // drawn at 190, it is visible from 200 on: 3 ms away; the next frame 7 ms
  expect(seen).toEqual([[4, 200, 10]]) // a frame lasts 10 ms
})

test('a page that draws 30 frames a second takes the one that its screen of 60 shows nearest to the reveal time', () => {
  const frame = 33
  vi.stubGlobal('requestAnimationFrame', (then: (start: number) => void) =>
    setTimeout(() => then(performance.now()), frame - (performance.now() % frame)),
  )
  for (const [n, at_ms] of [
    [1, 500],
    [2, 1000],
    [3, 1500],
    [4, 2000],
  ] as const) {
    scheduler.receive(soon(n, at_ms)) // the frames are measured with the first cards
    scheduler.receive(message('event'))
    vi.advanceTimersByTime(at_ms + 100 - performance.now())
  }
  expect(seen[3]).toEqual([4, 1980 + frame / 2, frame]) // visible 3.5 ms early; the next one would be 29.5 ms late
  expect(passed[3]).toEqual(['event', 1980])
})

test('no card is held for longer than a second, whatever the server takes for the clock of the page', () => {
  scheduler.receive(soon(4, 1e12))
  scheduler.receive(message('event'))
  vi.advanceTimersByTime(980)
  expect(passed).toEqual([])
  vi.advanceTimersByTime(40)
  expect(passed.map(([what]) => what)).toEqual(['event'])
})

test('all later messages are delivered in order, in the same frame', () => {
  scheduler.receive(soon(4, 100))
  for (const t of ['event', 'clock', 'event']) scheduler.receive(message(t))
  vi.advanceTimersByTime(150)
  expect(passed).toEqual([
    ['event', 90],
    ['clock', 90],
    ['event', 90],
  ])
})

test('a message that does not depend on the card is delivered at once', () => {
  scheduler.receive(soon(4, 200))
  scheduler.receive(message('late'))
  scheduler.receive(message('event'))
  expect(passed).toEqual([['late', 0]])
})

test('the next card after the first has its own reveal time', () => {
  scheduler.receive(soon(4, 100))
  scheduler.receive(message('event'))
  scheduler.receive(soon(5, 300))
  scheduler.receive(message('clock'))
  vi.advanceTimersByTime(400)
  expect(passed).toEqual([
    ['event', 90],
    ['clock', 290],
  ])
})

test('a snapshot drops the queue', () => {
  scheduler.receive(soon(4, 200))
  scheduler.receive(message('event'))
  scheduler.receive(message('welcome'))
  vi.advanceTimersByTime(1000)
  expect(passed).toEqual([['welcome', 0]])
  expect(seen).toEqual([])
})

test('a hidden page delivers the card at its reveal time, and reports no frame', () => {
  hidden = true
  scheduler.receive(soon(4, 200))
  scheduler.receive(message('event'))
  vi.advanceTimersByTime(199)
  expect(passed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(passed).toEqual([['event', 200]])
  expect(seen).toEqual([])
})

test('a card that arrives after its reveal time is shown in the next frame', () => {
  scheduler.receive(soon(4, 50))
  vi.advanceTimersByTime(120)
  scheduler.receive(message('event'))
  vi.advanceTimersByTime(20)
  expect(passed).toEqual([['event', 130]])
})
