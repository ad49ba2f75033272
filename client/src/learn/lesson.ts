// The state of a lesson: the current task, and the result. Shows nothing and contains no texts.
import type { TableEvent } from '../room/public-view'
import type { Withdrawn } from '../room/races'
import type { Card, NewLesson, View } from '../wire'

export type Lesson = NewLesson['lesson']

/** In the order in which they are taught. */
export const LESSONS: readonly Lesson[] = ['turn', 'challenge', 'double', 'sandwich', 'wrong', 'slap_in']

const ENOUGH_TURNED = 3 // cards of both: the learner has turned two of them

export interface Progress {
  course: 'on' | 'done' | 'missed'
  /** My reaction, once I have slapped well. */
  us: number | null
  /** I have slapped where there was nothing. */
  early: boolean
}

export const STARTED: Progress = { course: 'on', us: null, early: false }

/** What is to be done: its name in the catalogue, and what to press for it. */
export interface Task {
  what:
    | 'watch'
    | 'turn'
    | 'turnAgain'
    | 'king'
    | 'beat'
    | 'beaten'
    | 'won'
    | 'lost'
    | 'turnOn'
    | 'watchDouble'
    | 'watchSandwich'
    | 'slapDouble'
    | 'slapSandwich'
    | 'slapIn'
    | 'slapWrong'
    | 'lastCard'
    | 'waitIn'
    | 'nothingYet'
  press: 'deck' | 'slap' | null
}

const SLAP: Partial<Record<Lesson, Task['what']>> = { double: 'slapDouble', sandwich: 'slapSandwich' }

/** Where I sit, and the tops of piles, newest card last, that are to be slapped. */
export interface Place {
  me: number
  slaps: readonly (readonly Card[])[]
}

/** Whether the pile is one that is to be slapped in this lesson. */
export function isDue({ pile }: View, slaps: Place['slaps']): boolean {
  return slaps.some((top) => top.length <= pile.length && top.every((card, i) => pile.at(i - top.length)?.[0] === card))
}

/** How a lesson stands after an event; `view` is what lay there before it. */
export function progressAfter(
  lesson: Lesson,
  progress: Progress,
  event: TableEvent | Withdrawn,
  view: View,
  { me, slaps }: Place,
): Progress {
  if (progress.course !== 'on') return progress
  const done: Progress = { ...progress, course: 'done' }
  const missed: Progress = { ...progress, course: 'missed' }
  const aims = lesson === 'double' || lesson === 'sandwich'
  switch (event.e) {
    case 'judged':
      return { ...progress, us: event.order.find((hit) => hit.seat === me)?.us ?? null }
    case 'fouled':
      if (event.seat !== me || !(aims || lesson === 'slap_in')) return progress
      return { ...progress, early: true, course: aims ? 'missed' : 'on' } // the burned card was needed
    case 'burned':
      return event.seat === me && lesson === 'wrong' ? done : progress
    case 'played':
      if (lesson === 'turn' && event.seat === me && event.n >= ENOUGH_TURNED) return done
      return aims && isDue(view, slaps) ? missed : progress
    case 'taken': {
      const slapped = event.reason.startsWith('slap:')
      const meant = lesson === 'challenge' ? event.reason === 'challenge' : slapped
      return event.seat === me && meant ? done : missed
    }
    case 'locked':
      return event.seat === me ? missed : progress
    case 'won':
    case 'lost':
    case 'drawn':
      return missed
    default:
      return progress
  }
}

/** What is to be done now. */
export function currentTask(lesson: Lesson, { early }: Progress, view: View, { me, slaps }: Place): Task {
  const { phase, turn, challenger: by = null } = view.standing
  const mine = phase === 'play' && turn === me
  if (isDue(view, slaps)) return { what: SLAP[lesson] ?? 'slapIn', press: 'slap' }
  switch (lesson) {
    case 'turn':
      return mine ? { what: view.n ? 'turnAgain' : 'turn', press: 'deck' } : { what: 'watch', press: null }
    case 'challenge':
      if (phase === 'won') return { what: turn === me ? 'won' : 'lost', press: null } // the challenge is over: `by` is null
      if (by === me) return { what: 'beaten', press: null }
      return mine && by !== null ? { what: 'beat', press: 'deck' } : { what: 'king', press: null }
    case 'double':
    case 'sandwich':
      if (mine) return { what: 'turnOn', press: 'deck' }
      return { what: lesson === 'double' ? 'watchDouble' : 'watchSandwich', press: null }
    case 'wrong':
      if (view.pile.length) return { what: 'slapWrong', press: 'slap' }
      return mine ? { what: 'turnOn', press: 'deck' } : { what: 'watch', press: null }
    case 'slap_in':
      if (view.cards_held[me]) return mine ? { what: 'lastCard', press: 'deck' } : { what: 'watch', press: null }
      return { what: early ? 'nothingYet' : 'waitIn', press: null }
  }
}
