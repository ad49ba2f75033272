// A page whose browser takes no cookies keeps the proofs of its seats itself; no other page gets any.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const given = (...proofs: string[]) =>
  ({
    headers: { get: (name: string) => (name === 'seat-proof' && proofs.length ? proofs.join(', ') : null) },
  }) as Response

const storage = (works: boolean) => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void (works && kept.set(key, value)),
    removeItem: (key: string) => void kept.delete(key),
  }
}

async function pageWith(works: boolean, cookieEnabled: boolean) {
  vi.stubGlobal('localStorage', storage(works))
  vi.stubGlobal('navigator', { cookieEnabled })
  return await import('./seat-proofs')
}

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

test('where cookies are taken the page asks for no proof and keeps none', async () => {
  const page = await pageWith(true, true)
  page.keepProofs(given('0.1.a'))
  expect([page.seatProofs, page.proofHeader()]).toEqual([null, {}])
})

test.each([
  [false, true],
  [true, false],
])('where nothing is stored (%s), or cookies are refused (%s), it asks and shows what it got', async (works, takes) => {
  const page = await pageWith(works, takes)
  expect([page.seatProofs, page.proofHeader()]).toEqual(['', { 'seat-proof': '' }])
  page.keepProofs(given())
  page.keepProofs(given('0.1.a', '1.1.b'))
  page.keepProofs(given('2.1.c'))
  expect(page.seatProofs!.trim()).toBe('2.1.c 0.1.a 1.1.b')
  expect(page.proofHeader()).toEqual({ 'seat-proof': page.seatProofs })
})

test('the oldest proofs go when there are more than the server reads', async () => {
  const page = await pageWith(false, true)
  for (let i = 0; i < 40; i++) page.keepProofs(given(`${i}.1797098157.${'x'.repeat(43)}`))
  expect(page.seatProofs!.length).toBe(1100)
  expect(page.seatProofs).toMatch(/^39\..* 38\..* 24\./)
})
