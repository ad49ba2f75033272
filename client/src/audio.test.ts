// Sound where browsers allow it late: iPhones only when a finger is lifted, and again after each interruption.
import { beforeEach, expect, test, vi } from 'vitest'

class Context {
  static last: Context
  state = 'suspended'
  destination = {}
  resume = vi.fn(() => Promise.resolve())
  constructor() {
    Context.last = this
  }
}

class Node {
  connect() {}
}

beforeEach(() => {
  vi.stubGlobal('AudioContext', Context)
  vi.stubGlobal('GainNode', Node)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.resetModules()
})

test.each([
  ['suspended', 1],
  ['interrupted', 1], // by a call; only WebKit has this state
  ['running', 0],
])('a gesture resumes sound that is %s', async (state, times) => {
  const { unlockAudio } = await import('./audio')
  unlockAudio()
  Context.last.resume.mockClear()
  Context.last.state = state
  unlockAudio()
  expect(Context.last.resume).toHaveBeenCalledTimes(times)
})

test('sound that stays forbidden is no error', async () => {
  const { unlockAudio } = await import('./audio')
  unlockAudio()
  Context.last.resume.mockImplementation(() => Promise.reject(new Error('not allowed')))
  unlockAudio()
  await Promise.resolve()
})

test('a finger that is lifted from the table is a gesture', async () => {
  const heard: Record<string, (event: unknown) => void> = {}
  vi.stubGlobal('addEventListener', (kind: string, listener: (event: unknown) => void) => (heard[kind] = listener))
  const zone = { addEventListener: (kind: string, listener: (event: unknown) => void) => (heard[`zone ${kind}`] = listener), classList: { add() {}, remove() {} } }
  const { pressable } = await import('./room/input')
  pressable(() => {})(zone as unknown as HTMLElement)
  const finger = { pointerId: 7, pointerType: 'touch', timeStamp: 1, button: 0 }
  heard['zone pointerdown']!(finger)
  Context.last.resume.mockClear()
  heard.pointerup!(finger)
  expect(Context.last.resume).toHaveBeenCalledOnce()
})
