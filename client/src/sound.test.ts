// Vibration where there is any: Firefox and WebKit have none, and Chromium complains before the first touch.
import { beforeEach, expect, test, vi } from 'vitest'

const vibrate = vi.fn()

beforeEach(() => {
  vibrate.mockClear()
  vi.resetModules()
})

async function shake(device: object, stored: object = {}) {
  vi.stubGlobal('navigator', device)
  vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(stored) })
  const { vibrate } = await import('./sound')
  vibrate(20)
}

test('a device that can vibrate does after the first touch', async () => {
  await shake({ vibrate, userActivation: { hasBeenActive: true } })
  expect(vibrate).toHaveBeenCalledExactlyOnceWith(20)
})

test.each([
  ['before the first touch', { vibrate, userActivation: { hasBeenActive: false } }, {}],
  ['on a browser that does not tell of touches', { vibrate }, {}],
  ['if its player has turned it off', { vibrate, userActivation: { hasBeenActive: true } }, { vibration: false }],
])('it does not %s', async (_, device, stored) => {
  await shake(device, stored)
  expect(vibrate).not.toHaveBeenCalled()
})

test('a device that cannot vibrate is asked for nothing', async () => {
  await shake({ userActivation: { hasBeenActive: true } })
})
