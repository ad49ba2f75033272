// Pauses the game while a panel covers the table, where nobody at another device has a seat.
import { untrack } from 'svelte'
import type { Room } from './room.svelte'

/** For an effect: asks for the pause or ends it; again with each card, because a race is decided first. */
export function pauseWhile(room: Room, covered: boolean) {
  void room.view?.n
  if (room.you === null || room.pausedBy !== null || !room.online || !room.view || room.view.standing.phase === 'over')
    return
  const wanted = covered && room.alone
  if (wanted !== room.paused) untrack(() => room.send({ t: 'pause', on: wanted }))
}
