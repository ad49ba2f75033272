// Leaves for good: gives up every seat of this page, and forgets them here.
import { forgetSeats } from '../net/rooms'
import { go } from '../route.svelte'
import type { WaitingRoomState } from './waiting-room'

export type LeavableRoom = Pick<WaitingRoomState, 'code' | 'yours' | 'send'>

export function leaveForGood(room: LeavableRoom) {
  room.yours.forEach(() => room.send({ t: 'leave' })) // the first that is left: chairs move while the line is down
  forgetSeats(room.code)
  go(null)
}
