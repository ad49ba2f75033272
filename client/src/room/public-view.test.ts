// The changes that events carry, applied to views written by hand.
import { expect, test } from 'vitest'
import { dealt, toPlay } from '../testing'
import type { View } from '../wire'
import { viewAfter } from './public-view'

/** The view after an event with these changes. */
const changed = (view: View, changes: Record<string, unknown>) =>
  viewAfter(view, { e: { e: 'touched', seat: 0 }, c: changes })!

test('nothing is known before a game began', () => {
  expect(viewAfter(null, { e: { e: 'touched', seat: 0 }, c: { n: 1 } })).toBeNull()
})

test('a deal brings a whole view, whatever was before', () => {
  const view = dealt([3, 3])
  const event = { e: 'dealt_public' as const, rules: view.rules, cards_held: [3, 3], standing: toPlay(0) }
  expect(viewAfter(dealt([9, 9, 9]), { e: event, view })).toBe(view)
  expect(viewAfter(null, { e: event, view })).toBe(view)
})

test('a turned card brings its standing itself, and its changes bring all else', () => {
  const view = viewAfter(dealt([3, 3]), {
    e: { e: 'played', seat: 0, card: '5H', n: 1, standing: toPlay(1) },
    c: { cards_held: { 0: 2 }, pile: [0, 0, ['5H', 'live']], n: 1, opening: '5H' },
  })!
  expect([view.cards_held, view.pile, view.n, view.opening, view.standing]).toEqual([
    [2, 3],
    [['5H', 'live']],
    1,
    '5H',
    toPlay(1),
  ])
})

test('an event without changes, or of the table, leaves the view as it is', () => {
  const view = dealt([3, 3])
  expect(viewAfter(view, { e: { e: 'slapped', seats: [0] } })).toBe(view)
  expect(viewAfter(view, { e: { e: 'rules_changed', rules: { ...view.rules, decks: 2 }, link: '' } })).toBe(view)
})

test('a list is edited in one place: cards come at any place, and go', () => {
  const view: View = {
    ...dealt([3, 3]),
    pile: [
      ['5H', 'live'],
      ['6H', 'live'],
      ['7H', 'live'],
    ],
  }
  const pileAfter = (...edit: unknown[]) => changed(view, { pile: edit }).pile.map(([card]) => card)
  expect(pileAfter(0, 0, ['2C', 'burned'], ['3C', 'burned'])).toEqual(['2C', '3C', '5H', '6H', '7H'])
  expect(pileAfter(3, 0, ['2C', 'dead'])).toEqual(['5H', '6H', '7H', '2C'])
  expect(pileAfter(1, 1, [null, 'burned'])).toEqual(['5H', null, '7H'])
  expect(pileAfter(0, 3)).toEqual([])
})

test('of a seat only the named fields change', () => {
  const view = changed(dealt([3, 3]), { seat_states: { 1: { fouls: 1, locked: 'pile' } }, asides: { 1: [0, 0, '5H'] } })
  expect(view.seat_states[1]).toEqual({ ...dealt([3, 3]).seat_states[1], fouls: 1, locked: 'pile' })
  expect([view.seat_states[0], view.asides]).toEqual([dealt([3, 3]).seat_states[0], [[], ['5H']]])
})

test('an object may come where there was none, and go', () => {
  const back = { phase: 'play', turn: 1, challenger: 0, chances_left: 2 }
  const claimed = changed(dealt([3, 3]), { resume_state: back, claimants: [0, 0, 1], claim_type: 'slap' })
  expect([claimed.resume_state, claimed.claimants, claimed.claim_type]).toEqual([back, [1], 'slap'])
  const resumed = changed(claimed, { resume_state: null, claimants: [0, 1], claim_type: null })
  expect([resumed.resume_state, resumed.claimants, resumed.claim_type]).toEqual([null, [], null])
})

test('a newcomer has a place in every list', () => {
  const late = { ...dealt([3, 3]).seat_states[0]!, playing: false }
  const view = changed(dealt([3, 3]), { cards_held: [2, 0, 0], asides: [2, 0, []], seat_states: [2, 0, late] })
  expect([view.cards_held, view.asides, view.seat_states[2]]).toEqual([[3, 3, 0], [[], [], []], late])
})

test('changes never touch the view before them', () => {
  const before = dealt([3, 3])
  const copy = structuredClone(before)
  changed(before, {
    cards_held: { 0: 2 },
    pile: [0, 0, ['5H', 'live']],
    seat_states: { 0: { strikes: 1 } },
    asides: { 1: [0, 0, '5H'] },
  })
  expect(before).toEqual(copy)
})
