// Moves seats to another device: by a pass in a link that works for ten minutes.
import type { Moved, NewPass, Pass } from '../wire'
import { fetchJson, postOnce } from './api'
import { saveSeats, roomApiPath, roomUrl, savedSeats } from './rooms'

/** A link that moves my seats to another device. It is the key to them for ten minutes. */
export async function seatLink(code: string): Promise<string> {
  const body: NewPass = { player_ids: savedSeats(code) }
  return `${roomUrl(code)}#seat=${(await fetchJson<Pass>(roomApiPath(code, 'pass'), body)).text}`
}

/** Takes over the seats of such a link. */
export async function redeemPass(code: string, text: string) {
  const body: Pass = { text }
  const { room, player_ids } = await postOnce<Moved>(roomApiPath(code, 'device'), body)
  saveSeats(room, player_ids)
}
