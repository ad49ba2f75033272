// Rooms and seats. What makes a seat mine is a cookie that no script can read; a page knows only which seats are its own.
import type { Joined, Moved, NewPass, NewRoom, NewSeat, OldNames, OpenRoom, Pass, Quick } from '../wire'
import { ask } from './ask'
import { keepFirst, newNumber } from './numbers'

/** A new room, in which a seat is mine. */
export async function openRoom(room: NewRoom): Promise<Joined> {
  if (room.wait) return keep(await ask<Joined>('/api/rooms', room))
  const nonce = newNumber()
  const joined = keep(await ask<Joined>('/api/rooms', { ...room, nonce }))
  keepFirst(joined.room, nonce)
  return joined
}

/** A seat of mine in a room that is there already. */
export async function takeSeat(code: string, seat: NewSeat): Promise<Joined> {
  return keep(await ask<Joined>(of(code, 'seats'), seat))
}

/** One more seat in it, for somebody else in front of this page. */
export async function takeAnother(code: string, seat: NewSeat): Promise<Joined> {
  const before = seatsOf(code)
  const joined = await takeSeat(code, seat)
  keepSeats(joined.room, [...before, joined.who])
  return joined
}

/** A seat of mine among strangers. */
export async function quickSeat(quick: Quick): Promise<Joined> {
  return keep(await ask<Joined>('/api/quick', quick))
}

/** The rooms to which strangers may come. */
export const openRooms = () => ask<OpenRoom[]>('/api/rooms')

/** The address that brings another device to my seats: it is the key to them, for some minutes. */
export async function seatLink(code: string): Promise<string> {
  const asked: NewPass = { who: seatsOf(code) }
  return `${roomLink(code)}#seat=${(await ask<Pass>(of(code, 'pass'), asked)).text}`
}

/** Take over the seats that such an address has brought here. */
export async function takePass(code: string, text: string) {
  const shown: Pass = { text }
  const { room, who } = await ask<Moved>(of(code, 'device'), shown)
  keepSeats(room, who)
}

/** The names of my seats are kept no longer; everybody at the table is told so. */
export async function deleteNames(code: string) {
  const asked: OldNames = { who: seatsOf(code) }
  await ask<OldNames>(of(code, 'name'), asked, 'DELETE')
}

const of = (code: string, what: string) => `/api/rooms/${encodeURIComponent(code)}/${what}`

const BETWEEN = '+' // seats that share a page

const key = (room: string) => `ratscrew:seat:${room}`

function keep(joined: Joined): Joined {
  keepSeats(joined.room, [joined.who])
  return joined
}

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
export function keepSeats(room: string, whos: readonly number[]) {
  sessionStorage.setItem(key(room), whos.join(BETWEEN))
  localStorage.setItem(key(room), whos.join(BETWEEN))
}

/** The seat is not mine any more. */
export function forgetSeat(room: string) {
  sessionStorage.removeItem(key(room))
  localStorage.removeItem(key(room))
  if (awayFrom() === room) localStorage.removeItem(AWAY)
}

const AWAY = 'ratscrew:away'

/** I look away from a table for a while: the start page leads back to my seat there. */
export const lookAway = (room: string) => localStorage.setItem(AWAY, room)

/** I am back at a table. */
export const lookBack = () => localStorage.removeItem(AWAY)

/** The table that I have looked away from, if a seat of mine is there. */
export function awayFrom(): string | null {
  const room = localStorage.getItem(AWAY)
  return room && seatsOf(room).length ? room : null
}

/** Who sits in front of this page, each by his number in the room: mostly one, none for who watches. */
export function seatsOf(room: string): number[] {
  const kept = sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room))
  return kept?.split(BETWEEN).filter((who) => /^\d+$/.test(who)).map(Number) ?? []
}

/** The address that brings friends to a room. */
export const roomLink = (room: string) => `${location.origin}/room/${room}`
