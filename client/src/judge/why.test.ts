// The explanation of a race: figures and sentences worked out by hand.
import { expect, test } from 'vitest'
import type { Race } from '../room/races'
import { hit, orMe } from '../testing'
import { texts } from '../i18n/late'
import { figuresOf, notesOf, reasonsOf } from './why'

const race = (more: Partial<Race>): Race => ({
  n: 9,
  pattern: 'double',
  order: [],
  tie: false,
  confidence: null,
  wrong: false,
  late: [],
  back: null,
  ...more,
})

test('what a line takes always is not lost, the rest is, and is granted as far as there is credit', () => {
  const figures = figuresOf(
    hit(1, 0, {
      arrived_us: 420_000,
      rtt_us: 100_000,
      pressed_us: 300_000,
      free_us: 20_000,
      purse_us: 30_000,
      granted_us: 50_000,
    }),
  )
  expect(figures).toEqual({
    own: 300_000,
    lost: 70_000,
    granted: 50_000,
    most: 50_000,
    free: 20_000,
    purse: 30_000,
    contradicted: false,
  })
})

test('a page whose beat came later than its press said is held to the beat', () => {
  const figures = figuresOf(hit(1, 0, { arrived_us: 400_000, pressed_us: 200_000, beat_us: 250_000 }))
  expect(figures).toMatchObject({ own: 238_000, contradicted: true })
})

test('a hand without a page of its own is a bot’s or the server’s', () => {
  expect(notesOf(hit(1, 0), true)).toEqual([texts.judge.hand.bot])
  expect(notesOf(hit(1, 0), false)).toEqual([texts.judge.hand.server])
})

test('notes say whether the whole delay was taken off', () => {
  const whole = notesOf(
    hit(1, 0, { arrived_us: 340_000, pressed_us: 300_000, granted_us: 40_000, free_us: 50_000 }),
    false,
  )
  expect(whole).toEqual([texts.judge.hand.own(300_000), texts.judge.hand.whole(40_000)])
  const partly = notesOf(
    hit(1, 0, { arrived_us: 340_000, pressed_us: 300_000, granted_us: 10_000, free_us: 10_000 }),
    false,
  )
  expect(partly).toEqual([
    texts.judge.hand.own(300_000),
    texts.judge.hand.partly(40_000, 10_000, 10_000),
    texts.judge.hand.purse(10_000, 0),
  ])
  expect(notesOf(hit(1, 0, { arrived_us: 300_400, pressed_us: 300_000 }), false)).toEqual([
    texts.judge.hand.own(300_000),
    texts.judge.hand.noMore,
  ])
})

test('the winner is told by how much, and who came sooner but was slower is explained', () => {
  const [fast, near] = [
    hit(1, 300_000, { arrived_us: 400_000, rtt_us: 200_000, pressed_us: 300_000 }),
    hit(0, 330_000, { arrived_us: 335_000, pressed_us: 330_000 }),
  ]
  expect(reasonsOf(race({ order: [fast, near] }), orMe)).toEqual([
    texts.judge.why.faster('Ben', 30_000, texts.judge.why.than(null)),
    texts.judge.why.iSooner(65_000),
  ])
})

test('a lone hand, a tie, a wrong one and a card that went back have their own words', () => {
  expect(reasonsOf(race({ order: [hit(1, 300_000)] }), orMe)).toEqual([texts.judge.why.alone])
  expect(reasonsOf(race({ order: [hit(1, 300_000), hit(2, 300_000)], tie: true }), orMe)[0]).toBe(texts.judge.why.tie)
  expect(reasonsOf(race({ wrong: true }), orMe)).toEqual([texts.judge.why.wrong])
  expect(reasonsOf(race({ order: [hit(1, 1)], back: '9D', late: [{ seat: 2, us: 1 }] }), orMe)).toHaveLength(2)
})

test('a close race says how sure its order is, and a lone hand only if somebody may have been faster', () => {
  const order = [hit(1, 300_000), hit(0, 309_000)]
  expect(reasonsOf(race({ order, confidence: 74 }), orMe)).toContain(texts.judge.why.probably(74))
  expect(reasonsOf(race({ order, confidence: 34 }), orMe)).toContain(texts.judge.why.doubtful(34))
  expect(reasonsOf(race({ order, confidence: 99 }), orMe)).toContain(texts.judge.why.sure)
  expect(reasonsOf(race({ order, confidence: 50, tie: true }), orMe)).toHaveLength(1)
  expect(reasonsOf(race({ order: [hit(1, 300_000)], confidence: 97 }), orMe)).toContain(texts.judge.why.probably(97))
  expect(reasonsOf(race({ order: [hit(1, 300_000)], confidence: 99 }), orMe)).toEqual([texts.judge.why.alone])
})
