// The outcome of each lesson, whatever the learner does.
import { expect, test } from 'vitest'
import type { TableEvent } from '../room/public-view'
import type { Card, VisibleCard, Standing, View } from '../wire'
import { STARTED, progressAfter, isDue, currentTask, type Lesson, type Progress } from './lesson'

const ME = 0
const THOTH = 1
const PLACE = { me: ME, slaps: [['7H', '7S']] as Card[][] }

function view(pile: Card[], to: Partial<Standing> = {}, held = [5, 5]): View {
  const shown = pile.map((card): VisibleCard => [card, 'live'])
  return {
    pile: shown,
    n: pile.length,
    cards_held: held,
    standing: { phase: 'play', turn: ME, challenger: null, chances_left: 0, reason: null, ...to },
  } as View
}
const event = (e: TableEvent['e'], more: object) => ({ e, ...more }) as TableEvent
const come = (lesson: Lesson, what: TableEvent, lay = view([]), from: Progress = STARTED) =>
  progressAfter(lesson, from, what, lay, PLACE)

test('a pile is due when its top is what is to be slapped, and nothing else is', () => {
  expect(isDue(view(['4D', '7H', '7S']), PLACE.slaps)).toBe(true)
  expect(isDue(view(['7H', '7S', '2C']), PLACE.slaps)).toBe(false)
  expect(isDue(view(['7S']), PLACE.slaps)).toBe(false)
})

test('the first lesson is over when I have turned two cards', () => {
  expect(come('turn', event('played', { seat: ME, n: 1 })).course).toBe('on')
  expect(come('turn', event('played', { seat: THOTH, n: 2 })).course).toBe('on')
  expect(come('turn', event('played', { seat: ME, n: 3 })).course).toBe('done')
})

test('a challenge is won by its pile, and lost by the other’s', () => {
  expect(come('challenge', event('taken', { seat: ME, reason: 'challenge' })).course).toBe('done')
  expect(come('challenge', event('taken', { seat: THOTH, reason: 'challenge' })).course).toBe('missed')
})

test('a double is done by my slap, with its time', () => {
  const judged = come('double', event('judged', { order: [{ seat: ME, us: 412_300 }] }))
  expect(judged).toEqual({ course: 'on', us: 412_300, early: false })
  expect(come('double', event('taken', { seat: ME, reason: 'slap:double' }), view([]), judged)).toEqual({
    course: 'done',
    us: 412_300,
    early: false,
  })
})

test('a double that is covered is missed, another card is not', () => {
  expect(come('double', event('played', { seat: ME, n: 4 }), view(['4D', '7H', '7S'])).course).toBe('missed')
  expect(come('double', event('played', { seat: THOTH, n: 4 }), view(['4D', '7H'])).course).toBe('on')
})

test('a wrong slap ends a lesson that needs its cards, is the matter of another, and is forgiven in the last', () => {
  const fouled = event('fouled', { seat: ME })
  expect(come('double', fouled)).toMatchObject({ course: 'missed', early: true })
  expect(come('wrong', fouled)).toEqual(STARTED)
  expect(come('wrong', event('burned', { seat: ME })).course).toBe('done')
  expect(come('slap_in', fouled)).toMatchObject({ course: 'on', early: true })
  expect(come('slap_in', event('locked', { seat: ME, until: 'game' })).course).toBe('missed')
})

test('whatever ends a game ends its lesson, and nothing changes one that is over', () => {
  expect(come('slap_in', event('won', { seat: THOTH })).course).toBe('missed')
  const done: Progress = { ...STARTED, course: 'done' }
  expect(come('slap_in', event('won', { seat: ME }), view([]), done)).toBe(done)
})

test('one is told to turn in one’s turn, to slap what is due, and otherwise to wait', () => {
  expect(currentTask('double', STARTED, view(['9C']), PLACE)).toEqual({ what: 'turnOn', press: 'deck' })
  expect(currentTask('double', STARTED, view(['9C'], { turn: THOTH }), PLACE)).toEqual({
    what: 'watchDouble',
    press: null,
  })
  expect(currentTask('double', STARTED, view(['7H', '7S']), PLACE)).toEqual({ what: 'slapDouble', press: 'slap' })
  expect(currentTask('challenge', STARTED, view(['KS'], { challenger: THOTH, chances_left: 3 }), PLACE)).toEqual({
    what: 'beat',
    press: 'deck',
  })
  expect(currentTask('slap_in', STARTED, view(['2C'], { turn: THOTH }, [0, 10]), PLACE)).toEqual({
    what: 'waitIn',
    press: null,
  })
})

test('a challenge that has been decided says to whom the pile goes, until it is taken', () => {
  const beaten = view(['KS', '4C', '9D', 'QS', '6H'], { turn: THOTH, challenger: ME, chances_left: 1 })
  expect(currentTask('challenge', STARTED, beaten, PLACE)).toEqual({ what: 'beaten', press: null })
  const won = { phase: 'won', by: null, left: 0, reason: 'challenge' } as const // as the server tells it: nobody challenges any more
  expect(
    currentTask('challenge', STARTED, view(['KS', '4C', '9D', 'QS', '6H', '3C'], { ...won, turn: ME }), PLACE),
  ).toEqual({ what: 'won', press: null })
  expect(currentTask('challenge', STARTED, view(['KS', '2H', '7C', 'TS'], { ...won, turn: THOTH }), PLACE)).toEqual({
    what: 'lost',
    press: null,
  })
})
