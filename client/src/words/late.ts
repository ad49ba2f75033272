// All that is said, and the way to fetch a piece of the page that says it.
import { learn, words as first } from '../words'
import type { Words } from './en'

export const words = first as Words

export async function late<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), learn('start', 'room', 'wait', 'late')])
  return fetched
}
