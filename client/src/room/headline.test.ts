// The headlines of events, shown and announced.
import { expect, test } from 'vitest'
import { dealt, orMe, taken, toPlay } from '../testing'
import type { TableEvent } from './public-view'
import { headline, turnWords } from './headline'

const of = (event: TableEvent) => headline(event, dealt([3, 3]), orMe)

test('a pile that is slapped is headed by its pattern, and the taker is told below', () => {
  const said = of(taken(1, 7, 'slap:double'))!
  expect(said.big).toMatch(/double/i)
  expect(said.small).toMatch(/Ben.*7/)
  expect(said.aloud).toMatch(/double.*Ben.*7/i)
})

test('a pile that is mine by a challenge says so without my name', () => {
  const said = of(taken(0, 5, 'challenge'))!
  expect(said.big).toMatch(/you.*5/i)
  expect(said.tone).toBe('good')
})

test('a wrong slap is named, with the card that it burned in full for the ear', () => {
  const said = of({ e: 'burned', seat: 1, count: 1, cards: ['TH'], place: 'bottom', face_up: true })!
  expect(said).toMatchObject({ tone: 'bad' })
  expect(said.small).toContain('Ben')
  expect(said.small).toContain('10♥')
  expect(said.aloud).toContain('10 of hearts')
})

test('a card that burned face down is told by number alone', () => {
  expect(of({ e: 'burned', seat: 1, count: 2, cards: [], place: 'bottom', face_up: false })!.small).toContain('2 cards')
})

test('an unknown pattern is called by its name', () => {
  expect(of(taken(1, 7, 'slap:grand_slam'))!.big).toContain('Grand slam')
})

test('a card is not said aloud, nor a hand that touches a forehead', () => {
  expect(of({ e: 'played', seat: 0, card: '5H', n: 1, standing: toPlay(1), answer_number: 0, aside: false, at_ms: null })).toBeNull()
  expect(of({ e: 'touched', seat: 0 })).toBeNull()
})

test('the end says who has won', () => {
  expect(of({ e: 'won', seat: 1, standing: toPlay(1, { phase: 'over' }) })!.aloud).toContain('Ben')
  expect(of({ e: 'won', seat: 0, standing: toPlay(0, { phase: 'over' }) })!.aloud).toMatch(/you/i)
})

test('my turn says what there is to beat, and how often I may try', () => {
  const calm = turnWords(null, (seat) => `seat ${seat}`)
  const pressed = turnWords({ by: 1, card: 'KS', left: 2, chances: 3 }, () => 'Ben')
  expect(pressed).not.toBe(calm)
  expect(pressed).toMatch(/Ben.*king.*2/)
})

test('a player who has slapped in is told of with the pile that brought him in', () => {
  const [ben, me] = [1, 0].map((seat) => of({ e: 'joined', seat, circle: [0, 1] })!)
  expect([ben!.big, ben!.also]).toEqual(['Ben is in the game', 'and is in the game'])
  expect([me!.big, me!.also]).toEqual(['You’re in the game', 'and are in the game'])
})
