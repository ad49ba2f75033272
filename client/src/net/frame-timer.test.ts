// How long a frame lasts, and when a change becomes visible.
import { afterEach, expect, test, vi } from 'vitest'
import { FrameTimer } from './frame-timer'

afterEach(() => vi.restoreAllMocks())

function counted(...starts: number[]): FrameTimer {
  const frames = new FrameTimer()
  frames.start()
  for (const start of starts) frames.record(start)
  return frames
}

test('with fewer than three frames the default is 60 per second', () => {
  expect(counted(0, 8).record(16)).toBeCloseTo(1000 / 60)
})

test('then it is the usual length of the last ones', () => {
  expect(counted(0, 8, 16).record(24)).toBe(8)
  expect(counted(0, 33, 67).record(100)).toBeCloseTo(33.33) // starts that the browser has rounded
  expect(counted(0, 8, 16, 24, 124).record(132)).toBe(8) // one slow frame changes nothing
})

test('the time between two runs of frames is not a frame', () => {
  const frames = counted(0, 8, 16, 24)
  frames.start()
  expect(frames.record(5000)).toBe(8)
})

test('a change is visible when the screen is drawn next', () => {
  const frames = counted(0, 10, 20, 30)
  const now = vi.spyOn(performance, 'now')
  now.mockReturnValue(1004)
  expect(frames.visibleAt(1000)).toBe(1010)
  now.mockReturnValue(1017)
  expect(frames.visibleAt(1000)).toBe(1020)
})

test('a page that draws 30 frames a second has a screen of 60: a change is visible half a frame later', () => {
  const [start, now] = [1000, vi.spyOn(performance, 'now').mockReturnValue(1004)]
  const frames = counted(0, 100 / 3, 200 / 3, 100)
  expect(frames.frameMs).toBeCloseTo(100 / 3)
  expect(frames.visibleAt(start)).toBeCloseTo(start + 50 / 3)
  now.mockReturnValue(1020) // drawing took longer than one frame of the screen
  expect(frames.visibleAt(start)).toBeCloseTo(start + 100 / 3)
})

test.each([48, 50, 60, 90, 120, 144])('a screen of %d frames a second shows each of them', (rate) => {
  const length = 1000 / rate
  vi.spyOn(performance, 'now').mockReturnValue(1001)
  expect(counted(0, length, 2 * length, 3 * length).visibleAt(1000)).toBeCloseTo(1000 + length)
})
