// A house's options by path and back, with a small list of three options.
import { expect, test } from 'vitest'
import type { RuleOptions } from '../net/rules'
import { unflatten, flatten } from './paths'

const choice = (path: string, kind: string) => ({ path, kind })
const all = {
  groups: [
    { options: [choice('decks', 'number'), choice('slaps.marriage_cards', 'cards'), choice('wrong_slap', 'table')] },
  ],
  wrong_slap: [
    { kind: 'burn', parameters: [choice('wrong_slap.cards', 'number')] },
    { kind: 'nothing', parameters: [] },
  ],
  no_cards: [{ kind: 'nothing', parameters: [] }],
  slaps: [
    { name: 'double', parameters: [], only: null },
    { name: 'run', parameters: [choice('slaps.run.length', 'number')], only: 'length' },
  ],
} as unknown as RuleOptions

const rules = {
  decks: 2,
  wrong_slap: { kind: 'burn', cards: 3 },
  no_cards: { kind: 'nothing' },
  slaps: { double: true, run: 4 },
}
const chosen = {
  decks: 2,
  'slaps.marriage_cards': [],
  'wrong_slap.kind': 'burn',
  'wrong_slap.cards': 3,
  'no_cards.kind': 'nothing',
  'slaps.double': true,
  'slaps.run': true,
  'slaps.run.length': 4,
}

test('every choice has its path; a pattern with a number is on, and has the number below it', () => {
  expect(flatten(all, rules)).toEqual(chosen)
})

test('a pattern that a house does not have is off', () => {
  expect(flatten(all, { ...rules, slaps: {} })).toMatchObject({ 'slaps.double': false, 'slaps.run': false })
})

test('and back: a penalty has the parameters of its kind alone', () => {
  expect(unflatten(all, chosen)).toEqual({
    decks: 2,
    wrong_slap: { kind: 'burn', cards: 3 },
    no_cards: { kind: 'nothing' },
    slaps: { marriage_cards: [], double: true, run: { length: 4 } },
  })
  expect(unflatten(all, { ...chosen, 'wrong_slap.kind': 'nothing' }).wrong_slap).toEqual({ kind: 'nothing' })
})
