// Which actions are available, moment by moment.
import { expect, test } from 'vitest'
import { after, dealt, NAMES, played, toPlay } from '../testing'
import type { View } from '../wire'
import { availableActions } from './actions'

const name = (seat: number) => NAMES[seat]!
const may = (view: View, you = 0) =>
  availableActions(view, you, name).map(({ action: what, target, half }) =>
    [what, target ?? half].filter((word) => word !== undefined).join(' '),
  )
const turned = (rules = {}) => after(dealt([3, 3, 3], rules), played(0, '5H', 1, toPlay(1)))

test('in a plain house there is nothing to do but turn and slap', () => {
  expect(may(turned())).toEqual([])
})

test('a claim can be contested by each player who holds cards and has not claimed', () => {
  const claim = { ...turned(), standing: toPlay(1, { phase: 'claim' }), claimants: [1] }
  expect(may(claim)).toEqual(['contest'])
  expect(may(claim, 1)).toEqual([])
  expect(may({ ...claim, cards_held: [0, 3, 3] })).toEqual([])
})

test('a tie is awarded by the players who were not in it, to one who was', () => {
  const tie = { ...turned(), standing: toPlay(1, { phase: 'tie' }), tied: [1, 2] }
  expect(may(tie)).toEqual(['award 1', 'award 2'])
  expect(may(tie, 2)).toEqual([])
})

test('a player who owes half of their hand chooses the half', () => {
  const split = { ...turned(), standing: toPlay(0, { phase: 'split' }) }
  expect(may(split)).toEqual(['choose top', 'choose bottom'])
  expect(may(split, 1)).toEqual([])
})

test('a pile that is won is taken up by hand where the house wants it, by its winner alone', () => {
  const won = { ...turned({ collect: 'manual' }), standing: toPlay(0, { phase: 'won' }) }
  expect(may(won)).toEqual(['collect'])
  expect(may(won, 1)).toEqual([])
})

test('where people may cheat, a pile may be grabbed, and the thief be caught by others', () => {
  expect(may(turned({ cheat: 'split' }))).toEqual(['collect'])
  const grabbed = { ...turned({ cheat: 'split' }), pile: [], thief: 2, standing: toPlay(2, { phase: 'grab' }) }
  expect(may(grabbed)).toEqual(['notice'])
  expect(may(grabbed, 2)).toEqual([])
})

test('feints are for everybody who has not been thrown out', () => {
  const view = turned({ feints: true })
  expect(may(view)).toEqual(['fake_slap', 'feint'])
  expect(may(after(view, { e: 'eliminated', seat: 0, cards: [], count: 0, face_up: false }))).toEqual([])
})

test('a hand that hovers is slapped down by another', () => {
  const view = after(turned(), { e: 'hovered', seat: 1, off: false })
  expect(may(view)).toEqual(['slap_down 1'])
  expect(may(view, 1)).toEqual([])
})

test('no action is available when the game is over, or without a seat', () => {
  const view = turned({ feints: true })
  expect(may({ ...view, standing: toPlay(0, { phase: 'over' }) })).toEqual([])
  expect(may(view, 7)).toEqual([])
})
