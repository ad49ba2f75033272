// The texts of a room, and the function that loads a piece of the page together with them.
import { loadTexts, texts as first } from './language'
import type { InRoom } from './en'

export const texts = first as InRoom

export async function withRoomTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('room')])
  return fetched
}
