// The texts of a game at the table, and the function that loads a piece of the page together with them.
import { loadTexts, texts as first } from './language'
import type { AtTable } from './en'

export const texts = first as AtTable

export async function withTableTexts<T>(piece: () => Promise<T>): Promise<T> {
  const [fetched] = await Promise.all([piece(), loadTexts('room', 'table')])
  return fetched
}
