// The last races, with the proof of each hand. Does not judge.
import type { Card, SlapRecord, Late } from '../wire'
import type { TableEvent } from './public-view'

const KEPT = 12

/** The newest card came after the slap, and goes back to its owner. */
export interface Withdrawn {
  e: 'withdrawn'
  seat: number
  card: Card
}

export interface Race {
  n: number
  /** The pattern that lay there; '' if none did, or if the house's own judge decides. */
  pattern: string
  /** The hands in their order, the winner first. */
  order: readonly SlapRecord[]
  tie: boolean
  /** The probability that the order is right, in percent; null if it is not known. */
  confidence?: number | null
  /** One hand, on a pile without a pattern. */
  wrong: boolean
  late: readonly Pick<Late, 'seat' | 'us'>[]
  /** The card that lay on it already and went back. */
  back: Card | null
}

const CLEAN = { wrong: false, late: [], back: null }

/** Microseconds as milliseconds, for display. */
export const toMs = (us: number) => Math.round(us / 1000)

/** The races after an event, the last one first. */
export function recordRace(races: readonly Race[], event: TableEvent | Withdrawn): readonly Race[] {
  switch (event.e) {
    case 'dealt_public':
      return []
    case 'judged':
      return [{ ...event, ...CLEAN }, ...races].slice(0, KEPT)
    case 'measured':
      return [{ ...CLEAN, n: event.n, pattern: '', order: [event.slap], tie: false, wrong: true }, ...races].slice(
        0,
        KEPT,
      )
    case 'withdrawn':
      return races.map((race, i) => (i ? race : { ...race, back: event.card }))
    default:
      return races
  }
}

/** The races with a slap that came too late for one of them. */
export function recordLateSlap(races: readonly Race[], { seat, n, us }: Late): readonly Race[] {
  return races.map((race) => (race.n === n && !race.wrong ? { ...race, late: [...race.late, { seat, us }] } : race))
}
