// The seats of a table after an event.
import { expect, test } from 'vitest'
import type { PublicSeat } from '../wire'
import { hasFreeSeat, hostAfter, applySeatEvent } from './seats'

const person = (name: string): PublicSeat => ({
  name,
  bot: null,
  here: true,
  appearance: { hue: 0, shape: 'palm' },
  gone: false,
  muted: false,
  wins: 0,
  idle: false,
})
const two = [person('Ana'), person('Bo')]

test('a player who takes a seat is listed, and present once their page connects', () => {
  const cy = { e: 'sat', seat: 2, name: 'Cy', bot: null, player_id: 2, appearance: { hue: 5, shape: 'wing' } } as const
  expect(applySeatEvent(two, cy)[2]).toEqual({ ...person('Cy'), here: false, appearance: { hue: 5, shape: 'wing' } })
})

test('an event that changes no seat leaves the list as it is, so that nothing is drawn again', () => {
  expect(applySeatEvent(two, { e: 'listed', on: true })).toBe(two)
})

test('a bot is here at once', () => {
  expect(
    applySeatEvent(two, { e: 'sat', seat: 2, name: 'Isis', bot: 'sharp', player_id: 2, appearance: null })[2]?.here,
  ).toBe(true)
})

test('a player who leaves is gone and not present, and the next person is the host', () => {
  const left = { e: 'left', seat: 0, removed: false, by: [] as number[] } as const
  const after = applySeatEvent(two, left)
  expect(after.map(({ gone, here }) => [gone, here])).toEqual([
    [true, false],
    [false, true],
  ])
  expect(hostAfter(0, after, left)).toBe(1)
})

test('the host passes the role on and keeps their seat; a player who comes to a seat before the host is not the host', () => {
  expect(hostAfter(0, two, { e: 'host_passed', seat: 1, away: false })).toBe(1)
  expect(hostAfter(1, two, { e: 'sat', seat: 0, name: 'Cy', bot: null, player_id: 2, appearance: null })).toBe(1)
})

test('a player whose name was deleted stays, without it', () => {
  const after = applySeatEvent(two, { e: 'name_deleted', seat: 1 })
  expect(after).toEqual([person('Ana'), person('–')])
})

test('a player who takes the seat of one who was muted and left is neither', () => {
  const left = applySeatEvent(applySeatEvent(two, { e: 'muted', seat: 1, on: true }), {
    e: 'left',
    seat: 1,
    removed: true,
    by: [],
  })
  expect([left[1]?.muted, left[1]?.gone]).toEqual([true, true])
  const after = applySeatEvent(left, { e: 'sat', seat: 1, name: 'Cy', bot: null, player_id: 2, appearance: null })
  expect([after[1]?.name, after[1]?.muted, after[1]?.gone]).toEqual(['Cy', false, false])
})

test('a seat that was left is free when the game is over, and a house may have no limit', () => {
  const left = applySeatEvent(two, { e: 'left', seat: 1, removed: false, by: [] })
  expect([hasFreeSeat(two, true, 2), hasFreeSeat(left, true, 2), hasFreeSeat(left, false, 2)]).toEqual([
    false,
    false,
    true,
  ])
  expect([hasFreeSeat(two, true, 3), hasFreeSeat(two, true, 0)]).toEqual([true, true])
})

test('a game that a player has won counts for them alone, until another takes the seat', () => {
  const won = {
    e: 'won',
    seat: 1,
    standing: { phase: 'over', turn: 1, challenger: null, chances_left: 0, reason: null },
  } as const
  const after = applySeatEvent(applySeatEvent(two, won), won)
  expect(after.map(({ wins }) => wins)).toEqual([0, 2])
  expect(
    applySeatEvent(after, { e: 'sat', seat: 1, name: 'Cy', bot: null, player_id: 2, appearance: null })[1]?.wins,
  ).toBe(0)
})
