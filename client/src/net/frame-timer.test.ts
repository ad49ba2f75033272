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

test('then it is the median of the last ones', () => {
  expect(counted(0, 8, 16).record(24)).toBe(8)
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
