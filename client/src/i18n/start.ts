// The texts of the start page, and the function that loads a piece of the page together with them.
import { loadTexts, texts as first } from './language'
import type { AtStart } from './en'

export const texts = first as AtStart

/** Loads a piece of the page and the words of the start page at the same time; returns the piece. */
export async function withStartTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('start')])
  return fetched
}
