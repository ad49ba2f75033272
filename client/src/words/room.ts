// What is said in a room, and the way to fetch a piece of the page that says it.
import { learn, words as first } from '../words'
import type { InRoom } from './en'

export const words = first as InRoom

export async function inRoom<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), learn('room')])
  return fetched
}
