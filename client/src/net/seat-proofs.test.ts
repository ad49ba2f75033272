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
  const { keepProofs, proofHeader, seatProofs } = await pageWith(true, true)
  keepProofs(given('0.1.a'))
  expect([seatProofs(), proofHeader()]).toEqual([null, {}])
})

test.each([
  [false, true],
  [true, false],
])('where nothing is stored (%s), or cookies are refused (%s), it asks and shows what it got', async (works, takes) => {
  const { keepProofs, proofHeader, seatProofs } = await pageWith(works, takes)
  expect([seatProofs(), proofHeader()]).toEqual(['', { 'seat-proof': '' }])
  keepProofs(given())
  keepProofs(given('0.1.a', '1.1.b'))
  keepProofs(given('0.1.a'))
  expect([seatProofs(), proofHeader()]).toEqual(['0.1.a 1.1.b', { 'seat-proof': '0.1.a 1.1.b' }])
})

test('the oldest proofs go when there are more than the server reads', async () => {
  const { keepProofs, seatProofs } = await pageWith(false, true)
  for (let i = 0; i < 20; i++) keepProofs(given(`${i}`))
  expect(seatProofs()!.split(' ')).toEqual(Array.from({ length: 16 }, (_, i) => `${i + 4}`))
})
