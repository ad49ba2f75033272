// Leaving for good: every seat in front of this page is given up, and forgotten here.
import { forgetSeat } from '../net/rooms'
import { go } from '../route.svelte'
import type { Gathering } from './gathering'

export type Left = Pick<Gathering, 'code' | 'yours' | 'send'>

export function leaveForGood({ code, yours, send }: Left) {
  for (const seat of yours) send({ t: 'leave', seat })
  forgetSeat(code)
  go(null)
}
