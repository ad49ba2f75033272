// The words of the start page, and the function that fetches a piece of the page together with them.
import { learn, words as first } from '../words'
import type { AtStart } from './en'

export const words = first as AtStart

/** Loads a piece of the page and the words of the start page at the same time; returns the piece. */
export async function atStart<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), learn('start')])
  return fetched
}
