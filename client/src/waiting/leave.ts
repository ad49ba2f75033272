// Leaves for good: gives up every seat of this page, and forgets them here.
import { forgetSeats } from '../net/rooms'
import { go } from '../route.svelte'
import type { WaitingRoomState } from './waiting-room'

export type LeavableRoom = Pick<WaitingRoomState, 'code' | 'yours' | 'send'>

export function leaveForGood(room: LeavableRoom) {
  room.yours.forEach(() => room.send({ t: 'leave' })) // without a seat number: seats may move while the page is offline
  forgetSeats(room.code)
  go(null)
}
