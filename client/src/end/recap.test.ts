// Recaps of games that were written and counted by hand.
import { expect, test } from 'vitest'
import type { TableEvent } from '../room/public-view'
import { NAMES, RULES, hit, played, taken, allWithChanges, toPlay } from '../testing'
import type { Finished, SlapRecord, Sat } from '../wire'
import { recapOf } from './recap'

const began = (...held: number[]): TableEvent => ({
  e: 'dealt_public',
  rules: RULES,
  cards_held: held,
  pile: [],
  standing: toPlay(0),
})
const race = (n: number, pattern: string, ...order: SlapRecord[]): TableEvent[] => [
  { e: 'judged', n, pattern, order, tie: false, confidence: null, unseen: 0 },
  { e: 'slapped', seats: order.map(({ seat }) => seat), under: false },
]
const won = (seat: number): TableEvent => ({ e: 'won', seat, standing: { ...toPlay(seat), phase: 'over' } })
const turned = (seat: number, n: number) => played(seat, '2C', n, toPlay(0))

/** A game whose events are a second apart; `open` are the numbers of the cards on which the pile could be slapped. */
function game(seats: number, events: TableEvent[], ...open: number[]): Finished {
  const sat = NAMES.slice(0, seats).map((name, seat): Sat => ({
    e: 'sat',
    seat,
    name,
    bot: seat ? 'steady' : null,
    player_id: null,
    appearance: null,
  }))
  const openings = open.map((n) => ({
    v: 1 + events.findIndex((event) => event.e === 'played' && event.n === n),
    pattern: 'double',
  }))
  return {
    game: 'WOLF-1-1',
    house: '1;classic',
    seats: sat,
    events: allWithChanges(events).map((event, i) => ({ at_ms: i * 1000, ...event })),
    openings,
    seed: null,
  }
}

/** Ben wins the first double before Ana, who then slaps nothing, plays her last card onto a double, and is back. */
const whole = game(
  2,
  [
    began(3, 3),
    turned(0, 1),
    turned(1, 2),
    ...race(2, 'double', hit(1, 250_000), hit(0, 300_000)),
    taken(1, 2, 'slap:double'), // 2 and 4
    turned(1, 3),
    { e: 'measured', n: 3, slap: hit(0, 400_000) },
    { e: 'slapped', seats: [0], under: false },
    { e: 'fouled', seat: 0, streak: 1 },
    { e: 'burned', seat: 0, count: 1, cards: ['7D'], place: 'bottom', face_up: true },
    turned(0, 4),
    ...race(4, 'double', hit(0, 200_000)),
    taken(0, 3, 'slap:double'), // 3 and 3
    turned(0, 5),
    turned(1, 6),
    turned(1, 7),
    turned(1, 8),
    taken(0, 4, 'challenge'), // 6 and 0
    won(0),
  ],
  2,
  4,
)

test('the figures of each player are those of their own hands', () => {
  const [ana, ben] = recapOf(whole).players
  expect(ana).toEqual({
    seat: 0,
    name: 'Ana',
    bot: false,
    appearance: { hue: 0, shape: 'palm' },
    best: 200_000,
    median: 250_000,
    won: 1,
    beaten: 1,
    missed: 0,
    wrong: 1,
  })
  expect(ben).toMatchObject({
    name: 'Ben',
    bot: true,
    best: 250_000,
    median: 250_000,
    won: 1,
    beaten: 0,
    missed: 1,
    wrong: 0,
  })
})

test('every slap is there with its card and what became of it', () => {
  expect(recapOf(whole).slaps.map(({ seat, n, us, verdict, at }) => [seat, n, us / 1000, verdict, at])).toEqual([
    [1, 2, 250, 'won', 4],
    [0, 2, 300, 'beaten', 4],
    [0, 3, 400, 'wrong', 8],
    [0, 4, 200, 'won', 13],
  ])
})

test('it is told who won, how long it was and how many piles there were', () => {
  const { winner, cards, ms, piles } = recapOf(whole)
  expect({ winner, cards, ms }).toEqual({ winner: 0, cards: 8, ms: 20_000 })
  expect(piles.map(({ seat, n, count, why, us }) => [seat, n, count, why, us])).toEqual([
    [1, 2, 2, 'slap:double', 250_000],
    [0, 4, 3, 'slap:double', 200_000],
    [0, 8, 4, 'challenge', null],
  ])
})

test('the cards go to and fro', () => {
  expect(recapOf(whole).held).toEqual([
    [3, 3],
    [2, 3],
    [2, 4],
    [1, 3],
    [3, 3],
    [2, 3],
    [2, 2],
    [2, 1],
    [6, 0],
  ])
})

test('the biggest pile is the one of most cards, and of two the first', () => {
  expect(recapOf(whole).biggest).toMatchObject({ seat: 0, n: 8, count: 4 })
  const even = game(2, [
    began(4, 4),
    turned(0, 1),
    turned(1, 2),
    taken(0, 2, 'challenge'),
    turned(0, 3),
    turned(1, 4),
    taken(1, 2, 'challenge'),
    won(1),
  ])
  expect(recapOf(even).biggest).toMatchObject({ seat: 0, n: 2 })
})

