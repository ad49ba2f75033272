// The headlines of events, shown and announced.
import { expect, test } from 'vitest'
import { after, dealt, hit, orMe, played, taken, toPlay } from '../testing'
import type { TableEvent } from './public-view'
import { beatenText, headline, turnWords } from './headline'

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

test('a pile that is won by a challenge says which card was not beaten, to the eye and to the ear', () => {
  const before = after(
    dealt([5, 5]),
    played(0, '2H', 1, toPlay(1)),
    played(1, 'KS', 2, toPlay(0)),
    played(0, '9C', 3, toPlay(0)),
  )
  const [ben, me] = [1, 0].map((seat) => headline(taken(seat, 3, 'challenge'), dealt([3, 3]), orMe, before)!)
  expect(ben).toMatchObject({ big: 'Ben takes 3', small: 'No one beat Ben’s king.' })
  expect(ben!.aloud).toContain('No one beat Ben’s king.')
  expect(me!.small).toBe('No one beat your king.')
  expect(headline(taken(1, 3, 'penalty'), dealt([3, 3]), orMe, before)!.small).not.toContain('king')
})

test('a pile that brings a player back from no cards says so first', () => {
  const said = headline(taken(1, 5, 'slap:double'), dealt([3, 5]), orMe, dealt([3, 0]))!
  expect(said).toMatchObject({ big: 'Back from zero!', small: 'Double! Ben takes 5' })
  expect(headline(taken(1, 5, 'slap:double'), dealt([3, 5]), orMe, dealt([3, 1]))!.big).toBe('Double!')
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
  expect(
    of({ e: 'played', seat: 0, card: '5H', n: 1, standing: toPlay(1), answer_number: 0, aside: false, at_ms: null }),
  ).toBeNull()
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

test('a race that was nearly lost says by how much and how sure that is, a clear one and one without figures do not', () => {
  const judged = (us: number, confidence: number | null, second = 2) =>
    of({
      e: 'judged',
      n: 3,
      pattern: 'double',
      order: [hit(1, 300_000), hit(second, us)],
      tie: false,
      confidence,
      unseen: 0,
    })!
  expect(judged(309_000, 74)).toMatchObject({ small: 'by 9 ms, 74% sure', kept: 'by 9 ms, 74% sure' })
  expect([judged(340_000, 98), judged(309_000, null)].map(({ small }) => small)).toEqual(['', ''])
  expect(judged(309_000, 74, 0).small, 'the text at my hand says it').toBe('')
})

const race = (tie: boolean, ...hands: [number, number][]): TableEvent => ({
  e: 'judged',
  n: 3,
  pattern: 'double',
  tie,
  order: hands.map(([seat, us]) => hit(seat, us)),
  confidence: 93,
  unseen: 0,
})
const first = (seat: number) => seat === 0

test('a hand that was beaten learns by how much, to a tenth where it was close', () => {
  expect(beatenText(race(false, [1, 300_000], [0, 342_000]), first)).toBe('Beaten by 42 ms')
  expect(beatenText(race(false, [1, 300_000], [2, 301_000], [0, 309_000]), first)).toBe('Beaten by 9.0 ms, 93% sure')
})

test('a hand that won, tied or was not there was not beaten', () => {
  for (const event of [
    race(false, [0, 300_000], [1, 342_000]),
    race(true, [1, 300_000], [0, 300_400]),
    race(false, [1, 300_000]),
  ])
    expect(beatenText(event, first)).toBe('')
})
