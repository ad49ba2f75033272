// Which key is whose, which is not allowed, and what it does.
import { expect, test } from 'vitest'
import { USUAL, actionForKey, keyConflict, labelOf, ownerOf, validKeys, withKey } from './keys'

test('each of four players has two keys, and no two players share one', () => {
  expect(new Set(USUAL.flatMap(({ turn, slap }) => [turn, slap])).size).toBe(8)
  expect(ownerOf(USUAL, 'KeyL')).toEqual({ player: 1, what: 'slap' })
  expect(ownerOf(USUAL, 'KeyZ')).toBeNull()
})

test.each(['Space', 'Tab', 'Escape', 'Enter', 'ShiftLeft', 'F5', ''])(
  '%s is nobody’s: it is needed elsewhere',
  (code) => {
    expect(keyConflict(USUAL, { player: 0, what: 'slap' }, code)).toBe('reserved')
  },
)

test('a key that is taken is not given to another player, nor to the same player’s other action', () => {
  expect(keyConflict(USUAL, { player: 0, what: 'slap' }, 'KeyP')).toEqual({ player: 1, what: 'turn' })
  expect(keyConflict(USUAL, { player: 0, what: 'slap' }, 'KeyQ')).toEqual({ player: 0, what: 'turn' })
  expect(keyConflict(USUAL, { player: 0, what: 'slap' }, 'KeyA')).toBeNull()
  expect(keyConflict(USUAL, { player: 0, what: 'slap' }, 'KeyF')).toBeNull()
})

test('a key changes hands and the others stay', () => {
  const changed = withKey(USUAL, { player: 2, what: 'slap' }, 'KeyN')
  expect(changed[2]).toEqual({ turn: 'KeyV', slap: 'KeyN' })
  expect(changed[0]).toEqual(USUAL[0])
})

test('an absent player who had the key gets the old one for it', () => {
  const changed = withKey(USUAL, { player: 0, what: 'slap' }, 'ArrowLeft')
  expect([changed[0], changed[3]]).toEqual([
    { turn: 'KeyQ', slap: 'ArrowLeft' },
    { turn: 'KeyA', slap: 'ArrowRight' },
  ])
})

test('kept keys come back, and broken ones do not', () => {
  const kept = withKey(USUAL, { player: 0, what: 'turn' }, 'Digit1')
  expect(validKeys(JSON.parse(JSON.stringify(kept)) as unknown[])).toEqual(kept)
  expect(validKeys([])).toEqual(USUAL)
  expect(validKeys([{ turn: 'KeyA', slap: 'KeyA' }])).toEqual(USUAL)
  expect(validKeys([{ turn: 'Space', slap: 'KeyA' }])).toEqual(USUAL)
})

test('a key is called as it is on this keyboard, else by its place', () => {
  const german = new Map([
    ['KeyZ', 'y'],
    ['Semicolon', 'ö'],
  ])
  expect(labelOf('KeyZ', german)).toBe('Y')
  expect(labelOf('Semicolon', german)).toBe('Ö')
  expect(labelOf('KeyZ', null)).toBe('Z')
  expect(labelOf('Numpad4', null)).toBe('Num 4')
  expect(labelOf('ArrowLeft', german)).toBe('←')
})

test('the turn key does what is urgent; where one of two is to be chosen the slap key takes the other', () => {
  const upper = { look: 'main', do: 'upper' } as const
  const lower = { look: 'main', do: 'lower' } as const
  const mine = { look: 'plain', do: 'mine' } as const
  expect(actionForKey([mine, upper, lower], 'turn', true)).toBe(upper)
  expect(actionForKey([mine, upper, lower], 'slap', true)).toBe(lower)
  expect(actionForKey([mine, upper], 'slap', false)).toBeUndefined()
  expect(actionForKey([mine], 'turn', false)).toBeUndefined()
})
