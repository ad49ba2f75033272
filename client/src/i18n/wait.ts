// The texts of the waiting room, and the function that loads a piece of the page together with them.
import { loadTexts, texts as first } from './language'
import type { InWaitingRoom } from './en'

export const texts = first as InWaitingRoom

/** Loads a piece of the page and the words of the waiting room at the same time; returns the piece. */
export async function withWaitingRoomTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('room', 'wait')])
  return fetched
}
