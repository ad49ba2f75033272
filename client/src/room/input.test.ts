// What phones do by themselves with a finger on the table.
import { beforeEach, expect, test, vi } from 'vitest'
import { pressable } from './input'

const heard: Record<string, (event: unknown) => void> = {}
const listen = (where: string) => (kind: string, listener: (event: unknown) => void) => (heard[where + kind] = listener)
const zone = { addEventListener: listen('zone '), classList: { add() {}, remove() {} } } as unknown as HTMLElement

beforeEach(() => {
  vi.stubGlobal('addEventListener', listen(''))
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'running'
    },
  )
  vi.stubGlobal(
    'GainNode',
    class {
      connect() {}
    },
  )
})

test.each(['contextmenu', 'mousedown'])(
  'a finger that rests opens no menu and leaves the focus where it is: %s',
  (kind) => {
    pressable(() => {})(zone)
    const preventDefault = vi.fn()
    heard[`zone ${kind}`]!({ preventDefault })
    expect(preventDefault).toHaveBeenCalledOnce()
  },
)

test('a second finger, and a mouse button other than the first, press nothing', () => {
  const act = vi.fn()
  pressable(act)(zone)
  heard['zone pointerdown']!({ pointerId: 1, pointerType: 'mouse', button: 2, timeStamp: 1 })
  expect(act).not.toHaveBeenCalled()
  for (const pointerId of [7, 8])
    heard['zone pointerdown']!({ pointerId, pointerType: 'touch', button: 0, timeStamp: 1 })
  expect(act).toHaveBeenCalledOnce()
})