test('the pile that decided is the one after which the winner was never behind again, nor level', () => {
  expect(recapOf(whole).decided).toMatchObject({ seat: 0, n: 8, first: false })
})

test('another may have taken it from whoever led', () => {
  const events = [
    began(5, 6, 1),
    turned(1, 1),
    turned(2, 2),
    taken(0, 2, 'challenge'),
    turned(1, 3),
    turned(0, 4),
    taken(2, 2, 'slap:double'),
    won(0),
  ]
  expect(recapOf(game(3, events)).decided).toMatchObject({ seat: 0, n: 2, first: true }) // 7, 5, 0; then 6, 4, 2
  const levelled = [
    began(5, 6, 1),
    turned(1, 1),
    turned(0, 2),
    taken(1, 2, 'challenge'),
    turned(1, 3),
    turned(1, 4),
    taken(2, 2, 'slap:double'),
    turned(1, 5),
    turned(1, 6),
    taken(2, 2, 'challenge'),
    won(0),
  ]
  // 4, 7, 1; then 4, 5, 3; then 4, 3, 5: nobody but Cleo is ahead at the end, so no pile has decided it
  expect(recapOf(game(3, levelled)).decided).toBeNull()
  const given = [began(5, 6, 1), turned(1, 1), turned(1, 2), taken(2, 2, 'challenge'), won(0)] // 5, 4, 3
  expect(recapOf(game(3, given)).decided).toMatchObject({ seat: 2, first: true })
})

test('where nobody wins nothing has decided, and without piles there is no biggest', () => {
  const drawn = recapOf(
    game(2, [began(1, 1), turned(0, 1), turned(1, 2), { e: 'drawn', standing: { ...toPlay(0), phase: 'over' } }]),
  )
  expect([drawn.winner, drawn.decided, drawn.biggest]).toEqual([null, null, null])
})

test('a player who had no cards left and got some again is listed, with the most cards after that', () => {
  expect(recapOf(whole).comebacks).toEqual([{ seat: 0, times: 1, n: 4, most: 6 }])
})

test('the greatest comeback is told first', () => {
  const both = [
    began(1, 1, 4),
    turned(0, 1),
    turned(1, 2),
    taken(0, 2, 'slap:double'),
    turned(2, 3),
    turned(2, 4),
    turned(0, 5),
    taken(1, 3, 'challenge'),
    won(1),
  ]
  expect(recapOf(game(3, both)).comebacks.map(({ seat, most }) => [seat, most])).toEqual([
    [1, 3],
    [0, 2],
  ])
})

test('a late player is no comeback, and missed nothing before', () => {
  const late = [
    began(2, 2),
    turned(0, 1),
    turned(1, 2), // a double that nobody slaps
    { e: 'arrived' },
    turned(0, 3), // another
    ...race(3, 'double', hit(2, 310_000)),
    { e: 'joined', seat: 2, circle: [0, 1, 2] },
    taken(2, 3, 'slap:double'),
    won(2),
  ] as TableEvent[]
  const { players, comebacks } = recapOf(game(3, late, 2, 3))
  expect(players.map(({ missed }) => missed)).toEqual([2, 2, 0])
  expect(comebacks).toEqual([])
})

test('a player who may not slap any more misses nothing', () => {
  const barred = [
    began(2, 2),
    { e: 'locked', seat: 1, until: 'game' },
    turned(0, 1),
    turned(1, 2),
    taken(0, 2, 'challenge'),
    won(0),
  ] as TableEvent[]
  expect(recapOf(game(2, barred, 2)).players.map(({ missed }) => missed)).toEqual([1, 0])
})

test('where nobody can tell who was first, nobody was', () => {
  const voided = [
    began(2, 2),
    turned(0, 1),
    turned(1, 2),
    ...race(2, 'double', hit(0, 280_000), hit(1, 281_000)),
    { e: 'voided', seats: [0, 1] },
    turned(0, 3),
    taken(1, 3, 'challenge'),
    won(1),
  ] as TableEvent[]
  const { slaps, players } = recapOf(game(2, voided, 2))
  expect(slaps.map(({ verdict }) => verdict)).toEqual(['beaten', 'beaten'])
  expect(players.map(({ won, beaten, missed }) => [won, beaten, missed])).toEqual([
    [0, 1, 0],
    [0, 1, 0],
  ])
})

test('the house’s own judge may name the second hand', () => {
  const named = [
    began(2, 2),
    turned(0, 1),
    turned(1, 2),
    ...race(2, '', hit(0, 280_000), hit(1, 281_000)),
    { e: 'tied', seats: [0, 1], standing: { ...toPlay(0), phase: 'tie' } },
    taken(1, 2, 'slap:double'),
    won(1),
  ] as TableEvent[]
  expect(recapOf(game(2, named, 2)).slaps.map(({ verdict }) => verdict)).toEqual(['beaten', 'won'])
})
