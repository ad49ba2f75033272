// The last races, as they are stored for the race panel.
import { expect, test } from 'vitest'
import { dealt, hit } from '../testing'
import { recordLateSlap, recordRace, type Race } from './races'

const judged = (n: number, ...seats: number[]) => ({
  e: 'judged' as const,
  n,
  pattern: 'double',
  order: seats.map((seat) => hit(seat, 300_000)),
  tie: false,
  confidence: 97,
  unseen: 0,
})

test('the newest race stands first, and twelve are kept', () => {
  let races: readonly Race[] = []
  for (let n = 1; n <= 14; n++) races = recordRace(races, judged(n, 0))
  expect(races.map(({ n }) => n)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
})

test('one hand on nothing is a race that is marked wrong', () => {
  const [race] = recordRace([], { e: 'measured', n: 4, slap: hit(2, 410_000) })
  expect(race).toMatchObject({ n: 4, wrong: true, pattern: '', order: [{ seat: 2, us: 410_000 }] })
})

test('a hand that came too late is noted with its race, and with no wrong slap on the same card', () => {
  const races = recordRace(recordRace([], judged(4, 0)), { e: 'measured', n: 4, slap: hit(1, 1) })
  const [wrong, race] = recordLateSlap(races, { t: 'late', seat: 2, n: 4, us: 90_000 })
  expect(wrong!.late).toEqual([])
  expect(race!.late).toEqual([{ seat: 2, us: 90_000 }])
})

test('a card that went back belongs to the last race alone', () => {
  const races = recordRace(recordRace(recordRace([], judged(4, 0)), judged(9, 1)), {
    e: 'withdrawn',
    seat: 1,
    card: '9D',
  })
  expect(races.map(({ n, back }) => [n, back])).toEqual([
    [9, '9D'],
    [4, null],
  ])
})

test('another game begins without races, and other events leave them alone', () => {
  const races = recordRace([], judged(4, 0))
  const { rules, cards_held: held, pile, standing: to } = dealt([3, 3])
  expect(recordRace(races, { e: 'dealt_public', rules, cards_held: held, pile, standing: to })).toEqual([])
  expect(recordRace(races, { e: 'touched', seat: 0 })).toBe(races)
})
