// What is said in a room, and the way to fetch a piece of the page that says it.
import { loadTexts, texts as first } from './language'
import type { InRoom } from './en'

export const texts = first as InRoom

export async function withRoomTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('room')])
  return fetched
}
