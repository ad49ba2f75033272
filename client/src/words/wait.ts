// The words of the waiting room, and the function that fetches a piece of the page together with them.
import { learn, words as first } from '../words'
import type { InWaitingRoom } from './en'

export const words = first as InWaitingRoom

/** Loads a piece of the page and the words of the waiting room at the same time; returns the piece. */
export async function inWaitingRoom<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), learn('room', 'wait')])
  return fetched
}
