// Where a replay stops, and how long it waits. A moment is the number of events so far. Shows nothing.
import type { TableEvent } from '../room/public-view'
import type { Finished } from '../wire'

export interface Stops {
  /** Every event that has a visible or audible effect. */
  steps: number[]
  slaps: number[]
  piles: number[]
}

const SLAPS = new Set<TableEvent['e']>(['judged', 'fouled', 'claimed'])
const UNSEEN = new Set<TableEvent['e']>([
  'sat',
  'left',
  'name_deleted',
  'muted',
  'host_passed',
  'readmitted',
  'listed',
  'room_locked',
  'paused',
  'rules_changed',
  'measured',
  'late_slap',
  'slapped',
  'passed',
  'resumed',
])

const LONGEST_MS = 1500

export function stopsOf({ events }: Finished): Stops {
  const first = 1 + events.findIndex(({ e }) => e.e === 'dealt_public')
  const where = (wanted: (event: TableEvent) => boolean) =>
    events.flatMap(({ e }, i) => (i + 1 >= first && wanted(e) ? [i + 1] : []))
  return {
    steps: where(({ e }) => !UNSEEN.has(e)),
    slaps: where(({ e }) => SLAPS.has(e)),
    piles: where(({ e }) => e === 'taken'),
  }
}

/** The next stop after a moment. */
export const after = (stops: readonly number[], at: number): number | undefined => stops.find((stop) => stop > at)

export const before = (stops: readonly number[], at: number): number | undefined => stops.findLast((stop) => stop < at)

/** The pause before the event after a moment: as in the game, but at most LONGEST_MS. */
export function waitOf({ events }: Finished, at: number): number {
  const [last, next] = [events[at - 1], events[at]]
  return last && next ? Math.min(LONGEST_MS, Math.max(0, next.at_ms - last.at_ms)) : 0
}
