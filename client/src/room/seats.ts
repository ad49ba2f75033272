// The seats of a table after an event. Shows nothing.
import type { Appearance, Seat, EventMessage } from '../wire'

const READ_FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A name that stands in a sentence. One that is read from the right is isolated, so that it takes no figure or word beside it along. */
export const isolateRightToLeft = (name: string): string => (READ_FROM_THE_RIGHT.test(name) ? `\u2068${name}\u2069` : name)

/** Who had his name deleted is called so; nobody can choose it. */
const NO_NAME = '–'

export function applySeatEvent(seats: readonly Seat[], event: EventMessage['e']): Seat[] {
  switch (event.e) {
    case 'sat': {
      const { seat, name, bot = null } = event
      const appearance = event.appearance ?? appearanceOf(seats, seat)
      return Object.assign([...seats], { [seat]: { name, bot, here: bot !== null, appearance, gone: false, muted: false } })
    }
    case 'left':
      return updateSeat(seats, event.seat, { gone: true, here: false })
    case 'name_deleted':
      return updateSeat(seats, event.seat, { name: NO_NAME })
    case 'muted':
      return updateSeat(seats, event.seat, { muted: event.on })
  }
  return [...seats]
}

export function updateSeat(seats: readonly Seat[], seat: number, what: Partial<Seat>): Seat[] {
  return seats.map((each, i) => (i === seat ? { ...each, ...what } : each))
}

export function appearanceOf(seats: readonly Seat[], seat: number): Appearance {
  return seats[seat]?.appearance ?? { hue: seat % 8, shape: 'palm' }
}

/** Whether one more may sit down: `most` is the house's `max_players`, 0 without a limit; who leaves a game keeps a chair. */
export function hasFreeSeat(seats: readonly Seat[], playing: boolean, most: number): boolean {
  return !most || (playing ? seats : seats.filter(({ gone }) => !gone)).length < most
}

/** The host is the first person who has not left for good. */
export function hostOf(seats: readonly Seat[]): number {
  return Math.max(0, seats.findIndex((seat) => seat.bot === null && !seat.gone))
}
