// Sound where browsers allow it late: iPhones only when a finger is lifted, and again after each interruption.
import { beforeEach, expect, test, vi } from 'vitest'

class Context {
  static last: Context
  static made = 0
  state = 'suspended'
  currentTime = 0
  destination = {}
  resume = vi.fn(() => Promise.resolve())
  close = vi.fn(() => Promise.resolve())
  createGain = () => ({ connect() {}, gain: { value: 0 } })
  constructor() {
    Context.last = this
    Context.made++
  }
}

let now = 0

beforeEach(() => {
  vi.stubGlobal('AudioContext', Context)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  now = 0
  Context.made = 0
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
  const zone = {
    addEventListener: (kind: string, listener: (event: unknown) => void) => (heard[`zone ${kind}`] = listener),
    classList: { add() {}, remove() {} },
  }
  const { pressable } = await import('../room/input')
  pressable(() => {})(zone as unknown as HTMLElement)
  const finger = { pointerId: 7, pointerType: 'touch', timeStamp: 1, button: 0 }
  heard['zone pointerdown']!(finger)
  Context.last.resume.mockClear()
  heard.pointerup!(finger)
  expect(Context.last.resume).toHaveBeenCalledOnce()
})

test('without audio a gesture is no error, and nothing is played', async () => {
  for (const broken of [
    undefined,
    function () {
      throw new Error('no device')
    },
    class {
      state = 'running'
    },
  ]) {
    vi.stubGlobal('AudioContext', broken)
    vi.resetModules()
    const { unlockAudio, play } = await import('./audio')
    unlockAudio()
    play(1, () => expect.unreachable())
  }
})

test.each(['running', 'interrupted'])(
  'sound whose clock stands still for two seconds while it is %s gets a new output',
  async (state) => {
    const { unlockAudio, play } = await import('./audio')
    unlockAudio()
    const first = Context.last
    first.state = state
    now = 1900
    unlockAudio()
    expect(Context.made).toBe(1)
    now = 2100
    unlockAudio()
    expect(Context.made).toBe(2)
    expect(first.close).toHaveBeenCalledOnce()
    Context.last.state = 'running'
    const heard = vi.fn()
    play(1, heard)
    expect(heard).toHaveBeenCalledWith(Context.last, expect.anything())
  },
)

test('sound whose clock runs keeps its output', async () => {
  const { unlockAudio } = await import('./audio')
  for (; now < 60_000; now += 5000) {
    unlockAudio()
    Context.last.currentTime += 5
  }
  expect(Context.made).toBe(1)
})

test('a sound that this browser cannot make is not heard, and no error', async () => {
  const { unlockAudio, play } = await import('./audio')
  unlockAudio()
  Context.last.state = 'running'
  play(1, () => {
    throw new ReferenceError('OscillatorNode is not defined')
  })
})
