// Stored data of any version and any type: each field is as it was stored, or has its default.
import { beforeEach, expect, test, vi } from 'vitest'
import { fieldsOf, isFlag, isListOf, isNullOr, isOneOf, isShape, isText, isWhole, parsed } from './stored'

/** What may be stored under any name, by other versions, other programs, or a hand. */
const ANYTHING = [
  '',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '"text"',
  '[]',
  '[null]',
  '[[1]]',
  '{}',
  '{"a":null}',
  '{',
  'undefined',
  '[{"at":1}]',
  '{"__proto__":{"name":5}}',
]

test('a field that is not as its check demands has its default', () => {
  const defaults = { name: 'Ana', count: 2, sound: true, list: [] as number[] }
  const checks = { name: isText, count: isWhole(1, 7), sound: isFlag, list: isListOf(isWhole(0)) }
  const read = (stored: unknown) => fieldsOf(stored, defaults, checks)
  expect(read({ name: 'Ben', count: 7, sound: false, list: [1], more: 1 })).toEqual({
    name: 'Ben',
    count: 7,
    sound: false,
    list: [1],
  })
  expect(read({ name: 5, count: 8, sound: 'yes', list: [-1] })).toEqual(defaults)
  expect(read({ name: null, count: 1.5, list: {} })).toEqual(defaults)
  for (const text of ANYTHING) expect(read(parsed(text)), text).toEqual(defaults)
  expect(Object.getPrototypeOf(read(parsed('{"__proto__":{"count":3}}')))).toBe(Object.prototype)
})

test('a shape has all of its fields', () => {
  const check = isShape<{ hue: number; shape: string | null }>({
    hue: isWhole(0, 7),
    shape: isNullOr(isOneOf('palm', 'paw')),
  })
  expect(
    [
      { hue: 1, shape: 'paw' },
      { hue: 1, shape: null },
    ].every(check),
  ).toBe(true)
  expect([null, [], 'x', {}, { hue: 1 }, { hue: 99, shape: 'palm' }, { hue: 1, shape: 'octopus' }].some(check)).toBe(
    false,
  )
})

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null, setItem() {}, removeItem() {} })
  vi.stubGlobal('sessionStorage', globalThis.localStorage)
})

const VALUES = ANYTHING.map((text) => parsed(text)).concat([
  { hue: 99, shape: 'octopus' },
  { hue: 1 },
  'zzz',
  'loud',
  10 ** 9,
  'x'.repeat(9999),
])

test('settings of any version leave every field with a value of its own type', async () => {
  const { settings: defaults } = await import('../settings.svelte')
  const usual = { ...defaults, games: 3, bots: 3, strength: 'steady' }
  for (const field of Object.keys(usual) as (keyof typeof usual)[])
    for (const value of VALUES) {
      stored.set('ratscrew:settings', JSON.stringify({ [field]: value }))
      vi.resetModules()
      const { settings } = await import('../settings.svelte')
      const said = `${field}: ${JSON.stringify(value)}`
      if (JSON.stringify(settings[field]) !== JSON.stringify(value)) expect(settings, said).toEqual(usual)
      expect([typeof settings[field], Array.isArray(settings[field])], said).toEqual([
        typeof usual[field],
        Array.isArray(usual[field]),
      ])
      expect([settings.appearance.hue, settings.volume, settings.bots].every(Number.isInteger), said).toBe(true)
    }
}, 60_000)

test('the settings of this version and of the first one are read whole', async () => {
  const kept = {
    name: 'Ana',
    bots: 2,
    strength: 'ra',
    house: '1;sprint',
    sound: false,
    volume: 10,
    vibration: false,
    fourColours: false,
    leftHanded: true,
    language: 'de',
    hints: false,
    streamer: true,
    aloud: 'all',
    games: 9,
    lastGame: 'x',
    account: true,
    beaten: ['bes'],
  }
  for (const name of ['appearance', 'guise']) {
    stored.set('ratscrew:settings', JSON.stringify({ ...kept, [name]: { hue: 7, shape: 'claw' } }))
    vi.resetModules()
    const { settings } = await import('../settings.svelte')
    expect(settings).toEqual({ ...kept, appearance: { hue: 7, shape: 'claw' } })
  }
})

test('whatever else is stored can be read', async () => {
  for (const text of ANYTHING) {
    for (const key of [
      'ratscrew:bests',
      'ratscrew:daily',
      'ratscrew:practices',
      'ratscrew:together',
      'ratscrew:hidden',
      'ratscrew:lesson',
      'ratscrew:seat:WOLF',
      'ratscrew:together:WOLF',
      'ratscrew:shuffle:WOLF-1-1',
    ])
      stored.set(key, text)
    vi.resetModules()
    const { readBests } = await import('../bests/bests')
    const { readDaily } = await import('../bests/daily')
    const { practiceHistory } = await import('../practice/history')
    const { savedSetup, savedPlan } = await import('../together/saved-setup.svelte')
    const { hiddenNames } = await import('../moderation/hidden')
    const { savedLesson } = await import('../learn/saved-lesson')
    const { savedSeats } = await import('../net/rooms')
    const { savedShuffle } = await import('../net/nonces')
    expect(readBests(), text).toMatchObject({ fastest: null, games: 0, game: '' })
    expect(
      [readDaily(), practiceHistory(), hiddenNames('WOLF'), savedLesson(), savedShuffle('WOLF-1-1')],
      text,
    ).toEqual([null, [], [], 0, null])
    expect(
      [
        savedSetup.count,
        savedSetup.players.length,
        savedSetup.players[0]!.name,
        savedSetup.keys.length,
        savedPlan('WOLF').form,
      ],
      text,
    ).toEqual([2, 4, '', 4, 'tablet'])
    expect(savedSeats('WOLF').every(Number.isInteger), text).toBe(true)
  }
})
