// All texts, and the function that loads a piece of the page together with them.
import { loadTexts, texts as first } from './language'
import type { Words } from './en'

export const texts = first as Words

export async function withAllTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('start', 'room', 'table', 'wait', 'late')])
  return fetched
}
