// A countdown of the table, and when it ends by this page's clock.
import type { Clock } from '../wire'

export interface Countdown extends Clock {
  ends: number
}

export const startCountdown = (clock: Clock | null): Countdown | null =>
  clock && clock.left_ms > 0 ? { ...clock, ends: performance.now() + clock.left_ms } : null
