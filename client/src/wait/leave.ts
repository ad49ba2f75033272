// Leaving for good: every seat in front of this page is given up, and forgotten here.
import { forgetSeat } from '../net/rooms'
import { go } from '../route.svelte'
import type { Gathering } from './gathering'

export type Left = Pick<Gathering, 'code' | 'yours' | 'send'>

export function leaveForGood(room: Left) {
  room.yours.forEach(() => room.send({ t: 'leave' })) // the first that is left: chairs move while the line is down
  forgetSeat(room.code)
  go(null)
}
