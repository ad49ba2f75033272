// Rooms and seats. What makes a seat mine is a cookie that no script can read; a page knows only which seats are its own.
import type { Joined, NewRoom, NewSeat, OpenRoom, Quick } from '../wire'
import { ask, askOnce } from './ask'
import { keepFirst, newNumber } from './numbers'

/** A new room, in which a seat is mine. */
export async function openRoom(room: NewRoom): Promise<Joined> {
  if (room.wait) return keep(await askOnce<Joined>('/api/rooms', room))
  const nonce = newNumber()
  const joined = keep(await askOnce<Joined>('/api/rooms', { ...room, nonce }))
  keepFirst(joined.room, nonce)
  return joined
}

/** A seat of mine in a room that is there already. */
export async function takeSeat(code: string, seat: NewSeat): Promise<Joined> {
  return keep(await askOnce<Joined>(of(code, 'seats'), seat))
}

/** One more seat in it, for somebody else in front of this page. */
export async function takeAnother(code: string, seat: NewSeat): Promise<Joined> {
  const before = seatsOf(code)
  const joined = await takeSeat(code, seat)
  keepSeats(joined.room, [...before, joined.player_id])
  return joined
}

/** A seat of mine among strangers. */
export async function quickSeat(quick: Quick): Promise<Joined> {
  return keep(await askOnce<Joined>('/api/quick', quick))
}

/** The rooms to which strangers may come. */
export const openRooms = () => ask<OpenRoom[]>('/api/rooms')

/** An address of a room's on the server. */
export const of = (code: string, what: string) => `/api/rooms/${encodeURIComponent(code)}/${what}`

const BETWEEN = '+' // seats that share a page

const key = (room: string) => `ratscrew:seat:${room}`

function keep(joined: Joined): Joined {
  keepSeats(joined.room, [joined.player_id])
  return joined
}

const NOTED = '@' // before the time at which a seat was last sat in; a seat without it is not offered on the start page

const OFFERED_MS = 24 * 3_600_000

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
export function keepSeats(room: string, whos: readonly number[]) {
  keepSeatsInTab(room, whos)
  localStorage.setItem(key(room), whos.join(BETWEEN) + NOTED + Date.now())
}

/** Seats for this tab alone, which no start page offers. */
export const keepSeatsInTab = (room: string, whos: readonly number[]) => sessionStorage.setItem(key(room), whos.join(BETWEEN))

/** The seat is not mine any more. */
export function forgetSeat(room: string) {
  sessionStorage.removeItem(key(room))
  localStorage.removeItem(key(room))
}

/** I am in the room now; with `offer` the start page offers the way back to my seat from now on, else it does not. */
export function noteSeat(room: string, offer: boolean) {
  const [whos] = localStorage.getItem(key(room))?.split(NOTED) ?? []
  if (whos) localStorage.setItem(key(room), offer ? whos + NOTED + Date.now() : whos)
}

/** The room in which I sat last, within a day, and still have a seat. */
export function seatToOffer(): string | null {
  const noted = Object.keys(localStorage)
    .filter((name) => name.startsWith(key('')))
    .map((name) => ({ room: name.slice(key('').length), at: Number(localStorage.getItem(name)?.split(NOTED)[1] ?? 0) }))
    .filter(({ at }) => Date.now() - at < OFFERED_MS)
  return noted.sort((one, other) => other.at - one.at)[0]?.room ?? null
}

/** Who sits in front of this page, each by his number in the room: mostly one, none for who watches. */
export function seatsOf(room: string): number[] {
  const [kept = ''] = (sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room)) ?? '').split(NOTED)
  return kept.split(BETWEEN).filter((who) => /^\d+$/.test(who)).map(Number)
}

/** The address that brings friends to a room. */
export const roomLink = (room: string) => `${location.origin}/room/${room}`
