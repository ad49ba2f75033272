// A countdown of the table, and when it ends by this page's clock.
import type { Countdown as CountdownMessage } from '../wire'

export interface Countdown extends CountdownMessage {
  ends: number
}

export const startCountdown = (clock: CountdownMessage | null): Countdown | null =>
  clock && clock.left_ms > 0 ? { ...clock, ends: performance.now() + clock.left_ms } : null
