// The seats of a table after an event. Shows nothing.
import type { Appearance, PublicSeat, EventMessage } from '../wire'

const READ_FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A name for a sentence. A right-to-left name is isolated (U+2068, U+2069), so that it does not reorder what stands beside it. */
export const isolateRightToLeft = (name: string): string =>
  READ_FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name

/** Shown for a player whose name was deleted; nobody can choose it. */
const NO_NAME = '–'

/** The seats after an event: the same list if the event changes none. */
export function applySeatEvent(seats: PublicSeat[], event: EventMessage['e']): PublicSeat[] {
  switch (event.e) {
    case 'sat': {
      const { seat, name, bot = null } = event
      const appearance = event.appearance ?? appearanceOf(seats, seat)
      return Object.assign([...seats], {
        [seat]: { name, bot, here: bot !== null, appearance, gone: false, muted: false, wins: 0, idle: false },
      })
    }
    case 'left':
      return updateSeat(seats, event.seat, { gone: true, here: false })
    case 'name_deleted':
      return updateSeat(seats, event.seat, { name: NO_NAME })
    case 'won':
      return updateSeat(seats, event.seat, { wins: (seats[event.seat]?.wins ?? 0) + 1 })
    case 'idle':
      return updateSeat(seats, event.seat, { idle: event.on })
    case 'muted':
      return updateSeat(seats, event.seat, { muted: event.on })
  }
  return seats
}

export function updateSeat(seats: readonly PublicSeat[], seat: number, what: Partial<PublicSeat>): PublicSeat[] {
  return seats.map((each, i) => (i === seat ? { ...each, ...what } : each))
}

export function appearanceOf(seats: readonly PublicSeat[], seat: number): Appearance {
  return seats[seat]?.appearance ?? { hue: seat % 8, shape: 'palm' }
}

/** Whether one more player may join: `most` is the house's `max_players`, 0 for no limit; a player who leaves during a game keeps the seat. */
export function hasFreeSeat(seats: readonly PublicSeat[], playing: boolean, most: number): boolean {
  return !most || (playing ? seats : seats.filter(({ gone }) => !gone)).length < most
}

/** The host after an event: the same as before until they pass the role on or leave, then the first person who has not left. */
export function hostAfter(host: number | null, seats: readonly PublicSeat[], event: EventMessage['e']): number | null {
  if (host === null) return null
  if (event.e === 'host_passed') return event.seat
  const stays = (seat?: PublicSeat) => seat?.bot === null && !seat.gone
  return stays(seats[host]) ? host : Math.max(0, seats.findIndex(stays))
}
