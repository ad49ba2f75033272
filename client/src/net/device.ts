// Seats that move to another device: by a pass, which an address carries for some minutes.
import type { Moved, NewPass, Pass } from '../wire'
import { ask, askOnce } from './ask'
import { keepSeats, of, roomLink, seatsOf } from './rooms'

/** The address that brings another device to my seats: it is the key to them, for some minutes. */
export async function seatLink(code: string): Promise<string> {
  const asked: NewPass = { player_ids: seatsOf(code) }
  return `${roomLink(code)}#seat=${(await ask<Pass>(of(code, 'pass'), asked)).text}`
}

/** Take over the seats that such an address has brought here. */
export async function takePass(code: string, text: string) {
  const shown: Pass = { text }
  const { room, player_ids } = await askOnce<Moved>(of(code, 'device'), shown)
  keepSeats(room, player_ids)
}
