// The part of a room that the waiting room needs.
import type { Countdown } from '../room/countdown'
import type { ClientMessage, LinkStats, PublicSeat, View, Welcome } from '../wire'

export interface WaitingRoomState {
  code: string
  house: string
  kind: Welcome['kind']
  /** Null at a table of the server's. */
  host: number | null
  you: number | null
  /** All seats in front of this page. */
  yours: readonly number[]
  seats: readonly PublicSeat[]
  lines: readonly (LinkStats | null)[]
  listed: boolean
  locked: boolean
  removed: number
  online: boolean
  clock: Countdown | null
  /** The seats that want another game. */
  ready: readonly number[]
  /** The last game, if there was one. */
  view: View | null
  announcements: { refusal: { text: string } | null }
  send(message: ClientMessage): unknown
}
