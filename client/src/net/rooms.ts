// Rooms and seats. A cookie that no script can read proves whose a seat is; a page stores only the numbers of its
// players.
import type { JoinedRoom, NewRoom, NewSeat, ListedRoom, Quick } from '../wire'
import { fetchJson, postOnce } from './api'
import { local, tab } from '../browser/storage'
import { randomHex } from '../browser/random'
import { saveFirstNonce } from './nonces'
import { SITE } from '../base'

/** Creates a room, with a seat for me. */
export async function createRoom(room: NewRoom): Promise<JoinedRoom> {
  if (room.wait) return keep(await postOnce<JoinedRoom>('/api/rooms', room))
  const nonce = randomHex()
  const joined = keep(await postOnce<JoinedRoom>('/api/rooms', { ...room, nonce }))
  saveFirstNonce(joined.room, nonce)
  return joined
}

/** Takes a seat in an existing room. */
export async function joinRoom(code: string, seat: NewSeat): Promise<JoinedRoom> {
  return keep(await postOnce<JoinedRoom>(roomApiPath(code, 'seats'), seat))
}

/** Takes one more seat, for another player at this page. */
export async function joinAnotherPlayer(code: string, seat: NewSeat): Promise<JoinedRoom> {
  const before = savedSeats(code)
  const joined = await joinRoom(code, seat)
  saveSeats(joined.room, [...before, joined.player_id])
  return joined
}

/** Takes a seat in a room with strangers. */
export async function quickJoin(quick: Quick): Promise<JoinedRoom> {
  return keep(await postOnce<JoinedRoom>('/api/quick', quick))
}

/** The rooms that strangers may join. */
export const fetchOpenRooms = () => fetchJson<ListedRoom[]>('/api/rooms')

/** The rooms with a game that anyone may watch. */
export const fetchGamesToWatch = () => fetchJson<ListedRoom[]>('/api/watch')

/** The path of a room's API. */
export const roomApiPath = (code: string, what: string) => `/api/rooms/${encodeURIComponent(code)}/${what}`

const SEPARATOR = '+' // seats that share a page

const key = (room: string) => `ratscrew:seat:${room}`

function keep(joined: JoinedRoom): JoinedRoom {
  saveSeats(joined.room, [joined.player_id])
  return joined
}

const TIME_MARK = '@' // followed by the time of the last visit; seats without it are not offered on the start page

const OFFER_FOR_MS = 24 * 3_600_000

/** Saves seats for this tab and for a reopened one: two tabs in one room keep their own seats. */
export function saveSeats(room: string, playerIds: readonly number[]) {
  saveSeatsInTab(room, playerIds)
  local.set(key(room), playerIds.join(SEPARATOR) + TIME_MARK + Date.now())
}

/** Saves seats for this tab only, which the start page does not offer. */
export const saveSeatsInTab = (room: string, playerIds: readonly number[]) =>
  tab.set(key(room), playerIds.join(SEPARATOR))

/** Forgets seats that are not mine any more. */
export function forgetSeats(room: string) {
  tab.remove(key(room))
  local.remove(key(room))
}

/** Records a visit; with `offer` the start page offers the way back to my seats from now on, else it does not. */
export function markSeats(room: string, offer: boolean) {
  const [playerIds] = local.get(key(room))?.split(TIME_MARK) ?? []
  if (playerIds) local.set(key(room), offer ? playerIds + TIME_MARK + Date.now() : playerIds)
}

/** The last room in which I had a seat, within a day; null if none. */
export function roomToOffer(): string | null {
  const noted = local
    .keys()
    .filter((name) => name.startsWith(key('')))
    .map((name) => ({ room: name.slice(key('').length), at: Number(local.get(name)?.split(TIME_MARK)[1] ?? 0) }))
    .filter(({ at }) => Date.now() - at < OFFER_FOR_MS)
  return noted.sort((one, other) => other.at - one.at)[0]?.room ?? null
}

/** The player ids of this page: mostly one, none for a spectator. */
export function savedSeats(room: string): number[] {
  const [kept = ''] = (tab.get(key(room)) ?? local.get(key(room)) ?? '').split(TIME_MARK)
  return kept
    .split(SEPARATOR)
    .filter((id) => /^\d+$/.test(id))
    .map(Number)
}

/** The link to a room. */
export const roomUrl = (room: string) => `${SITE}/room/${room}`
