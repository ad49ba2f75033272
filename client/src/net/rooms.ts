// Rooms and seats, and the secrets that bring a reloaded page back to its seat.
import type { Joined, NewRoom, NewSeat, OpenRoom, Quick } from '../wire'
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
  return keep(await ask<Joined>(`/api/rooms/${encodeURIComponent(code)}/seats`, seat))
}

/** One more seat in it, for somebody else in front of this page. */
export async function takeAnother(code: string, seat: NewSeat): Promise<Joined> {
  const before = tokensFor(code)
  const joined = await takeSeat(code, seat)
  keepSeat(joined.room, [...before, joined.token].join(BETWEEN))
  return joined
}

/** A seat of mine among strangers. */
export async function quickSeat(quick: Quick): Promise<Joined> {
  return keep(await ask<Joined>('/api/quick', quick))
}

/** The rooms to which strangers may come. */
export const openRooms = () => ask<OpenRoom[]>('/api/rooms')

const BETWEEN = '+' // the tokens of seats that share a page

const key = (room: string) => `ratscrew:seat:${room}`

function keep(joined: Joined): Joined {
  keepSeat(joined.room, joined.token)
  return joined
}

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
export function keepSeat(room: string, token: string) {
  sessionStorage.setItem(key(room), token)
  localStorage.setItem(key(room), token)
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
  return room && tokenFor(room) ? room : null
}

export function tokenFor(room: string): string | null {
  return sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room))
}

/** The seats of this page, each by its token: mostly one, none for who watches. */
export const tokensFor = (room: string): string[] => tokenFor(room)?.split(BETWEEN).filter(Boolean) ?? []

/** The address that brings another device to my seat. */
export const seatLink = (room: string) => `${location.origin}/room/${room}#seat=${encodeURIComponent(tokenFor(room) ?? '')}`

/** The address that brings friends to a room. */
export const roomLink = (room: string) => `${location.origin}/room/${room}`
