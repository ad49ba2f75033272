// Each player's average reaction in this game, as far as this page has seen it.
import type { TableEvent } from './public-view'

export interface Average {
  us: number
  slaps: number
}

export type Averages = Readonly<Record<number, Average>>

/** The averages after an event; a wrong slap is none. */
export function updateAverages(averages: Averages, event: TableEvent | { e: 'withdrawn' }): Averages {
  if (event.e === 'dealt_public') return {}
  if (event.e !== 'judged') return averages
  const after = { ...averages }
  for (const { seat, us } of event.order) {
    const { us: mean, slaps } = after[seat] ?? { us: 0, slaps: 0 }
    after[seat] = { us: mean + (us - mean) / (slaps + 1), slaps: slaps + 1 }
  }
  return after
}
