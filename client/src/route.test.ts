// An address names a page, and may carry a pass for seats, which is redeemed and removed from sight.
import { beforeEach, expect, test, vi } from 'vitest'

vi.mock('./i18n/language', () => ({
  language: 'en',
  texts: { start: { unreachable: 'nobody is there', refused: 'no' }, problem: {} },
}))

const listeners = new Map<string, () => void>()

/** The page, at an address, and what the server answers there. */
async function opened(address: string, answer: object = {}, ok = true) {
  const at = new URL(address, 'http://table.example')
  const place = { pathname: at.pathname, hash: at.hash, origin: at.origin }
  const moved = (_: unknown, __: string, path: string) => void Object.assign(place, { pathname: path, hash: '' })
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  }
  vi.stubGlobal('location', place)
  vi.stubGlobal('history', { replaceState: moved, pushState: moved })
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('localStorage', storage)
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    asked.push([path, JSON.parse(body)])
    return { ok, json: async () => answer }
  })
  vi.stubGlobal('addEventListener', (what: string, then: () => void) => listeners.set(what, then))
  return { ...(await import('./route.svelte')), place, asked, kept: () => [...kept.values()] }
}

beforeEach(() => {
  vi.resetModules()
  vi.unstubAllGlobals()
})

test.each([
  ['/', '', null],
  ['/room/abcd', 'room', 'ABCD'],
  ['/tv/ABCD', 'tv', 'ABCD'],
  ['/room/wolf4821', 'room', 'WOLF4821'],
  ['/room/Wolf-4821', 'room', 'WOLF4821'],
  ['/tv/wolf%204821', 'tv', 'WOLF4821'],
  ['/game/WOLF4821-1f-1', 'game', 'WOLF4821-1F-1'],
  ['/replay/a%2Fb', 'replay', 'A/B'],
  ['/room/%ff', 'room', '%FF'],
  ['/learn', 'learn', null],
])('%s', async (address, page, code) => {
  const { route } = await opened(address)
  expect([route.page, route.code]).toEqual([page, code])
})

test('a pass that an address brings is out of sight at once, and redeemed only when the player says so', async () => {
  const { route, place, asked, kept } = await opened('/room/ABCD#seat=0-2.se_cret')
  expect(place).toMatchObject({ pathname: '/room/ABCD', hash: '' })
  expect([route.pass, asked, kept()]).toEqual(['0-2.se_cret', [], []])
})

test('a pass is forgotten with its room', async () => {
  const { route, go } = await opened('/room/ABCD#seat=0.secret')
  go('WXYZ')
  expect(route.pass).toBeNull()
})

test('an address without a room brings no seat', async () => {
  const { place, asked } = await opened('/#seat=0.secret')
  expect(asked).toEqual([])
  expect(place.hash).toBe('#seat=0.secret')
})

test('one goes to a room and home again', async () => {
  const { route, go } = await opened('/')
  go('WXYZ')
  expect([route.page, route.code]).toEqual(['room', 'WXYZ'])
  go(null)
  expect([route.page, route.code]).toEqual(['', null])
})

test('a room that is entered anew, or with another seat, is another visit', async () => {
  const { route, reenterRoom, place } = await opened('/room/ABCD')
  expect(route.visit).toBe(0)
  reenterRoom()
  expect(route.visit).toBe(1)
  place.hash = '#seat=1.other'
  listeners.get('popstate')!()
  expect(route.visit).toBe(2)
  listeners.get('popstate')!()
  expect(route.visit).toBe(2)
})

test.each([
  [{}, true],
  [{ target: '_blank' }, false],
  [{ ctrlKey: true }, false],
])('a click with %o is followed here: %s', async (how, here) => {
  const { route, followLink } = await opened('/')
  const { target = '', ...keys } = how as { target?: string }
  const preventDefault = vi.fn()
  followLink({ currentTarget: { href: '/judge', target }, preventDefault, ...keys } as unknown as MouseEvent)
  expect(preventDefault).toHaveBeenCalledTimes(here ? 1 : 0)
  expect(route.page).toBe(here ? 'judge' : '')
})
