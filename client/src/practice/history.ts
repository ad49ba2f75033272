// The last practices, stored in this browser and sent to nobody.
import type { Summary } from './summary'

const KEY = 'ratscrew:practices'
const KEPT = 10

export interface PastPractice extends Omit<Summary, 'patterns'> {
  /** When, in milliseconds since 1970. */
  at: number
  house: string
}

/** The newest first. */
export function practiceHistory(): PastPractice[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as PastPractice[]) : []
  } catch {
    return []
  }
}

export function saveToHistory(past: PastPractice): PastPractice[] {
  const all = [past, ...practiceHistory()].slice(0, KEPT)
  localStorage.setItem(KEY, JSON.stringify(all))
  return all
}
