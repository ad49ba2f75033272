// The screen stays on where the browser can keep it on; elsewhere the game goes on without.
import { beforeEach, expect, test, vi } from 'vitest'
import { holdWakeLock } from './wake-lock'

const page = {
  hidden: false,
  look: () => {},
  addEventListener: (_: string, look: () => void) => (page.look = look),
  removeEventListener: vi.fn(),
}

beforeEach(() => {
  page.hidden = false
  page.removeEventListener.mockClear()
  vi.stubGlobal('document', page)
})

test('a browser without wake locks is asked for none', () => {
  vi.stubGlobal('navigator', {})
  holdWakeLock()()
  expect(page.removeEventListener).toHaveBeenCalledOnce()
})

test('a lock that is denied is no error, and the next look asks again', async () => {
  const request = vi.fn(() => Promise.reject(new Error('battery low')))
  vi.stubGlobal('navigator', { wakeLock: { request } })
  holdWakeLock()
  await Promise.resolve()
  page.look()
  await Promise.resolve()
  expect(request).toHaveBeenCalledTimes(2)
})

test('a hidden page asks for none, and a lock is released in the end, even one that comes late', async () => {
  const release = vi.fn(() => Promise.resolve())
  const request = vi.fn(() => Promise.resolve({ release }))
  vi.stubGlobal('navigator', { wakeLock: { request } })
  page.hidden = true
  const end = holdWakeLock()
  expect(request).not.toHaveBeenCalled()
  page.hidden = false
  page.look()
  end()
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce())
})
