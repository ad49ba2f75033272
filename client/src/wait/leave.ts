// Leaving for good: every seat in front of this page is given up, and forgotten here.
import { forgetSeat } from '../net/rooms'
import { go } from '../route.svelte'
import type { Gathering } from './gathering'

export type Left = Pick<Gathering, 'code' | 'yours' | 'send'>

export function leaveForGood(room: Left) {
  for (const seat of room.yours) room.send({ t: 'leave', seat })
  forgetSeat(room.code)
  go(null)
}
