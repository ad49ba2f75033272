// Values derived from a view. Does not decide what may be done.
import type { Card, Countdown, View } from '../wire'

export interface Challenge {
  by: number
  card: Card
  left: number
  chances: number
}

/** How many chances a card gives to beat it; 0 if it challenges nobody. */
export function chancesOf(view: View, card: Card): number {
  return view.rules.chances[card] ?? view.rules.chances[card.slice(0, -1)] ?? 0
}

/** The running challenge: its card is the newest one on the pile that gives chances. */
export function challengeOf(view: View): Challenge | null {
  const { challenger: by = null, chances_left: left = 0, phase } = view.standing
  if (by === null || phase !== 'play') return null
  const card = challengingCard(view)
  return card && { by, card, left, chances: chancesOf(view, card) }
}

/** The newest card on the pile that gives chances to beat it. */
export const challengingCard = (view: View): Card | null =>
  view.pile.findLast(([card, kind]) => card && kind === 'live' && chancesOf(view, card) > 0)?.[0] ?? null

/** The newest card that a slap may use. */
export const topCard = (view: View | null): Card | null =>
  view?.pile.findLast(([, kind]) => kind === 'live')?.[0] ?? null

/** The seat that has to turn a card; null if the game waits for something else. */
export function turnOf(view: View | null): number | null {
  if (!view) return null
  const { phase, turn, chances_left: left = 0 } = view.standing
  return phase === 'play' || (phase === 'last_chance' && left > 0) ? turn : null
}

/** Whether a seat holds every card: it has won, though the event may not have arrived. */
export const holdsAll = (view: View, seat: number): boolean =>
  !view.pile.length && view.cards_held.every((held, other) => (other === seat ? held > 0 : !held))

/** How long a seat is locked: for the game, until the pile is taken, or for a number of cards; null if it is not. */
export function lockOf(view: View, seat: number): 'game' | 'pile' | number | null {
  const locked = view.seat_states[seat]?.locked ?? 0
  if (typeof locked === 'string') return locked
  return locked > view.n ? locked - view.n : null
}

/** Whether a seat may not slap again in this game. */
export const isBarred = (view: View, seat: number): boolean =>
  !!view.seat_states[seat]?.out || lockOf(view, seat) === 'game'

/** Whether a seat has to touch its forehead before its slap counts. */
export function owesForehead(view: View, seat: number): boolean {
  const person = view.seat_states[seat]
  const bound = view.rules.redneck === 'all' || (view.rules.redneck === 'convicted' && !!person?.convicted)
  return view.slappable && bound && !person?.touched
}

/** All seats in the order of play, newcomers last. */
export function seatOrder(view: View | null, seats: number): number[] {
  const circle = view?.circle ?? []
  return [...circle, ...Array.from({ length: seats }, (_, seat) => seat).filter((seat) => !circle.includes(seat))]
}

/** The full length of a countdown, in milliseconds. */
export function countdownLength(view: View, what: Countdown['awaited']): number {
  const { rules } = view
  if (what === 'turn' || what === 'split') return rules.turn_ms
  if (what === 'collect')
    return view.standing.phase === 'won' && rules.collect === 'manual' ? rules.turn_ms : rules.collect_delay_ms
  return rules.contest_ms
}

/** Whether newcomers may slap their way into the running game. */
export const canJoin = (view: View) => view.rules.late_join === 'slap_in' && view.slappable
