// How many slapped piles in a row one player has won, without a wrong slap.
import type { TableEvent } from './public-view'
import type { Withdrawn } from './races'

export interface WinningStreak {
  seat: number
  piles: number
}

/** From how many piles on a streak is shown. */
export const STREAK_SHOWN = 3

export function streakAfter(streak: WinningStreak | null, event: TableEvent | Withdrawn): WinningStreak | null {
  if (event.e === 'dealt_public' || event.e === 'won') return null
  if (event.e === 'fouled') return event.seat === streak?.seat ? null : streak
  if (event.e !== 'taken' || !event.reason.startsWith('slap:')) return streak
  return { seat: event.seat, piles: event.seat === streak?.seat ? streak.piles + 1 : 1 }
}
