// Rooms and seats. A cookie that no script can read proves whose a seat is; a page stores only the numbers of its
// players.
import type { Joined, NewRoom, NewSeat, OpenRoom, Quick } from '../wire'
import { fetchJson, postOnce } from './api'
import { saveFirstNonce, randomHex } from './nonces'

/** A new room, in which a seat is mine. */
export async function createRoom(room: NewRoom): Promise<Joined> {
  if (room.wait) return keep(await postOnce<Joined>('/api/rooms', room))
  const nonce = randomHex()
  const joined = keep(await postOnce<Joined>('/api/rooms', { ...room, nonce }))
  saveFirstNonce(joined.room, nonce)
  return joined
}

/** A seat of mine in a room that is there already. */
export async function joinRoom(code: string, seat: NewSeat): Promise<Joined> {
  return keep(await postOnce<Joined>(roomApiPath(code, 'seats'), seat))
}

/** One more seat in it, for somebody else in front of this page. */
export async function joinAnotherPlayer(code: string, seat: NewSeat): Promise<Joined> {
  const before = savedSeats(code)
  const joined = await joinRoom(code, seat)
  saveSeats(joined.room, [...before, joined.player_id])
  return joined
}

/** A seat of mine among strangers. */
export async function quickJoin(quick: Quick): Promise<Joined> {
  return keep(await postOnce<Joined>('/api/quick', quick))
}

/** The rooms to which strangers may come. */
export const fetchOpenRooms = () => fetchJson<OpenRoom[]>('/api/rooms')

/** An address of a room's on the server. */
export const roomApiPath = (code: string, what: string) => `/api/rooms/${encodeURIComponent(code)}/${what}`

const SEPARATOR = '+' // seats that share a page

const key = (room: string) => `ratscrew:seat:${room}`

function keep(joined: Joined): Joined {
  saveSeats(joined.room, [joined.player_id])
  return joined
}

const TIME_MARK = '@' // before the time at which a seat was last sat in; a seat without it is not offered on the start page

const OFFER_FOR_MS = 24 * 3_600_000

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
export function saveSeats(room: string, playerIds: readonly number[]) {
  saveSeatsInTab(room, playerIds)
  localStorage.setItem(key(room), playerIds.join(SEPARATOR) + TIME_MARK + Date.now())
}

/** Seats for this tab alone, which no start page offers. */
export const saveSeatsInTab = (room: string, playerIds: readonly number[]) => sessionStorage.setItem(key(room), playerIds.join(SEPARATOR))

/** The seat is not mine any more. */
export function forgetSeats(room: string) {
  sessionStorage.removeItem(key(room))
  localStorage.removeItem(key(room))
}

/** I am in the room now; with `offer` the start page offers the way back to my seat from now on, else it does not. */
export function markSeats(room: string, offer: boolean) {
  const [playerIds] = localStorage.getItem(key(room))?.split(TIME_MARK) ?? []
  if (playerIds) localStorage.setItem(key(room), offer ? playerIds + TIME_MARK + Date.now() : playerIds)
}

/** The room in which I sat last, within a day, and still have a seat. */
export function roomToOffer(): string | null {
  const noted = Object.keys(localStorage)
    .filter((name) => name.startsWith(key('')))
    .map((name) => ({ room: name.slice(key('').length), at: Number(localStorage.getItem(name)?.split(TIME_MARK)[1] ?? 0) }))
    .filter(({ at }) => Date.now() - at < OFFER_FOR_MS)
  return noted.sort((one, other) => other.at - one.at)[0]?.room ?? null
}

/** Who sits in front of this page, each by his number in the room: mostly one, none for who watches. */
export function savedSeats(room: string): number[] {
  const [kept = ''] = (sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room)) ?? '').split(TIME_MARK)
  return kept.split(SEPARATOR).filter((id) => /^\d+$/.test(id)).map(Number)
}

/** The address that brings friends to a room. */
export const roomUrl = (room: string) => `${location.origin}/room/${room}`
