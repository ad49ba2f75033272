// Rooms and seats, and the secrets that bring a reloaded page back to its seat.
import type { Joined, NewRoom, NewSeat } from '../wire'
import { ask } from './ask'

/** A new room, in which a seat is mine. */
export async function openRoom(room: NewRoom): Promise<Joined> {
  return keep(await ask<Joined>('/api/rooms', room))
}

/** A seat of mine in a room that is there already. */
export async function takeSeat(code: string, seat: NewSeat): Promise<Joined> {
  return keep(await ask<Joined>(`/api/rooms/${encodeURIComponent(code)}/seats`, seat))
}

const key = (room: string) => `ratscrew:seat:${room}`

/** For this tab, and for a tab that is opened again: of two tabs in one room each keeps its own seat. */
function keep(joined: Joined): Joined {
  sessionStorage.setItem(key(joined.room), joined.token)
  localStorage.setItem(key(joined.room), joined.token)
  return joined
}

export function tokenFor(room: string): string | null {
  return sessionStorage.getItem(key(room)) ?? localStorage.getItem(key(room))
}
